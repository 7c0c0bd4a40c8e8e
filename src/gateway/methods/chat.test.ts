// Sending, repeating, stopping, history and injected messages.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { noUsage } from '../../core/transcript.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const OWN_RUNS = [
  'cron:4711:1000',
  'exchange:00000000000000000000000000000000:0',
  'heartbeat:main:1',
  'hook:wake:x',
  'wake:x',
  'process:p:1',
  `hook-${'0'.repeat(32)}`,
];
const send = (patch: Record<string, unknown> = {}) => ({
  sessionKey: 'main',
  message: 'hello',
  idempotencyKey: 'k1',
  ...patch,
});

describe('chat.send', () => {
  it('is started once: the same key is in flight, then ok', async () => {
    await using gateway = await startTestGateway();
    const finish = Promise.withResolvers<void>();
    gateway.services.chat.play(async () => {
      await finish.promise;
      return { kind: 'done', text: 'slow', usage: noUsage };
    });
    const client = await gateway.client();
    assert.equal((await client.call('chat.send', send())).status, 'started');
    assert.equal((await client.call('chat.send', send())).status, 'in_flight');
    const other = await gateway.client();
    assert.equal((await other.call('chat.send', send())).status, 'in_flight', 'also from another connection');
    finish.resolve();
    await client.event('chat', ({ state }) => state === 'final');
    assert.equal((await client.call('chat.send', send())).status, 'ok');
    assert.equal(gateway.services.chat.requests.length, 1);
  });

  it('repeats a failure too', async () => {
    await using gateway = await startTestGateway();
    gateway.services.chat.play(() => ({
      kind: 'failed',
      code: 'timeout',
      message: 'the model did not answer',
      usage: noUsage,
    }));
    const client = await gateway.client();
    await client.call('chat.send', send());
    const { payload } = await client.event('chat', ({ state }) => state === 'error');
    assert.deepEqual([payload.errorMessage, payload.errorKind], ['the model did not answer', 'timeout']);
    const again = await client.request('chat.send', send());
    assert.deepEqual([again.ok, again.error.code], [false, 'UNAVAILABLE']);
  });

  it('takes no id that a run of the gateway’s own goes by', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    for (const idempotencyKey of OWN_RUNS)
      for (const [method, params] of [
        ['chat.send', send({ idempotencyKey })],
        ['agent', { message: 'x', idempotencyKey }],
        ['send', { to: 'x', message: 'x', idempotencyKey }],
      ] as const)
        assert.match((await client.request(method, params)).error.message, /own runs/, `${method} ${idempotencyKey}`);
    assert.equal(gateway.services.chat.requests.length, 0);
    for (const idempotencyKey of ['cronjob', 'my-cron:1', 'hook-1'])
      assert.equal((await client.call('chat.send', send({ idempotencyKey }))).status, 'started');
  });

  it('keeps the order in which messages arrived', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.call('chat.send', send({ message: `m${i}`, idempotencyKey: `o${i}` })),
      ),
    );
    assert.deepEqual(
      gateway.services.chat.requests.map((request) => request.text),
      Array.from({ length: 20 }, (_, i) => `m${i}`),
    );
  });

  it('accepts files: pictures by their bytes, others by the declared type', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const ack = await client.call(
      'chat.send',
      send({
        message: '',
        attachments: [
          { mimeType: 'image/png', fileName: 'dot.png', content: `data:image/png;base64,${PNG}` },
          { mimeType: 'image/png', fileName: 'notes.png', content: 'aGVsbG8=' },
          { mimeType: 'Audio/OGG; codecs=opus', content: 'aGVsbG8=' },
          { mimeType: '../x', content: '' },
        ],
      }),
    );
    assert.equal(ack.status, 'started');
    assert.deepEqual(
      gateway.services.chat.requests[0]?.attachments?.map(({ mime, name, data }) => [mime, name, data.length]),
      [
        ['image/png', 'dot.png', 70],
        ['application/octet-stream', 'notes.png', 5],
        ['audio/ogg', undefined, 5],
        ['application/octet-stream', undefined, 0],
      ],
    );
  });

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['nothing to say', { message: '  ' }, /needs a message/],
    ['base64 that is none', { attachments: [{ content: '***' }] }, /not valid base64/],
    ['a file without content', { attachments: [{ fileName: 'a.png' }] }, /a\.png: content must be base64/],
    ['too much', { attachments: [{ content: Buffer.alloc(18_000_001).toString('base64') }] }, /over 18000000 bytes/],
    ['an unknown thinking level', { thinking: 'galactic' }, /thinking: unknown level/],
    ['an unknown agent', { agentId: 'ghost' }, /unknown agent id "ghost"/],
    ["another agent's session", { agentId: 'work', sessionKey: 'agent:main:main' }, /does not match session key/],
    ['an unknown parameter', { colour: 'red' }, /unknown property "colour"/],
    ['a message of the wrong type', { message: 7 }, /message: expected string/],
  ];
  for (const [name, patch, message] of bad) {
    it(`refuses ${name}`, async () => {
      await using gateway = await startTestGateway();
      const client = await gateway.client();
      const { ok, error } = await client.request('chat.send', send(patch));
      assert.deepEqual([ok, error?.code], [false, 'INVALID_REQUEST']);
      assert.match(error.message, message);
      assert.equal(gateway.services.chat.requests.length, 0);
    });
  }

  it('says when a message could not be kept', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    gateway.services.chat.failNext(new AppError('storage', 'the disk is full; nothing was accepted'));
    const { error } = await client.request('chat.send', send());
    assert.deepEqual([error.code, error.retryable, error.details.reason], ['UNAVAILABLE', false, 'storage']);
    gateway.services.chat.failNext(new TypeError('secret inside'));
    const fault = await client.request('chat.send', send());
    assert.equal(fault.error.code, 'UNAVAILABLE');
    assert.doesNotMatch(fault.error.message, /secret/);
  });

  it('a bare stop word stops what runs; with nothing running it is a message', async () => {
    await using gateway = await startTestGateway();
    gateway.services.chat.play(async ({ signal, emit }) => {
      emit({ type: 'text', delta: 'half of it' });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { kind: 'aborted', text: 'half of it', usage: noUsage };
    });
    const client = await gateway.client();
    await client.call('chat.send', send());
    await client.event('chat', ({ state }) => state === 'delta');
    assert.deepEqual(await client.call('chat.send', send({ message: ' Stop ', idempotencyKey: 'k2' })), {
      ok: true,
      aborted: true,
      runIds: ['k1'],
    });
    const { payload } = await client.event('chat', ({ state }) => state === 'aborted');
    assert.equal(payload.message.content[0].text, 'half of it', 'what was said is kept');
    assert.equal((await client.call('chat.send', send({ message: 'wait', idempotencyKey: 'k3' }))).status, 'started');
  });
});

