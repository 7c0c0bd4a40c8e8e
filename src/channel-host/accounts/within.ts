/** Waiting with an end: what others promise may never come. */
import type { Clock } from '../../platform/clock.ts';

/** True when it settled within `ms`; its rejection is the caller's to have handled. */
export async function settlesWithin(clock: Clock, ms: number, promise: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  using _timer = clock.setTimeout(() => late.resolve(false), ms);
  return await Promise.race([
    promise.then(
      () => true as const,
      () => true as const,
    ),
    late.promise,
  ]);
}

/** Rejects with `error()` when it did not settle within `ms`. */
export async function orTimeout<T>(
  clock: Clock,
  ms: number,
  { promise, error }: { readonly promise: Promise<T>; error(): Error },
): Promise<T> {
  const late = Promise.withResolvers<never>();
  using _timer = clock.setTimeout(() => late.reject(error()), ms);
  return await Promise.race([promise, late.promise]);
}

/** Resolves when the signal fires. */
export function fires(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
