/** Does in an idle process what somebody would otherwise wait for later: a step at a time, until somebody comes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from './pause.ts';
import type { Clock } from './clock.ts';

/** Whoever starts a gateway to write to it at once needs its processor. */
const REST_MS = 1000;

/** Begins after a second of rest; ends with the steps, or with the signal. Rejects where a step does. */
export async function warmUp(
  steps: () => AsyncIterable<unknown>,
  { clock, signal }: { readonly clock: Pick<Clock, 'sleep'>; readonly signal: AbortSignal },
): Promise<void> {
  if (!(await pause(REST_MS, signal, clock))) return;
  for await (const _step of steps()) {
    await nextTurn();
    if (signal.aborted) return;
  }
}
