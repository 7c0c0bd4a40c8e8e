/**
 * Waits for a free descriptor: where all are in use most are held for a moment, and an answer a second late is better
 * than none.
 */
import { backoff } from '../core/backoff.ts';
import { pause } from './pause.ts';
import { errnoOf } from './storage-error.ts';

const BACKOFF_MS = { first: 5, most: 5120 } as const;
/** Ten seconds in all. */
const WAITS = 11;

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
