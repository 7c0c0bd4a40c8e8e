/** The abort signal of a turn: fires when the turn is stopped, times out or ends. */
import { AppError } from '../../core/errors.ts';
import type { LoopInput } from './loop-input.ts';

export interface TurnClock {
  readonly signal: AbortSignal;
  timedOut(): boolean;
}

/** `stop` ends whatever a tool left running. */
export function turnClock({
  signal,
  timeoutMs,
  clock,
}: Pick<LoopInput, 'signal' | 'timeoutMs' | 'clock'>): TurnClock & Disposable & { stop(): void } {
  const own = new AbortController();
  const timer = timeoutMs
    ? clock.setTimeout(() => own.abort(new AppError('timeout', 'The time of the turn is up.')), timeoutMs)
    : undefined;
  const onAbort = (): void => own.abort(new AppError('aborted', 'The turn was stopped.'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const stop = (): void => {
    timer?.cancel();
    signal.removeEventListener('abort', onAbort);
    own.abort(OVER);
  };
  return {
    signal: own.signal,
    timedOut: () => own.signal.reason instanceof AppError && own.signal.reason.code === 'timeout',
    stop,
    [Symbol.dispose]: stop,
  };
}

const OVER = new AppError('aborted', 'The turn is over.');
