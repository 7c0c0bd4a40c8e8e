/** Selects the cases of a crash matrix: one per checkpoint, and all of them in `npm run test:full`. */
export const IS_FULL = process.env['TEST_MATRICES'] === 'full';

/** `cases` in full, otherwise the first one of each checkpoint; `checkpointOf` names it. */
export function casesOf<T>(cases: readonly T[], checkpointOf: (one: T) => string): readonly T[] {
  if (IS_FULL) return cases;
  return [...Map.groupBy(cases, checkpointOf).values()].map(([first]) => first!);
}

/** How often something is repeated: `full` times, otherwise `few`. */
export const timesOf = (few: number, full: number): number => (IS_FULL ? full : few);
