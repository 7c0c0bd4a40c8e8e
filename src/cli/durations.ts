/** Formats durations for people. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Milliseconds → `3 h`, `2 min`, `0 s`: the largest whole unit. */
export function span(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? UNITS[3];
  return `${Math.floor(Math.max(0, ms) / size)} ${unit}`;
}

/** `2 min ago`; `never` without a time. */
export const ago = (at: number | undefined, now: number = Date.now()): string =>
  at === undefined ? 'never' : `${span(now - at)} ago`;
