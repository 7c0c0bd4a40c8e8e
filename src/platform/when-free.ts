/** Waits for a free descriptor: descriptors are usually held only briefly, and a late answer is better than none. */
import { backoff } from '../core/backoff.ts';
import { pause } from './pause.ts';
import { errnoOf } from './storage-error.ts';

/** All who have waited for a while look equally often: none that came later goes first. */
const BACKOFF_MS = { first: 5, max: 160 } as const;
/** Half a minute in all. */
const WAITS = 190;

/** `open` must have done nothing when it fails. */
export async function whenFree<T>(open: () => Promise<T>): Promise<T> {
  for (let wait = 0; wait < WAITS; wait += 1) {
    try {
      return await open();
    } catch (error) {
      if (!NONE_LEFT.has(errnoOf(error) ?? '')) throw error;
      await pause(backoff(BACKOFF_MS, wait));
    }
  }
  return open();
}

const NONE_LEFT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);
