// One turn for a program: two responses under one id, waiting, and errors before the run.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { noUsage } from '../../core/transcript.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const telegram = { id: 'telegram', label: 'Telegram', accounts: [] };
const turn = (patch: Record<string, unknown> = {}) => ({ message: 'hello', idempotencyKey: 'a1', ...patch });

describe('agent', () => {
  it('answers accepted, then the result, under one id', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const final = await client.request('agent', turn());
    const answers = client.frames.filter((frame) => frame.id === final.id);
    assert.deepEqual(
      answers.map((frame) => frame.payload.status),
      ['accepted', 'ok'],
    );
    assert.equal(final.payload.result.payloads[0].text, 'echo: hello');
    assert.equal(gateway.services.chat.requests[0]?.queue, 'followup');
  });

  it('gives the same answer to the same key, also after a reconnect', async () => {
    await using gateway = await startTestGateway();
    const first = await gateway.client();
    await first.request('agent', turn());
    const second = await gateway.client();
    assert.equal((await second.request('agent', turn())).payload.result.payloads[0].text, 'echo: hello');
    assert.equal(gateway.services.chat.requests.length, 1);
  });

  it('tells a failure as an error after accepting', async () => {
    await using gateway = await startTestGateway();
    gateway.services.chat.play(() => ({
      kind: 'failed',
      code: 'rate_limited',
      message: 'too many requests',
      usage: noUsage,
    }));
    const client = await gateway.client();
    const final = await client.request('agent', turn());
    assert.deepEqual(
      [final.ok, final.error.message, final.error.details.code],
      [false, 'too many requests', 'rate_limited'],
    );
  });

  it('picks the session by agent or key', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    await client.request('agent', turn({ agentId: 'work' }));
    await client.request('agent', turn({ sessionKey: 'notes', agentId: 'work', idempotencyKey: 'a2' }));
    assert.deepEqual(
      gateway.services.chat.requests.map((request) => request.sessionKey),
      ['agent:work:main', 'agent:work:notes'],
    );
  });

  it('sends the answer to a channel when asked to', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([telegram]);
    const client = await gateway.client();
    await client.request('agent', turn({ deliver: true, replyChannel: 'telegram', replyTo: '42' }));
    assert.deepEqual(
      gateway.services.sent.map(({ to, text, channel }) => [to, text, channel]),
      [['42', 'echo: hello', 'telegram']],
    );
    await client.request('agent', turn({ deliver: true, replyChannel: 'telegram', replyTo: '42' }));
    assert.equal(gateway.services.sent.length, 1, 'a repeated request does not send again');
  });

  it('delivers the words without directives, with the files people got, as voice where that was wanted', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([telegram]);
    const { chat, sent } = gateway.services;
    const file = { id: `${'0'.repeat(32)}.ogg`, name: 'note.ogg', mime: 'audio/ogg', size: 5 };
    chat.files.set(`agent:main:main ${file.id}`, Buffer.from('sound'));
    const text = '[[reply_to:77]] Listen. [[audio_as_voice]]\nMEDIA:./note.ogg';
    const client = await gateway.client();
    const deliver = { deliver: true, replyChannel: 'telegram', replyTo: '42' };
    chat.play(() => ({ kind: 'done', text, usage: noUsage, shown: { text: 'Listen.', files: [file] } }));
    const { payload } = await client.request('agent', turn({ ...deliver, idempotencyKey: 'a1' }));
    assert.deepEqual(payload.result.payloads, [{ text: 'Listen.', files: [file] }]);
    chat.play(() => ({ kind: 'done', text: '[[reply_to_current]] Hi [embed ref="x" /]', usage: noUsage }));
    await client.request('agent', turn({ ...deliver, idempotencyKey: 'a2' }));
    chat.play(() => ({ kind: 'done', text: '[[reply_to_current]] NO_REPLY', usage: noUsage }));
    await client.request('agent', turn({ ...deliver, idempotencyKey: 'a3' }));
    assert.deepEqual(
      sent.map((one) => [one.text, one.files?.map(({ data }) => String(data)), one.asVoice, one.replyTo]),
      [
        ['Listen.', ['sound'], true, '77'],
        ['Hi', undefined, undefined, undefined],
      ],
    );
  });

  it('runs nothing when the answer could not be delivered', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    for (const channels of [[], [telegram, { ...telegram, id: 'slack' }]]) {
      gateway.services.setChannels(channels);
      assert.match(
        (await client.request('agent', turn({ deliver: true, to: '42' }))).error.message,
        /Choose a channel to send to/,
      );
    }
    assert.equal(gateway.services.chat.requests.length, 0);
    gateway.services.setChannels([telegram]);
    await client.request('agent', turn({ deliver: true, to: '42' }));
    assert.equal(gateway.services.sent[0]?.to, '42', 'one channel needs no name');
  });

  it('takes pictures along', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await client.request(
      'agent',
      turn({ attachments: [{ type: 'image', mimeType: 'image/png', fileName: 'dot.png', content: dot }] }),
    );
    assert.deepEqual(
      gateway.services.chat.requests[0]?.attachments?.map(({ mime, name }) => [mime, name]),
      [['image/png', 'dot.png']],
    );
    assert.match(
      (await client.request('agent', turn({ attachments: [{ content: '***' }], idempotencyKey: 'a2' }))).error.message,
      /not valid base64/,
    );
  });

  it(
    'G38 G40 delivers to where the session was written to from, or to the chat that is named on the account ' +
      'that is named',
    async () => {
      await using gateway = await startTestGateway();
      gateway.services.setChannels([telegram, { ...telegram, id: 'slack' }]);
      gateway.services.sessionEntries.set('agent:main:main', {
        sessionId: 's',
        updatedAt: 1,
        chatType: 'group',
        lastChannel: 'telegram',
        lastTo: '-100',
        lastAccountId: 'work',
        lastThreadId: '7',
      } as never);
      const client = await gateway.client();
      const asked = async (patch: object) => (
        await client.request('agent', turn({ deliver: true, idempotencyKey: JSON.stringify(patch), ...patch })),
        gateway.services.sent.at(-1)!
      );
      for (const patch of [{}, { channel: 'last' }, { channel: 'TG' }]) {
        const sent = await asked(patch);
        assert.deepEqual(sent.address, {
          channel: 'telegram',
          accountId: 'work',
          chat: { kind: 'group', id: '-100' },
          threadId: '7',
        });
        assert.equal(sent.fromSession, 'agent:main:main', 'what the session said itself is not noted there again');
      }
      assert.deepEqual((await asked({ channel: 'last', to: '42' })).address, {
        channel: 'telegram',
        accountId: 'default',
        chat: { kind: 'direct', id: '42' },
      });
      assert.equal((await asked({ to: '42', channel: 'tg', accountId: 'home' })).address?.accountId, 'home');
    },
  );

  it('G39 G42 G43 never to another channel, to one that is gone, or to the product itself', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([telegram, { ...telegram, id: 'slack' }]);
    const client = await gateway.client();
    const answer = (patch: object) =>
      client.request('agent', turn({ deliver: true, idempotencyKey: JSON.stringify(patch), ...patch }));
    assert.match(
      (await answer({})).error.message,
      /deliver needs `to`: nobody wrote to this session from a channel yet; configured: telegram, slack/,
    );
    gateway.services.sessionEntries.set('agent:main:main', {
      sessionId: 's',
      updatedAt: 1,
      lastChannel: 'telegram',
      lastTo: '42',
    } as never);
    assert.match((await answer({ channel: 'slack' })).error.message, /nobody wrote to this session from slack/);
    gateway.services.setChannels([{ ...telegram, id: 'slack' }]);
    assert.match((await answer({ channel: 'last' })).error.message, /deliver needs `to`/);
    assert.equal((await answer({ channel: 'webchat' })).payload.result.payloads[0].text, 'echo: hello');
    assert.deepEqual([gateway.services.sent.length, gateway.services.chat.requests.length], [0, 1]);
  });

  it('G62 what cannot be delivered is an error, or a remark where the caller can do without', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([telegram]);
    const client = await gateway.client();
    gateway.services.channels.send = async () => {
      throw new AppError('unavailable', 'Telegram is away.');
    };
    assert.equal((await client.request('agent', turn({ deliver: true, to: '42' }))).error.message, 'Telegram is away.');
    const { payload } = await client.request(
      'agent',
      turn({ deliver: true, to: '42', bestEffortDeliver: true, idempotencyKey: 'a2' }),
    );
    assert.deepEqual([payload.status, payload.result.meta.deliveryError], ['ok', 'Telegram is away.']);
  });

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['agent and session of different agents', { agentId: 'work', sessionKey: 'agent:main:main' }, /does not match/],
    ['an unknown agent', { agentId: 'ghost' }, /unknown agent id/],
    [
      'an unknown reply channel',
      { replyChannel: 'pigeon', deliver: true, replyTo: 'x' },
      /unknown channel "pigeon"; configured: telegram/,
    ],
    ['an empty message', { message: '' }, /message/],
  ];
  for (const [name, patch, message] of bad) {
    it(`refuses ${name}`, async () => {
      await using gateway = await startTestGateway();
      gateway.services.setChannels([telegram]);
      const client = await gateway.client();
      const { error } = await client.request('agent', turn(patch));
      assert.equal(error.code, 'INVALID_REQUEST');
      assert.match(error.message, message);
      assert.equal(gateway.services.chat.requests.length, 0);
    });
  }
});

