/** How long answers took, as counts between fixed bounds: they can be added, and say what half of them took. Pure. */

/** Seconds. */
export const LATENCY_BOUNDS: readonly number[] = [0.5, 1, 2, 3, 5, 8, 13, 21, 34, 55, 90, 150, 300, 600];

export const noLatency = (): number[] => Array.from({ length: LATENCY_BOUNDS.length + 1 }, () => 0);

/** `counts` with one more. */
export function counted(counts: readonly number[], ms: number): readonly number[] {
  const found = LATENCY_BOUNDS.findIndex((bound) => ms <= bound * 1000);
  const place = found < 0 ? LATENCY_BOUNDS.length : found;
  return LATENCY_BOUNDS.concat(0).map((_bound, index) => (counts[index] ?? 0) + (index === place ? 1 : 0));
}

export const added = (a: readonly number[], b: readonly number[]): readonly number[] =>
  LATENCY_BOUNDS.concat(0).map((_bound, index) => (a[index] ?? 0) + (b[index] ?? 0));
