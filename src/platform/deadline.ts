/** Deadlines: one signal for an operation that can be cancelled and that has a total time limit. */
import { AppError } from '../core/errors.ts';
import type { Clock } from './clock.ts';
import { raceSignal } from './timeout.ts';

/** `signal` fires with `AppError('timeout')` or `AppError('aborted')` as its reason. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** A time limit, the signal that can end the work sooner, and what the error says in each case. */
export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'setTimeout'>;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Stops the work from outside. */
  readonly signal: AbortSignal;
  /** What is said when the time is up, and when it was stopped. */
  readonly late: string;
  readonly stopped: string;
}

/** For work that listens to its signal. Disposing it leaves no timer and no listener behind. */
export function startDeadline({ clock, timeoutMs, signal, late, stopped }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new AppError('aborted', stopped, { cause: signal.reason }));
  const timer = clock.setTimeout(() => controller.abort(new AppError('timeout', late)), timeoutMs);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      timer.cancel();
      signal.removeEventListener('abort', stop);
    },
  };
}

/**
 * What `work` resolves with. Ends on time even where the work does not listen: rejects with `AppError('timeout')` when
 * the time is up, with `aborted` when it was stopped, else like the work.
 */
export async function withDeadline<T>(options: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  using deadline = startDeadline(options);
  return await raceSignal(work(deadline.signal), deadline.signal);
}