describe('chat.abort', () => {
  it('stops one run, not one of another session, and minds nobody who is not there', async () => {
    await using gateway = await startTestGateway();
    gateway.services.chat.play(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { kind: 'aborted', text: '', usage: noUsage };
    });
    const client = await gateway.client();
    await client.call('chat.send', send());
    assert.equal(
      (await client.request('chat.abort', { sessionKey: 'other', runId: 'k1' })).error.code,
      'INVALID_REQUEST',
    );
    assert.deepEqual(await client.call('chat.abort', { sessionKey: 'main', runId: 'nobody' }), {
      ok: true,
      aborted: false,
      runIds: [],
    });
    assert.deepEqual(await client.call('chat.abort', { sessionKey: 'main' }), {
      ok: true,
      aborted: true,
      runIds: ['k1'],
    });
  });
});

describe('chat.history', () => {
  it('shows the newest messages with who wrote them, and the run under way', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    for (const id of ['a', 'b', 'c']) {
      await client.call('chat.send', send({ message: id, idempotencyKey: id }));
      await client.event('chat', ({ state, runId }) => state === 'final' && runId === id);
    }
    const history = await client.call('chat.history', { sessionKey: 'main', limit: 2 });
    assert.deepEqual(
      history.messages.map((message: any) => message.content[0].text),
      ['c', 'echo: c'],
    );
    assert.deepEqual(history.messages[0].__openclaw, { id: 'm4', runId: 'c', idempotencyKey: 'c' });
    assert.equal(history.sessionKey, 'agent:main:main');
    const earlier = await client.call('chat.history', { sessionKey: 'main', limit: 2, offset: 2, maxChars: 3 });
    assert.deepEqual(
      earlier.messages.map((message: any) => message.content[0].text),
      ['b', 'ech…'],
    );

    gateway.services.chat.play(({ emit }) => {
      emit({ type: 'text', delta: 'so far' });
      return new Promise(() => undefined);
    });
    await client.call('chat.send', send({ idempotencyKey: 'd' }));
    await client.event('chat', ({ runId }) => runId === 'd');
    assert.deepEqual((await client.call('chat.history', { sessionKey: 'main' })).inFlightRun, {
      runId: 'd',
      text: 'so far',
    });
  });

  it('fits into one answer by leaving out the oldest', async () => {
    await using gateway = await startTestGateway({ limits: { maxHistoryBytes: 600 } });
    gateway.services.chat.transcripts.set(
      'agent:main:main',
      Array.from({ length: 10 }, (_, i) => ({
        role: 'user',
        content: [{ type: 'text', text: `${i}${'x'.repeat(100)}` }],
        timestamp: 1,
      })),
    );
    const client = await gateway.client();
    const { messages } = await client.call('chat.history', { sessionKey: 'main' });
    assert.ok(messages.length > 0 && messages.length < 10);
    assert.match(messages.at(-1).content[0].text, /^9/);
  });
});

describe('chat.inject and chat.timeline', () => {
  it('appends a note to a session that exists', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const missing = await client.request('chat.inject', { sessionKey: 'main', message: 'note' });
    assert.deepEqual([missing.error.code, missing.error.details.reason], ['INVALID_REQUEST', 'not_found']);
    await client.call('chat.send', send());
    const { messageId } = await client.call('chat.inject', { sessionKey: 'main', message: 'note', label: 'cron' });
    const { payload } = await client.event('chat', ({ runId }) => runId === `inject-${messageId}`);
    assert.equal(payload.message.content[0].text, '[cron]\n\nnote');
  });

  it('tells what happened to a message', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    await client.call('chat.send', send());
    assert.deepEqual(
      (await client.call('chat.timeline', { runId: 'k1' })).entries.map((entry: any) => entry.stage),
      ['accepted', 'ended'],
    );
  });
});
