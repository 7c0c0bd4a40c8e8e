/** Gives a piece of work a signal and a time limit, and ends on time even when the work does not listen. */
import { AppError } from '../../../../core/errors.ts';
import type { Clock } from '../../../../platform/clock.ts';

export interface Deadline {
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly ms: number;
  /** Stops the work from outside. */
  readonly signal: AbortSignal;
}

/** Rejects with `AppError('timeout')` when the time is up, with `aborted` when the signal fires, else like the work. */
export async function withDeadline<T>(
  { clock, ms, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (error: AppError): void => {
    ended.reject(error);
    stop.abort(error);
  };
  const onAbort = (): void => end(new AppError('aborted', 'The turn was stopped.', { cause: signal.reason }));
  using _timer = clock.setTimeout(() => end(new AppError('timeout', `no answer within ${ms / 1000} s`)), ms);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([ended.promise, work(stop.signal)]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
