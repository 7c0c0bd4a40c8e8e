/**
 * Measures time and CPU time at both ends of each test. Files run one after the other, so what passed since the last
 * measurement belongs to the file of this test, also where a contract suite defines the test. A reporter gets its
 * events too late for that. Also notes which file made what lies in the temporary folder, so that what is left there
 * can be named.
 */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { ownSeconds, taken } from './processor-time.mjs';
import { root } from './progress.mjs';
import { disableRunnerHook } from './runner-hook.mjs';

function count({ name, filePath }) {
  disableRunnerHook();
  const file = relative(root, filePath);
  for (const entry of readdirSync(tmpdir())) taken.makers[entry] ??= taken.running.file;
  taken.running = { name, file };
  const now = { seconds: performance.now() / 1000, cpu: ownSeconds() };
  taken.beforeTests ??= now.cpu;
  const since = taken.counted ?? now;
  const of = (taken.files[file] ??= { seconds: 0, cpu: 0 });
  of.seconds += now.seconds - since.seconds;
  if (now.cpu !== undefined) of.cpu += now.cpu - since.cpu;
  taken.counted = now;
}

beforeEach(count);
afterEach(count);
