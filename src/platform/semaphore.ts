/** A semaphore: a fixed number of permits for concurrent work, first come, first served. */
import { abortedBy } from './timeout.ts';

/** Bounds how many pieces of work run at once. */
export interface Semaphore {
  /**
   * Runs `work` with a permit: at once, before `run` returns, where one is free. Settles like `work`; the permit is
   * given back either way. Where `signal` fires while it waits, `work` never runs, its place in the line is gone, and
   * this rejects with `AppError('aborted')`.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many hold a permit, and how many wait for one. */
  counts(): { readonly running: number; readonly waiting: number };
}

/** At least one permit. */
export function createSemaphore(permits: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = Math.max(1, permits);

  function turnOf(signal: AbortSignal | undefined): Promise<void> {
    const turn = Promise.withResolvers<void>();
    function leave(): void {
      waiting.delete(enter);
      turn.reject(abortedBy(signal!));
    }
    function enter(): void {
      signal?.removeEventListener('abort', leave);
      turn.resolve();
    }
    waiting.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
    return turn.promise;
  }

  /** The permit goes to the longest waiter, so that a later caller cannot overtake it. */
  function release(): void {
    const [next] = waiting;
    if (!next) return void (free += 1);
    waiting.delete(next);
    next();
  }

  return {
    async run(work, signal) {
      if (signal?.aborted) throw abortedBy(signal);
      if (free > 0) free -= 1;
      else await turnOf(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    counts: () => ({ running: Math.max(1, permits) - free, waiting: waiting.size }),
  };
}
