/** Reads the parameters of a command, which are untrusted. */

/** The parameters as received. */
export type Params = Readonly<Record<string, unknown>>;

/** Clamped to the bounds; the default for anything that is not a number. */
export const numberOf = (value: unknown, usual: number, [min, max]: readonly [number, number]): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : usual;

export const textOf = (value: unknown, maxChars: number): string =>
  typeof value === 'string' ? value.slice(0, maxChars).trim() : '';
