/** Waits for a condition that no event reports, without a fixed delay. */
import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_POLL_MS = 10;
const LONGEST_POLL_MS = 50;
/** What has waited long is looked at less often: many conditions ask a database or a gateway. */
const PART_OF_THE_WAIT = 0.05;
/** Far beyond what anything takes, so that a busy machine fails no test. */
const GIVE_UP_MS = 60_000;

/**
 * Resolves with the first answer that is not empty; fails loudly, naming `what` was waited for, when there is none for
 * a long time.
 */
export async function until<T>(condition: () => T | Promise<T>, what = String(condition)): Promise<NonNullable<T>> {
  const start = performance.now();
  for (let waited = 0; waited < GIVE_UP_MS; waited = performance.now() - start) {
    const found = await condition();
    if (found) return found;
    await sleep(Math.min(Math.max(waited * PART_OF_THE_WAIT, SHORTEST_POLL_MS), LONGEST_POLL_MS));
  }
  throw new Error(`Waited in vain for ${what}.`);
}
