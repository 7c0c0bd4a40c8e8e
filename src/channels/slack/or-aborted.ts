/** Work that is waited for until somebody stops it. */
import { AppError } from '../../sdk/index.ts';

/**
 * What `work` resolves with; rejects with `AppError('aborted')` when the signal fires first. The work itself goes on.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void =>
    aborted.reject(new AppError('aborted', 'Nobody waits for Slack any more.', { cause: signal.reason }));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', stop));
}
