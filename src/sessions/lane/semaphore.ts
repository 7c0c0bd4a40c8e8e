/** Fair semaphores, one for each kind of work: a bulkhead, so that no kind takes the permits of another. Pure. */
/**
 * Kinds of work that are counted apart: one that waits for another never takes the place that other needs. `counted`:
 * by
 * whoever begins it.
 */
export type WorkKind = 'main' | 'background' | 'counted' | 'nested' | 'subagent';

/** Places that are taken, and who waits for one, first come first served. */
export interface Semaphore<Holder> {
  readonly used: number;
  readonly waiting: readonly Holder[];
}

/** The semaphore of each kind of work that was ever asked for a place. */
export type Bulkhead<Holder> = ReadonlyMap<WorkKind, Semaphore<Holder>>;

const FREE: Semaphore<never> = { used: 0, waiting: [] };

/** Queues `holder` for a place of `kind`; `grant` gives it one. */
export function acquire<Holder>(bulkhead: Bulkhead<Holder>, kind: WorkKind, holder: Holder): Bulkhead<Holder> {
  const { used, waiting }: Semaphore<Holder> = bulkhead.get(kind) ?? FREE;
  return new Map(bulkhead).set(kind, { used, waiting: [...waiting, holder] });
}

/** Returns a permit; `grant` gives it to the next waiter. */
export function release<Holder>(bulkhead: Bulkhead<Holder>, kind: WorkKind): Bulkhead<Holder> {
  const { used, waiting }: Semaphore<Holder> = bulkhead.get(kind) ?? FREE;
  return new Map(bulkhead).set(kind, { used: used - 1, waiting });
}

/** Gives out the places that are free under `limit`, which may differ each time: a reload changes it. */
export function grant<Holder>(
  bulkhead: Bulkhead<Holder>,
  kind: WorkKind,
  limit: number,
): readonly [Bulkhead<Holder>, granted: readonly Holder[]] {
  const { used, waiting }: Semaphore<Holder> = bulkhead.get(kind) ?? FREE;
  const granted = waiting.slice(0, Math.max(0, limit - used));
  const semaphore = { used: used + granted.length, waiting: waiting.slice(granted.length) };
  return [new Map(bulkhead).set(kind, semaphore), granted];
}

/** How many places are taken, of all kinds. */
export const placesUsed = (bulkhead: Bulkhead<unknown>): number =>
  [...bulkhead.values()].reduce((sum, { used }) => sum + used, 0);
