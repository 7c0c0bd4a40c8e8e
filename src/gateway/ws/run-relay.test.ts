// Events of a turn: text at a limited rate, tools for subscribers, and always a complete end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noUsage, type ToolResultMessage } from '../../core/transcript.ts';
import { SUSPENDED_CODE, type AgentEvent } from '../../core/turn.ts';
import { fakeAssistant } from '../../testing/fake-chat.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startTestGateway, type RawClient, type TestGateway } from '../../testing/ws-gateway.ts';
import type { RunInfo } from '../../host/runs.ts';

const run: RunInfo = { runId: 'r', sessionKey: 'agent:main:main', agentId: 'main', origin: 'message' };
const done = (text: string): AgentEvent => ({ type: 'ended', outcome: { kind: 'done', text, usage: noUsage } });
const text = (delta: string): AgentEvent => ({ type: 'text', delta });
const toolResult: ToolResultMessage = {
  role: 'toolResult',
  toolCallId: 't1',
  toolName: 'read',
  content: [{ type: 'text', text: 'file' }],
  isError: false,
  timestamp: 1,
};

function play(gateway: TestGateway, ...events: AgentEvent[]): void {
  for (const event of events) gateway.services.chat.emit(run, event);
}
const heard = (client: RawClient, name: string) =>
  client.frames.filter((frame) => frame.event === name).map((frame) => frame.payload);
const end = (client: RawClient) =>
  client.event('agent', ({ stream, data }) => stream === 'lifecycle' && data.phase !== 'start');

describe('streamed text', () => {
  it('sends the first words at once, then at most one update per interval, each with the whole text', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.client();
    play(
      gateway,
      { type: 'started', turnId: 'r', provider: 'fake', model: 'echo' },
      text('One'),
      text(' two'),
      text(' three'),
    );
    await clock.advance(149);
    play(gateway, text(' four'));
    await clock.advance(1);
    play(gateway, done('One two three four.'));
    await end(client);
    const chat = heard(client, 'chat');
    assert.deepEqual(
      chat.map(({ state, deltaText, message }) => [state, deltaText, message.content[0].text]),
      [
        ['delta', 'One', 'One'],
        ['delta', ' two three four', 'One two three four'],
        ['final', undefined, 'One two three four.'],
      ],
    );
    assert.deepEqual(
      chat.map(({ seq }) => seq),
      [0, 1, 2],
    );
    assert.deepEqual(
      heard(client, 'agent').map(({ stream, seq, data }) => [stream, seq, data.delta ?? data.phase]),
      [
        ['lifecycle', 0, 'start'],
        ['assistant', 1, 'One'],
        ['assistant', 2, ' two three four'],
        ['lifecycle', 3, 'end'],
      ],
    );
  });

  it('sends those who ask for it the new text alone, and where it begins', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const lean = await gateway.client({ caps: ['tool-events', 'text-deltas'] });
    const whole = await gateway.client();
    play(gateway, { type: 'thinking', delta: 'Hm' }, text('One'));
    await clock.advance(150);
    play(gateway, text(' two'));
    await clock.advance(150);
    play(gateway, { type: 'thinking', delta: ' well' }, done('One two.'));
    await Promise.all([end(lean), end(whole)]);
    assert.deepEqual(
      heard(lean, 'chat.delta').map(({ seq, at, deltaText }) => [seq, at, deltaText]),
      [
        [0, 0, 'One'],
        [1, 3, ' two'],
      ],
    );
    assert.deepEqual(
      heard(lean, 'chat').map(({ seq, state, message }) => [seq, state, message.content[0].text]),
      [[2, 'final', 'One two.']],
    );
    assert.deepEqual(
      heard(lean, 'agent').map(({ stream, data }) => [stream, data.text, data.delta]),
      [
        ['thinking', undefined, 'Hm'],
        ['thinking', undefined, ' well'],
        ['lifecycle', undefined, undefined],
      ],
    );
    assert.equal(heard(whole, 'chat')[1].message.content[0].text, 'One two');
  });

  it('starts over when the turn begins another message', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.client();
    play(
      gateway,
      text('Let me look.'),
      { type: 'message', message: fakeAssistant('Let me look.') },
      { type: 'tool.started', callId: 't1', tool: 'read', input: {} },
    );
    await clock.advance(200);
    play(gateway, text('Found it.'), { type: 'message', message: fakeAssistant('Found it.') }, done('Found it.'));
    await end(client);
    assert.deepEqual(
      heard(client, 'chat').map(({ deltaText, replace, message }) => [deltaText, replace, message.content[0].text]),
      [
        ['Let me look.', undefined, 'Let me look.'],
        ['Found it.', true, 'Found it.'],
        [undefined, undefined, 'Found it.'],
      ],
    );
  });

  it('text before a tool is out before the tool', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.client({ caps: ['tool-events'] });
    play(
      gateway,
      text('a'),
      text('b'),
      { type: 'tool.started', callId: 't1', tool: 'read', input: { path: 'x' } },
      done(''),
    );
    await end(client);
    const order = client.frames
      .filter((frame) => frame.event === 'chat' || frame.payload?.stream === 'tool')
      .map((frame) => frame.payload.message?.content[0].text ?? frame.payload.stream ?? frame.payload.state);
    assert.deepEqual(order, ['a', 'ab', 'tool', 'final']);
  });
});

