/** Time as a dependency, so that everything that waits can be tested without waiting. */
import { performance } from 'node:perf_hooks';
import { AppError } from '../core/errors.ts';

/** Something that is to happen; disposing of it cancels it. */
export interface Timer extends Disposable {
  cancel(): void;
  /** Lets the process end while the timer is pending. */
  unref(): Timer;
}

/** Time as everything here reads it, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back; only differences mean something. */
  monotonic(): number;
  setTimeout(run: () => void, ms: number): Timer;
  setInterval(run: () => void, ms: number): Timer;
  /** Resolves after `ms`; rejects with `AppError('aborted')` when the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (run, ms) => timer(setTimeout(run, ms), clearTimeout),
  setInterval: (run, ms) => timer(setInterval(run, ms), clearInterval),
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
};

/** `sleep` in terms of `setTimeout`, shared by every clock. */
export function sleepOn(clock: Pick<Clock, 'setTimeout'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const pending = clock.setTimeout(over, ms);
    function over(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      pending.cancel();
      reject(new AppError('aborted', 'The wait was cut short.', { cause: signal?.reason }));
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function timer(handle: NodeJS.Timeout, clear: (handle: NodeJS.Timeout) => void): Timer {
  const self: Timer = {
    cancel: () => clear(handle),
    unref: () => {
      handle.unref();
      return self;
    },
    [Symbol.dispose]: () => clear(handle),
  };
  return self;
}
