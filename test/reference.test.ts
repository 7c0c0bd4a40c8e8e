/** The reference pages say what the code says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('docs/reference is what scripts/reference.mjs would write', async () => {
  await assert.doesNotReject(promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/reference.mjs', '--check']));
});
