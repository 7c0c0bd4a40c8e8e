/** Runs a few things side by side; results keep the order of the items, whoever finishes first. */

/** At most `limit` at a time (at least one). The first rejection is the whole's, once nothing runs any more. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      await run(items[index]!, index).then(
        (result) => void (results[index] = result),
        (error: unknown) => void failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
