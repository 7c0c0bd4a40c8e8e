/** Reads fields of Slack's answers; any field may be missing or have the wrong type. Pure. */

export type Answer = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const listOf = (value: unknown): readonly Answer[] =>
  Array.isArray(value) ? value.filter((one): one is Answer => typeof one === 'object' && one !== null) : [];
export const recordOf = (value: unknown): Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : {};

/** Slack's `1700000000.000100` → milliseconds since the epoch; undefined for what is no time. */
export function millisOf(ts: unknown): number | undefined {
  const text = typeof ts === 'string' ? ts : '';
  return /^\d{1,12}\.\d{1,6}$/.test(text) ? Math.floor(Number(text) * 1000) : undefined;
}

/** In millionths of a second, which compare as numbers do. */
export const microsOf = (ts: string): number => Math.round(Number(ts) * 1_000_000);
