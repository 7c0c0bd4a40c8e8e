/** What `/status` says. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statusText, type SessionFacts } from './status-card.ts';

const facts: SessionFacts = {
  sessionKey: 'agent:main:main',
  agentId: 'main',
  model: 'fake/model',
  modelSource: 'configuration',
  inputTokens: 10,
  outputTokens: 5,
  totalTokens: 50_000,
  contextTokens: 200_000,
  compactions: 1,
  queueMode: 'collect',
  queued: 0,
  running: false,
  version: '1.2.3',
  commands: 'on this machine',
  elevatedLevel: 'off',
};
const text = (over: Partial<SessionFacts> = {}, now = 0): string => statusText({ ...facts, ...over }, 'Label', now);

it('is a few plain lines', () =>
  assert.equal(
    text(),
    [
      '⚙️ Label 1.2.3',
      'Model: fake/model (configuration)',
      'Tokens: 10 in, 5 out',
      'Context: 50000 of 200000 (25 %) · 1 compaction',
      'Session: agent:main:main',
      'Commands: on this machine · elevated off',
      'Queue: collect',
    ].join('\n'),
  ));

it('adds what is known besides', () => {
  const all = text(
    {
      thinkingLevel: 'high',
      reasoningLevel: 'stream',
      verboseLevel: 'full',
      choices: ['activation always', 'answers off'],
      elevatedLevel: 'ask',
      commands: 'sandboxed, workspace ro, no network',
      costUsd: 0.12345,
      queued: 3,
      compactions: 2,
      createdAt: 0,
    },
    90 * 60_000,
  );
  for (const part of [
    '· thinking high · reasoning stream · verbose full',
    'Commands: sandboxed, workspace ro, no network · elevated ask',
    'out · $0.1235',
    '2 compactions',
    '\nHere: activation always · answers off\n',
    '· 2 h old',
    'collect · 3 waiting',
  ])
    assert.ok(all.includes(part), part);
});

it('ends with what became of the newest attachments (T123)', () => {
  const media = '📎 Media: image ok (p/m) · audio skipped (maxBytes)';
  assert.equal(text({ media }).split('\n').at(-1), media);
});

it('does not divide by an unknown context', () => assert.match(text({ contextTokens: 0 }), /of 0 \(0 %\)/));

for (const [minutes, age] of [
  [0, '0 min'],
  [59, '59 min'],
  [60, '1 h'],
  [2879, '48 h'],
  [2880, '2 d'],
] as const)
  it(`calls ${minutes} minutes ${age}`, () =>
    assert.match(text({ createdAt: 0 }, minutes * 60_000), new RegExp(`· ${age} old`)));
