/** Does in an idle process what somebody would otherwise wait for later: a step at a time, until somebody comes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from './pause.ts';
import type { Log } from '../core/log.ts';
import type { Clock } from './clock.ts';

/** Whoever starts a gateway to write to it at once needs its processor. */
const REST_MS = 1000;

/** While what is done, and until when. */
export interface WarmUp {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Calls back when somebody comes. */
  until(came: () => void): void;
}

/**
 * Begins after a second of rest; ends with the steps, or when somebody comes. Nothing fails with it: whoever comes is
 * told what is wrong.
 */
export async function warmUp(
  steps: () => AsyncIterable<unknown>,
  { clock, log, signal, until }: WarmUp,
): Promise<void> {
  const came = new AbortController();
  until(() => {
    // Somebody comes with each message, and an abort makes an error with a stack.
    if (!came.signal.aborted) came.abort();
  });
  const stop = AbortSignal.any([came.signal, signal]);
  if (!(await pause(REST_MS, stop, clock))) return;
  try {
    for await (const _step of steps()) {
      await nextTurn();
      if (stop.aborted) return;
    }
  } catch (error) {
    log.debug('app.warm', { error });
  }
}
