/**
 * Waits for a free descriptor: where all are in use most are held for a moment, and an answer a second late is better
 * than none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from './storage-error.ts';

const FIRST_WAIT_MS = 5;
/** The waits double up to this one: ten seconds in all. */
const LAST_WAIT_MS = 5120;

/** `open` must have done nothing when it fails. */
export async function whenFree<T>(open: () => Promise<T>): Promise<T> {
  for (let wait = FIRST_WAIT_MS; wait <= LAST_WAIT_MS; wait *= 2) {
    try {
      return await open();
    } catch (error) {
      if (!NONE_LEFT.has(errnoOf(error) ?? '')) throw error;
      await sleep(wait);
    }
  }
  return open();
}

const NONE_LEFT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);
