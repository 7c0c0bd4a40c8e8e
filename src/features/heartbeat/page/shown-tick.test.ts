/** The Control UI shows what heartbeats tell the agent as what happened, without what it is to do with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemEvent } from '../../../../ui/src/chat/system-event.ts';
import { eventTask, tickText } from '../tick-text.ts';

test('a tick and an event are shown in short', () => {
  const localTime = { now: Date.UTC(2026, 10, 24, 8), zone: 'Europe/Berlin' };
  assert.deepEqual(systemEvent(`System event: Webhook: done\n\n${eventTask(localTime)}`), {
    words: 'Webhook: done',
    tone: 'quiet',
  });
  assert.equal(
    systemEvent(tickText({ prompt: undefined, file: '- mails', events: false, ...localTime })).words,
    'Heartbeat',
  );
});
