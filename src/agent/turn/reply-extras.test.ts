// The additions to an answer that a conversation turned on, and none otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noUsage, type AssistantMessage } from '../../core/transcript.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { replyExtras, usageLine } from './reply-extras.ts';

const answer: AssistantMessage = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: ' hm ' },
    { type: 'text', text: 'hi' },
  ],
  timestamp: 0,
  provider: 'fake',
  model: 'm',
  usage: noUsage,
  stopReason: 'stop',
};
const entry = (over: Partial<SessionEntry> = {}): SessionEntry => ({ sessionId: 's', updatedAt: 0, ...over });
const usage = { ...noUsage, input: 10, output: 3, cacheRead: 7, cost: 0.00123 };
const extras = (over: Partial<SessionEntry>, options = {}) =>
  replyExtras({
    turn: { options },
    entry: entry(over),
    messages: [answer],
    outcome: { kind: 'done', text: 'hi', usage },
  });

test('nothing unless it is wanted', () => assert.deepEqual(extras({}), {}));
test('thoughts, for the session or for one message', () => {
  assert.deepEqual(extras({ reasoningLevel: 'on' }), { thoughts: '💭 hm' });
  assert.deepEqual(extras({}, { reasoning: 'on' }), { thoughts: '💭 hm' });
  assert.deepEqual(extras({ reasoningLevel: 'on' }, { reasoning: 'off' }), {});
  assert.deepEqual(extras({ reasoningLevel: 'stream' }), {}, 'shown while they are thought, not again');
});
test('G149 what an answer took', () => {
  assert.deepEqual(extras({ responseUsage: 'tokens' }), { usage: 'Usage: 10 in, 3 out' });
  assert.equal(
    usageLine('full', usage, answer),
    'Usage: 10 in, 3 out · cache 7 read, 0 written · about $0.0012 · fake/m',
  );
});
test('a turn that failed or was stopped has none', () => {
  const failed = replyExtras({
    turn: { options: {} },
    entry: entry({ responseUsage: 'full', reasoningLevel: 'on' }),
    messages: [answer],
    outcome: { kind: 'aborted', text: '', usage },
  });
  assert.deepEqual(failed, {});
});
