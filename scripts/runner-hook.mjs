/**
 * The asynchronous hook of Node's test runner. It follows every promise from its creation to its collection, and costs
 * an eighth of the processor time of this suite. The runner needs it to nest tests while the files are loaded; later
 * only to say which test an uncaught error belongs to, which is known here: tests run one after the other.
 */
import { createHook } from 'node:async_hooks';

const runner = { hook: undefined };

/** Before the runner starts. A Node whose runner has no such hook, or another one, works as without this file. */
export function catchRunnerHook() {
  const hooks = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  hooks.enable = function enableAndKeep() {
    if (new Error().stack.includes('node:internal/test_runner/harness')) runner.hook = this;
    return enable.call(this);
  };
}

/** Once all files are loaded. */
export function disableRunnerHook() {
  runner.hook?.disable();
  runner.hook = undefined;
}
