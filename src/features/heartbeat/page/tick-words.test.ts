/** Only a tick that was left out or failed has a reason worth a word. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tickWords } from './tick-words.ts';

test('a tick is described in words', () => {
  assert.equal(tickWords({ status: 'skipped', reason: 'quiet-hours' }).words, 'skipped: quiet hours');
  assert.equal(tickWords({ status: 'ok', reason: 'interval' }).words, 'ok');
  assert.equal(tickWords({ status: 'failed', reason: 'no such model' }).words, 'failed: no such model');
});
