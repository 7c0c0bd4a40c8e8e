/** Waiting for work that cannot be stopped, by somebody who can. */
import { AppError } from '../core/errors.ts';

/** What `work` resolves with; rejects with `aborted` when the signal fires first. The work itself goes on. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void =>
    aborted.reject(new AppError('aborted', 'Nobody waits for it any more.', { cause: signal.reason }));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
