/** Lets little work run at a time and little wait; what comes on top is turned away at once. */

export interface Turnstile {
  /** Settles like `work`; undefined when too many wait already. */
  pass<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export function createTurnstile({
  inside: places,
  waiting: seats,
}: {
  readonly inside: number;
  readonly waiting: number;
}): Turnstile {
  const queue: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    inside--;
    queue.shift()?.();
  };
  return {
    pass(work) {
      if (inside >= places && queue.length >= seats) return undefined;
      const turn = Promise.withResolvers<void>();
      const enter = (): void => {
        inside++;
        turn.resolve();
      };
      if (inside < places) enter();
      else queue.push(enter);
      return turn.promise.then(work).finally(leave);
    },
  };
}
