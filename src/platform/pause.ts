/** Waits for a time. An abort signal ends the wait immediately, without an error. */
import { systemClock, type Clock } from './clock.ts';

/** Resolves after `ms` milliseconds with true, or with false as soon as the signal fires. Never rejects. */
export async function pause(
  ms: number,
  signal?: AbortSignal,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}
