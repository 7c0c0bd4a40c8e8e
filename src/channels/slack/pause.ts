/** Waiting that ends when somebody stops it. */
import { AppError } from '../../sdk/index.ts';

/** Resolves after `ms`, or as soon as the signal fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

/** What `work` resolves with; rejects with `AppError('aborted')` when the signal fires first. The work itself goes on. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(new AppError('aborted', 'Nobody waits for Slack any more.', { cause: signal.reason }));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', stop));
}
