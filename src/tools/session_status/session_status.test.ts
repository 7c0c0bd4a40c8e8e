// The session_status tool: a card, and the model of the conversation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../core/transcript.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import { statusCard, type SessionDescription } from './card.ts';
import status from './index.ts';

const now = Date.UTC(2026, 0, 15, 12);
const described: SessionDescription = {
  sessionKey: 'agent:main:main',
  sessionId: 's-1',
  model: 'openai/gpt-5',
  modelSource: 'config',
  thinkingLevel: 'low',
  inputTokens: 1234,
  outputTokens: 56,
  totalTokens: 50_000,
  contextTokens: 200_000,
  costUsd: 0.0042,
  compactions: 1,
  createdAt: now - 3 * 3_600_000,
  updatedAt: now - 30_000,
  queueMode: 'collect',
  queued: 2,
  commands: 'sandboxed, workspace ro, no network',
  elevatedLevel: 'ask',
};

toolContract({
  tool: status,
  good: {},
  bad: [{ input: { model: ['a', 'b'] }, says: /model/ }],
  failing: [{ input: { sessionKey: 'gone' }, says: /No such session/ }],
  rpc: async (_method, params) => {
    if (JSON.stringify(params).includes('gone')) throw new Error('No such session: gone');
    return described;
  },
});

test('shows the whole card', () => {
  assert.equal(
    statusCard(described, now),
    [
      'Model: openai/gpt-5 (config)',
      'Thinking: low',
      'Tokens: 1.2k in, 56 out, $0.0042',
      'Context: 50k of 200k tokens (25 %)',
      'Session: agent:main:main (s-1)',
      'Age: 3 h, last activity less than a minute ago',
      'Compactions: 1',
      'Commands: sandboxed, workspace ro, no network, elevated ask',
      'Queue: collect, 2 waiting',
    ].join('\n'),
  );
  assert.equal(statusCard({ sessionKey: 'k' }, now), 'Session: k');
});

test('asks for the conversation of the turn and shows its card', async () => {
  const result = await runTool(status, {}, toolContext('/w', { rpc: async () => described }));
  assert.match(textOf(result.content), /^Model: openai\/gpt-5 \(config\)\n/);
  assert.deepEqual(result.details, described);
});

test('sets and clears the model before it shows the card', async () => {
  const asked: unknown[] = [];
  const ctx = toolContext('/w', {
    rpc: async (method, params) => {
      asked.push([method, params]);
      return described;
    },
  });
  await runTool(status, { model: 'anthropic/claude' }, ctx);
  await runTool(status, { model: 'Default', sessionKey: 'agent:x:main' }, ctx);
  assert.deepEqual(asked, [
    ['sessions.patch', { key: 'agent:main:main', model: 'anthropic/claude' }],
    ['sessions.describe', { sessionKey: 'agent:main:main' }],
    ['sessions.patch', { key: 'agent:x:main', model: null }],
    ['sessions.describe', { sessionKey: 'agent:x:main' }],
  ]);
});
