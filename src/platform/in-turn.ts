/** What concerns one thing happens one after the other; different things do not wait for each other. */

/** Runs `work` when everything asked for under the same key before has ended, well or not. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const mine = before ? before.then(work, work) : work();
    const quiet = mine.then(
      () => undefined,
      () => undefined /* whoever asked for it is told */,
    );
    last.set(key, quiet);
    void quiet.then(() => {
      if (last.get(key) === quiet) last.delete(key);
    });
    return mine;
  };
}
