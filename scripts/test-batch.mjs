/**
 * One batch of test files in this process, one file after the other.
 *   node scripts/test-batch.mjs RESULTS FILE …     RESULTS: the file for a line of JSON per finished test
 */
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { taken } from './processor-time.mjs';
import { root } from './progress.mjs';
import { catchRunnerHook } from './runner-hook.mjs';
import { TEST_TIMEOUT } from './test-process.mjs';
import { batchResult, COUNTING, ENDING, resultOf, uncaughtResult } from './test-results.mjs';

const [to, ...files] = process.argv.slice(2);
/** The runner's own timeout does not reach every test in a suite: one that hangs would hold up all of them for ever. */
const SILENCE = 2 * TEST_TIMEOUT;

catchRunnerHook();
// For this thread only: the threads of the product have limits of their own, which such generations would fill.
for (const size of ['min-semi', 'max-semi', 'initial-old']) setFlagsFromString(`--${size}-space-size=0`);
const write = (result) => appendFileSync(to, `${JSON.stringify(result)}\n`);
const events = run({
  files: [COUNTING, ...files.map((file) => resolve(root, file)), ENDING],
  cwd: root,
  isolation: 'none',
  timeout: TEST_TIMEOUT,
});
events.on('data', take);
watchForSilence();
process.on('exit', () => {
  for (let event = events.read(); event; event = events.read()) take(event);
  if (!taken.ended) {
    write(uncaughtResult('exit of the process', new Error('The process exited before its tests had ended.')));
    process.exitCode ||= 1;
  }
  write(batchResult());
});

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    write(uncaughtResult(event, error));
    process.exitCode = 1;
  });

function take(event) {
  const result = resultOf(event);
  if (!result) return;
  write(result);
  if (!result.ok) process.exitCode = 1;
}

function watchForSilence() {
  const state = { since: performance.now() };
  events.on('data', () => (state.since = performance.now()));
  setInterval(() => {
    if (performance.now() - state.since < SILENCE) return;
    write(uncaughtResult('silence', new Error(`Nothing ended within ${SILENCE / 1000} s.`)));
    process.exit(1);
  }, 5000).unref();
}
