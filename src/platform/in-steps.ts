/** Processes a long list with pauses for the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds a step may take. */
const STEP_MS = 5;

/** The items of a list, with the event loop free after each few milliseconds of work on them. */
export async function* inSteps<T>(list: readonly T[]): AsyncIterable<T> {
  let begun = performance.now();
  for (const one of list) {
    if (performance.now() - begun > STEP_MS) {
      await nextTurn();
      begun = performance.now();
    }
    yield one;
  }
}
