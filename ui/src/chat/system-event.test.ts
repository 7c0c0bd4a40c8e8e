/** What the gateway tells its agent is nobody's message: said as what happened. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemEvent } from './system-event.ts';
import { itemsOfHistory } from './transcript.ts';

test('the end of a process is said as such, its output unquoted', () => {
  assert.deepEqual(systemEvent('System event: Exec completed (calm-harbor, code 0) :: "said \\"hi\\" (once)"'), { process: 'calm-harbor', words: 'is done', tone: 'good', said: 'said "hi" (once)' });
  assert.deepEqual(systemEvent('System event: Exec failed (calm-harbor-2, signal SIGKILL)'), { process: 'calm-harbor-2', words: 'failed: signal SIGKILL', tone: 'bad' });
});

test('anything else is shown as it is', () => {
  assert.deepEqual(systemEvent('System event: the disk is full'), { words: 'the disk is full', tone: 'quiet' });
  assert.equal(systemEvent('System event: Exec completed (x, code 0) :: "cut').words, 'Exec completed (x, code 0) :: "cut');
});

test('only the gateway can say so: a person who types the same words wrote them', () => {
  const message = { role: 'user', content: 'System event: Exec completed (x, code 0)', timestamp: 1 };
  const [typed, told] = itemsOfHistory([message, { ...message, system: true }]);
  assert.deepEqual([typed, told].map((item) => item?.kind === 'person' && item.system === true), [false, true]);
});
