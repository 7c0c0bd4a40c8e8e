/** Waits before the next look at something that is followed. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 500;

/** False once interrupted. */
export async function nextLook(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(POLL_MS, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