describe('agent.wait', () => {
  it('tells ok, error, and timeout', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    assert.equal((await client.call('agent.wait', { runId: 'nobody', timeoutMs: 10 })).status, 'timeout');
    await client.call('chat.send', { sessionKey: 'main', message: 'x', idempotencyKey: 'w1' });
    assert.equal((await client.call('agent.wait', { runId: 'w1' })).status, 'ok');
    gateway.services.chat.play(() => ({ kind: 'failed', code: 'network', message: 'no model', usage: noUsage }));
    await client.call('chat.send', { sessionKey: 'main', message: 'x', idempotencyKey: 'w2' });
    const failed = await client.call('agent.wait', { runId: 'w2' });
    assert.deepEqual([failed.status, failed.error], ['error', 'no model']);
    gateway.services.chat.play(() => new Promise(() => undefined));
    await client.call('chat.send', { sessionKey: 'main', message: 'x', idempotencyKey: 'w3' });
    assert.equal((await client.call('agent.wait', { runId: 'w3', timeoutMs: 0 })).status, 'timeout');
  });

  it('ends with the connection', async () => {
    await using gateway = await startTestGateway();
    let aborted: (() => void) | undefined;
    const seen = new Promise<void>((resolve) => (aborted = resolve));
    const waiting = Promise.withResolvers<void>();
    gateway.services.chat.wait = (_runId, _timeoutMs, signal) => {
      signal!.addEventListener('abort', () => aborted!());
      waiting.resolve();
      return new Promise(() => undefined);
    };
    const client = await gateway.client();
    client.request('agent.wait', { runId: 'w' }).catch(() => undefined);
    await waiting.promise;
    client.socket.terminate();
    await seen;
  });
});

describe('catalogue', () => {
  it('lists agents, faces and models', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const { defaultId, mainKey, scope, agents } = await client.call('agents.list');
    assert.deepEqual([defaultId, mainKey, scope, agents.length], ['main', 'main', 'per-sender', 2]);
    assert.deepEqual(await client.call('agent.identity.get', {}), { agentId: 'main', name: 'Clawd', emoji: '🦞' });
    assert.equal((await client.call('agent.identity.get', { sessionKey: 'agent:work:main' })).agentId, 'work');
    assert.equal((await client.call('models.list')).models[0].id, 'echo');
  });
});
