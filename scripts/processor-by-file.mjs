/**
 * Measures CPU time at both ends of each test. Files run one after the other, so the CPU time since the last
 * measurement belongs to the file of this test. A reporter gets its events too late for that.
 */
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { ownSeconds, taken } from './processor-time.mjs';
import { root } from './progress.mjs';
import { disableRunnerHook } from './runner-hook.mjs';

function count({ name, filePath }) {
  disableRunnerHook();
  const file = relative(root, filePath);
  taken.running = { name, file };
  const now = ownSeconds();
  if (now === undefined) return;
  taken.beforeTests ??= now;
  taken.files[file] = (taken.files[file] ?? 0) + now - (taken.counted ?? now);
  taken.counted = now;
}

beforeEach(count);
afterEach(count);
