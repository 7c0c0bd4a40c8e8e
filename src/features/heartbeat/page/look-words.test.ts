/** Only a look that was left out or failed has a reason worth a word. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookWords } from './look-words.ts';

test('a look is told in words', () => {
  assert.equal(lookWords({ status: 'skipped', reason: 'quiet-hours' }).words, 'did not look: quiet hours');
  assert.equal(lookWords({ status: 'ok', reason: 'interval' }).words, 'nothing needed you');
  assert.equal(lookWords({ status: 'failed', reason: 'no such model' }).words, 'could not look: no such model');
});
