/** Loads modules one after the other with pauses, because loading all at once would block the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Each step is an `import()`; later imports of the same module are free. */
export async function loadInSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await step();
    await nextTurn();
  }
}
