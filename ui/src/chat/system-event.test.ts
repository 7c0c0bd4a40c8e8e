/** System events are shown as events, not as messages of a person. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepText, type StepContext } from '../../../src/features/exchange/step-message.ts';
import { wrapExternal } from '../../../src/core/external-content.ts';
import { timeLine } from '../../../src/core/time-line.ts';
import { fakePerson } from './fake.ts';
import { systemEvent } from './system-event.ts';
import { itemsOfHistory } from './transcript.ts';

test('the end of a process is said as such, its output unquoted', () => {
  assert.deepEqual(systemEvent('System event: Exec completed (calm-harbor, code 0) :: "said \\"hi\\" (once)"'), {
    process: 'calm-harbor',
    words: 'finished',
    tone: 'good',
    said: 'said "hi" (once)',
  });
  assert.deepEqual(systemEvent('System event: Exec failed (calm-harbor-2, signal SIGKILL)'), {
    process: 'calm-harbor-2',
    words: 'failed: signal SIGKILL',
    tone: 'bad',
  });
});

test('anything else is shown as it is', () => {
  assert.deepEqual(systemEvent('System event: the disk is full'), { words: 'the disk is full', tone: 'quiet' });
  assert.equal(
    systemEvent('System event: Exec completed (x, code 0) :: "cut').words,
    'Exec completed (x, code 0) :: "cut',
  );
});

test('what the agent is to do with it is left out, what happened is not', () => {
  const time = { now: Date.UTC(2026, 10, 24, 8), zone: 'Europe/Berlin' };
  assert.deepEqual(systemEvent(`[cron:1a2b Plan] Say what is planned\n${timeLine(time)}`), {
    words: 'Job “Plan”: Say what is planned',
    tone: 'quiet',
  });
  assert.equal(systemEvent(`[cron:1a2b Reminder: tea] Reminder: tea\n${timeLine(time)}`).words, 'Job “Reminder: tea”');
  assert.equal(systemEvent('Anything else').words, 'Anything else');
});

test('words from outside stand apart, without the marks around them', () => {
  const block = (text: string): string =>
    wrapExternal({ text, id: '0123456789abcdef', source: 'Webhook', task: 'GitHub' });
  assert.deepEqual(systemEvent(`[hook GitHub] Tell me of it. Briefly.\n\n${block('a $& b')}`), {
    words: 'Hook “GitHub”: Tell me of it. Briefly.',
    tone: 'quiet',
    said: 'a $& b',
  });
  assert.deepEqual(systemEvent(`[hook GitHub] ${block('opened')}`), {
    words: 'Hook “GitHub”',
    tone: 'quiet',
    said: 'opened',
  });
  const fixture = {
    exchange: {
      id: 'x',
      kind: 'send',
      requesterKey: 'agent:main:main',
      targetKey: 'agent:work:main',
      request: 'How is it?',
      turns: 5,
    },
    steps: [],
    next: { kind: 'step', step: 'ask', side: 'target' },
  } as unknown as StepContext;
  assert.deepEqual(systemEvent(stepText(fixture).text), {
    words: 'Message from another session, agent:main:main',
    tone: 'quiet',
    said: 'How is it?',
  });
});

test('only the gateway can say so: a person who types the same words wrote them', () => {
  const message = fakePerson('System event: Exec completed (x, code 0)');
  const [typed, reported] = itemsOfHistory([message, { ...message, system: true }]);
  assert.deepEqual(
    [typed, reported].map((item) => item?.kind === 'person' && item.system === true),
    [false, true],
  );
});
