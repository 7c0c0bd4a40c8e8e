/** Reads parameters of a command as what a stranger wrote. */

/** As they came. */
export type Given = Readonly<Record<string, unknown>>;

/** Within its bounds; anything but a number is the usual value. */
export const numberOf = (value: unknown, usual: number, [least, most]: readonly [number, number]): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : usual;

export const textOf = (value: unknown, most: number): string =>
  typeof value === 'string' ? value.slice(0, most).trim() : '';
