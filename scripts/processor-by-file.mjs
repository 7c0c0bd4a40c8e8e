/**
 * Loaded before the tests of a process: counts at both ends of each test, for files run one after the other, so that
 * what was taken since the last count is of the file whose test it is. A reporter hears of a test too late for that.
 */
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { ownSeconds, taken } from './processor-time.mjs';
import { root } from './progress.mjs';

function count({ filePath }) {
  const now = ownSeconds();
  if (now === undefined) return;
  const file = relative(root, filePath);
  taken.beforeTests ??= now;
  taken.files[file] = (taken.files[file] ?? 0) + now - (taken.counted ?? now);
  taken.counted = now;
}

beforeEach(count);
afterEach(count);