describe('the end of a turn', () => {
  const ends: [string, AgentEvent[], Record<string, unknown>][] = [
    ['folded into another turn: a final without a message', [done('')], { state: 'final', message: undefined }],
    [
      'only a notice',
      [{ type: 'notice', text: 'Session started over.' }, done('')],
      { state: 'final', text: 'Session started over.' },
    ],
    [
      'stopped: what was said is kept',
      [text('half'), { type: 'ended', outcome: { kind: 'aborted', text: 'half', usage: noUsage } }],
      { state: 'aborted', text: 'half' },
    ],
    [
      'failed',
      [{ type: 'ended', outcome: { kind: 'failed', code: 'context_overflow', message: 'too long', usage: noUsage } }],
      { state: 'error', errorMessage: 'too long', errorKind: 'context_length' },
    ],
    [
      'failed in the middle keeps the text',
      [text('par'), { type: 'ended', outcome: { kind: 'failed', code: 'odd', message: 'broke', usage: noUsage } }],
      { state: 'error', text: 'par', errorKind: 'unknown' },
    ],
  ];
  it('a run that goes on in the next run has no end', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    play(
      gateway,
      text('half'),
      { type: 'ended', outcome: { kind: 'failed', code: SUSPENDED_CODE, message: 'stopping', usage: noUsage } },
      text('whole'),
      done('whole'),
    );
    await end(client);
    assert.deepEqual(
      heard(client, 'chat')
        .map(({ state }) => state)
        .filter((state) => state !== 'delta'),
      ['final'],
    );
  });

  for (const [name, events, expected] of ends) {
    it(name, async () => {
      await using gateway = await startTestGateway();
      const client = await gateway.client();
      play(gateway, ...events);
      await end(client);
      const last = heard(client, 'chat').at(-1);
      for (const [key, value] of Object.entries(expected))
        assert.deepEqual(key === 'text' ? last.message.content[0].text : last[key], value, key);
    });
  }
});

describe('who hears what', () => {
  const tools: AgentEvent[] = [
    { type: 'thinking', delta: 'hmm' },
    { type: 'tool.started', callId: 't1', tool: 'read', input: { path: 'x' } },
    { type: 'tool.progress', callId: 't1', tool: 'read', text: '50 %' },
    { type: 'tool.ended', callId: 't1', tool: 'read', result: toolResult, ms: 3 },
    { type: 'compacted', before: 100, after: 10 },
    done('ok'),
  ];

  it('tools and thinking reach those who asked, by capability or by following the session', async () => {
    await using gateway = await startTestGateway();
    const plain = await gateway.client();
    const capable = await gateway.client({ caps: ['tool-events'] });
    const follower = await gateway.client();
    await follower.call('sessions.messages.subscribe', { key: 'main' });
    play(gateway, ...tools);
    await Promise.all([end(plain), end(capable), end(follower)]);
    const streams = (client: RawClient) =>
      heard(client, 'agent').map(({ stream, data }) => `${stream}:${data.phase ?? ''}`);
    assert.deepEqual(streams(plain), ['compaction:end', 'lifecycle:end']);
    for (const client of [capable, follower])
      assert.deepEqual(streams(client), [
        'thinking:',
        'tool:start',
        'tool:update',
        'tool:result',
        'compaction:end',
        'lifecycle:end',
      ]);
    assert.deepEqual(heard(capable, 'agent')[3].data.result.content, toolResult.content);
  });

  it('a client of single sessions hears its own runs and the sessions it follows', async () => {
    await using gateway = await startTestGateway();
    const scoped = await gateway.client({ caps: ['session-scoped-events'] });
    play(gateway, done('not for you'));
    await scoped.call('chat.send', { sessionKey: 'agent:main:mine', message: 'hi', idempotencyKey: 'own' });
    await end(scoped);
    assert.deepEqual([...new Set(heard(scoped, 'chat').map(({ runId }) => runId))], ['own']);
  });

  it('without the right to read there is nothing to hear', async () => {
    await using gateway = await startTestGateway();
    const clerk = await gateway.client({ scopes: ['operator.pairing'] });
    const reader = await gateway.client({ scopes: ['operator.read'] });
    play(gateway, ...tools);
    await end(reader);
    gateway.ws.announceShutdown({ reason: 'test' });
    await clerk.event('shutdown');
    assert.deepEqual(
      clerk.frames.filter((frame) => frame.type === 'event').map((frame) => frame.event),
      ['connect.challenge', 'shutdown'],
    );
  });
});
