/** Retries rate-limited calls a few times, at the time Discord gives; a rate-limited call had no effect. */
import { AppError, backoff, jittered, pause } from '../../sdk/index.ts';
import type { Call } from './api.ts';

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const JITTER = [1, 1.1] as const;

export function waitingCalls(call: Call, signal: AbortSignal): Call {
  return async (...what) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await call(...what)) as never;
      } catch (error) {
        const wait = waitFor(error, attempt);
        if (wait === undefined || !(await pause(wait, signal))) throw error;
      }
    }
  };
}

/** Undefined: it is not tried again. */
function waitFor(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof AppError) || error.code !== 'rate_limited' || attempt >= ATTEMPTS) return undefined;
  const waitMs = error.retryAfterMs ?? backoff({ first: FIRST_WAIT_MS, max: LONGEST_WAIT_MS }, attempt - 1);
  return waitMs > LONGEST_WAIT_MS ? undefined : jittered(waitMs, JITTER, Math.random());
}
