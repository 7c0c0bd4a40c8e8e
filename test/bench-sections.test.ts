/** The benchmarks find the sections of features by their folders. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('a feature with a bench.mjs is a section', () => {
  const { stderr, status } = spawnSync(process.execPath, ['bench/run.mjs', 'no-such-section'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /There is no section "no-such-section"; there are startup, .*\bhooks\b/);
});
