/**
 * A keyed queue: work with the same key runs one piece after the other, in order of arrival; work with different keys
 * runs independently.
 */
import { abortedBy, orAborted } from './timeout.ts';

/** Nothing is dropped and there is no limit: the caller decides how much may wait. */
export interface KeyedQueue {
  /**
   * Runs `work` once everything asked for before under the same key has settled, well or not: at once, before `run`
   * returns, where nothing has. Settles like `work`. Where `signal` fires while it waits, `work` never runs and this
   * rejects with `AppError('aborted')`; work that has begun is not touched.
   */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves when everything asked for so far, under this key or under any, has settled. Never rejects. */
  idle(key?: string): Promise<void>;
  /** Something of this key runs or waits. */
  isBusy(key: string): boolean;
}

/** An empty queue; it holds a key only as long as something of it runs or waits. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<void>>();

  return {
    run(key, work, signal) {
      const before = tails.get(key);
      let tail: Promise<void> | undefined;
      const leave = (): void => {
        if (tails.get(key) === tail) tails.delete(key);
      };
      const mine = runAfter(before, { work, signal, leave });
      // A waiter that gave up must not let those behind it overtake the running one.
      tail = Promise.allSettled([mine, before]).then(leave);
      tails.set(key, tail);
      return mine;
    },
    async idle(key) {
      await (key === undefined ? Promise.all(tails.values()) : tails.get(key));
    },
    isBusy: (key) => tails.has(key),
  };
}

async function runAfter<T>(
  before: Promise<void> | undefined,
  { work, signal, leave }: { readonly work: () => Promise<T>; readonly signal: AbortSignal | undefined; leave(): void },
): Promise<T> {
  if (before) await orAborted(before, signal);
  else if (signal?.aborted) throw abortedBy(signal);
  try {
    return await work();
  } finally {
    leave();
  }
}

/**
 * For what is prepared side by side and has to arrive in order: settles like `ready`, which is under way already, but
 * resolves not before everything that came to the same key earlier has settled. A rejection is told at once.
 */
export async function inOrder<T>(queue: Pick<KeyedQueue, 'run'>, key: string, ready: Promise<T>): Promise<T> {
  const [value] = await Promise.all([ready, queue.run(key, () => Promise.allSettled([ready]))]);
  return value;
}

/** A queue for one thing alone. */
export interface SerialQueue {
  /** Runs `work` once everything asked for before has settled; see `KeyedQueue.run`. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves when everything asked for so far has settled. Never rejects. */
  idle(): Promise<void>;
}

/** An empty queue. */
export function createSerialQueue(): SerialQueue {
  const queue = createKeyedQueue();
  return { run: (work, signal) => queue.run('', work, signal), idle: () => queue.idle() };
}
