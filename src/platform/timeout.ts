/**
 * Waits with a timeout for work that cannot be cancelled: the caller continues, and so does the work. Times are
 * milliseconds. No timer or listener remains, and a later failure of the work is no unhandled rejection.
 */
import { AppError } from '../core/errors.ts';
import { systemClock, type Clock } from './clock.ts';

type TimerClock = Pick<Clock, 'setTimeout'>;

/** How long to wait, in milliseconds, and what to return afterwards. */
export interface RetryLimit<Otherwise> {
  readonly ms: number;
  /** What the wait comes to when the time is up, or the signal fires. */
  readonly otherwise: Otherwise;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: TimerClock | undefined;
}

/**
 * What `work` resolves with, or `otherwise` where that takes longer than `ms` or `signal` fires; rejects like `work`.
 */
export async function within<T, Otherwise>(
  work: Promise<T>,
  { ms, otherwise, signal, clock = systemClock }: RetryLimit<Otherwise>,
): Promise<T | Otherwise> {
  const over = Promise.withResolvers<Otherwise>();
  const stop = (): void => over.resolve(otherwise);
  using _timer = clock.setTimeout(stop, Math.min(ms, MAX_TIMER_MS));
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Node fires timers beyond this at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** True when `work` settled within `ms`, well or not. Never rejects. */
export const settlesWithin = (work: Promise<unknown>, ms: number, clock?: TimerClock): Promise<boolean> =>
  within(
    work.then(
      () => true,
      () => true,
    ),
    { ms, otherwise: false, clock },
  );

/** What `work` resolves with; rejects with `error()` where that takes longer than `ms`, else like `work`. */
export async function orTimeout<T>(
  work: Promise<T>,
  { ms, error, clock }: { readonly ms: number; error(): Error; readonly clock?: TimerClock | undefined },
): Promise<T> {
  const outcome = await within<T, typeof LATE>(work, { ms, otherwise: LATE, clock });
  if (outcome === LATE) throw error();
  return outcome;
}

const LATE: unique symbol = Symbol('late');

/** What `work` resolves with; rejects with the signal's reason where that fires first, else like `work`. */
export const raceSignal = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  unlessFired(work, signal, () => signal.reason);

/** What `work` resolves with; rejects with `AppError('aborted', why)` where `signal` fires first, else like `work`. */
export const orAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined, why?: string): Promise<T> =>
  signal ? unlessFired(work, signal, () => abortedBy(signal, why)) : work;

async function unlessFired<T>(work: Promise<T>, signal: AbortSignal, reason: () => unknown): Promise<T> {
  const fired = Promise.withResolvers<never>();
  const stop = (): void => fired.reject(reason());
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, fired.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The error of somebody who does not wait any more. */
export const abortedBy = (signal: AbortSignal, why = 'The caller no longer waits for it.'): AppError =>
  new AppError('aborted', why, { cause: signal.reason });

/** Resolves when the signal fires; at once where it has. */
export const onceAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
