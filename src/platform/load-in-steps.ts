/**
 * Loads a part of the program piece by piece, so that the event loop turns in between: all at once it would hold
 * everybody up.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Each step is an `import()`; what it loads is there, at no cost, for whoever imports it afterwards. */
export async function loadInSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await step();
    await nextTurn();
  }
}
