/** Waits for a condition that no event reports, without a fixed delay. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;
/** Far beyond what anything takes, so that a busy machine fails no test. */
const GIVE_UP_MS = 60_000;

/**
 * Resolves with the first answer that is not empty; fails loudly, naming `what` was waited for, when there is none for
 * a long time.
 */
export async function until<T>(condition: () => T | Promise<T>, what = String(condition)): Promise<NonNullable<T>> {
  for (const start = performance.now(); performance.now() - start < GIVE_UP_MS; await sleep(POLL_MS)) {
    const found = await condition();
    if (found) return found;
  }
  throw new Error(`Waited in vain for ${what}.`);
}
