/** A fixed number of places for work that runs at the same time, first come first served. */

interface Slots {
  /** Starts once `after` have settled and a place is free. */
  run<T>(after: readonly Promise<unknown>[], work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  const queue: (() => void)[] = [];
  let free = Math.max(1, count);

  const take = async (): Promise<void> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
  };
  const give = (): void => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };

  return {
    async run(after, work) {
      if (after.length) await Promise.allSettled(after);
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
