/** One signal for a piece of work that somebody may stop and that has a time limit as a whole. */
import { AppError } from '../../core/errors.ts';
import type { Clock } from '../clock.ts';

/** `signal` fires with `AppError('timeout')` or `AppError('aborted')` as its reason. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** Fires after `timeoutMs` or with `signal`, whichever is first; `what` names the wait in the error. */
export function startDeadline({
  clock,
  timeoutMs,
  signal,
  what,
}: {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly what: string;
}): Deadline {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new AppError('aborted', `${what} was stopped.`, { cause: signal.reason }));
  const timer = clock.setTimeout(
    () => controller.abort(new AppError('timeout', `${what} took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs,
  );
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
