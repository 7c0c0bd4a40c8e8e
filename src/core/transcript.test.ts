/** Text and usage of messages. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addUsage, noUsage, textOf } from './transcript.ts';

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, total: 10 };

it('adds usage, and costs only where one is known', () => {
  assert.deepEqual(addUsage(usage, usage), { input: 2, output: 4, cacheRead: 6, cacheWrite: 8, total: 20 });
  assert.deepEqual(addUsage({ ...usage, cost: 0.5 }, noUsage), { ...usage, cost: 0.5 });
  assert.equal('cost' in addUsage(usage, noUsage), false);
});

it('joins the text of a message and nothing else', () => {
  assert.equal(
    textOf([
      { type: 'text', text: 'a' },
      { type: 'thinking', text: 'hidden' },
      { type: 'text' },
      { type: 'text', text: 'b' },
    ]),
    'ab',
  );
  assert.equal(textOf([]), '');
});
