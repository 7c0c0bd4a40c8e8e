/** Named ways to ignore how work ends: each says where a failure is reported instead. */

/**
 * Resolves when the work is over, well or not: for a queue, where the next one waits for the last. Whoever asked for
 * that work is told how it ended.
 */
export async function whenOver(work: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([work]);
}

/**
 * The same promise. Whoever awaits it hears of its failure, which may be later than it comes, or never: a race that was
 * lost, an end nobody asked about. Without this the process would take such a failure for one that was forgotten.
 */
export function markHandled<T>(work: Promise<T>): Promise<T> {
  void Promise.allSettled([work]);
  return work;
}

/** Does `then` when the work has failed, e.g. forgets it; those who wait for the work get the error. */
export function onFailure(work: Promise<unknown>, then: () => void): void {
  void work.then(undefined, then);
}

/**
 * Resolves when something that is of no use any more is closed, however that went: there is nobody its trouble could
 * concern, and nothing that could be done about it.
 */
export async function ignoreOutcome(closing: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([closing]);
}
