// After the handshake: sequence numbers, ticks, slow readers, broken frames, rate limits, and closing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { noUsage } from '../../core/transcript.ts';
import { createDeviceIdentity } from '../devices/identity.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startDeviceGateway } from '../../features/devices/harness.ts';
import { deviceParams, TOKEN } from '../../testing/ws-gateway.ts';
import { closeReason } from './connection.ts';

const run = { runId: 'r', sessionKey: 'agent:main:main', agentId: 'main', origin: 'message' } as const;

describe('hello', () => {
  it('tells what one needs to begin', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    const { payload } = await client.connect();
    assert.deepEqual([payload.type, payload.protocol, payload.server.version], ['hello-ok', 4, '0.0.0-test']);
    assert.deepEqual(payload.auth, { role: 'operator', scopes: ['operator.admin'] });
    assert.deepEqual(payload.policy, {
      maxPayload: 26_214_400,
      maxBufferedBytes: 52_428_800,
      tickIntervalMs: 15_000,
      attachments: { maxBytes: 18_000_000, maxImageBytes: 18_000_000 },
    });
    assert.deepEqual(payload.snapshot.sessionDefaults, {
      defaultAgentId: 'main',
      mainKey: 'main',
      mainSessionKey: 'agent:main:main',
      scope: 'per-sender',
    });
    assert.equal(payload.snapshot.stateDir, gateway.stateDir);
    assert.equal(payload.snapshot.health.ok, true);
    assert.ok(payload.snapshot.presence.length >= 2);
    for (const event of ['chat', 'agent', 'tick', 'presence', 'shutdown', 'device.pair.requested'])
      assert.ok(payload.features.events.includes(event), event);
    assert.equal(JSON.stringify(payload).includes(TOKEN), false);
  });

  it('who may not read learns nothing about this machine', async () => {
    await using gateway = await startDeviceGateway();
    const { payload } = await (await gateway.open()).connect({ scopes: ['operator.pairing'] });
    assert.deepEqual(
      [payload.snapshot.presence, payload.snapshot.health, payload.snapshot.stateDir, payload.snapshot.configPath],
      [[], {}, undefined, undefined],
    );
  });

  it('a session kept global says so', async () => {
    await using gateway = await startDeviceGateway();
    gateway.services.agents.mainSessionKey = () => 'global';
    const { payload } = await (await gateway.open()).connect();
    assert.deepEqual(payload.snapshot.sessionDefaults, {
      defaultAgentId: 'main',
      mainKey: 'main',
      mainSessionKey: 'global',
      scope: 'global',
    });
  });
});

describe('sequence and tick', () => {
  it('counts per connection, without holes, whatever a connection may not hear', async () => {
    const clock = createFakeClock();
    await using gateway = await startDeviceGateway({ clock });
    const admin = await gateway.client();
    const clerk = await gateway.client({ scopes: ['operator.pairing'] });
    gateway.services.chat.emit(run, { type: 'ended', outcome: { kind: 'done', text: 'x', usage: noUsage } });
    await clock.advance(15_000);
    await clock.advance(15_000);
    for (const client of [admin, clerk]) {
      await client.frame((frame) => frame.event === 'tick' && frame.payload.ts === clock.now());
      const seqs = client.frames.flatMap((frame) => (frame.seq === undefined ? [] : [frame.seq]));
      assert.deepEqual(
        seqs,
        seqs.map((_, i) => i + 1),
      );
    }
    assert.equal(clerk.frames.filter((frame) => frame.event === 'tick').length, 2);
  });
});

describe('a slow reader', () => {
  it('misses updates and ticks, and is cut off when an end comes that it must not miss', async () => {
    const clock = createFakeClock();
    await using gateway = await startDeviceGateway({ clock, limits: { maxBufferedBytes: 100_000 } });
    const reader = await gateway.client();
    reader.socket.pause();
    let reported = 0;
    const notify = (): void => {
      for (const end = reported + 4; reported < end; reported++)
        gateway.services.chat.emit({ ...run, runId: `d${reported}` }, { type: 'text', delta: 'x'.repeat(1_000_000) });
    };
    // Far more than the system holds for a socket, however much of it that takes later.
    for (let round = 0; round < 10; round++) {
      notify();
      await setImmediate();
    }
    await clock.advance(15_000);
    notify();
    assert.equal(gateway.ws.connections().length, 1, 'nothing it must have was lost yet');
    gateway.services.chat.emit(
      { ...run, runId: 'd0' },
      { type: 'ended', outcome: { kind: 'done', text: 'end', usage: noUsage } },
    );
    reader.socket.resume();
    assert.deepEqual(await reader.closed, { code: 1008, reason: 'slow consumer' });
    assert.equal(
      reader.frames.some((frame) => frame.event === 'tick'),
      false,
    );
    assert.ok(reader.frames.filter((frame) => frame.event === 'chat').length < reported, 'some updates were dropped');
  });

  it('another reader is not disturbed', async () => {
    // However long it takes to read what was sent before, the close frame is waited for.
    const clock = createFakeClock();
    await using gateway = await startDeviceGateway({ clock, limits: { maxBufferedBytes: 1_000_000 } });
    const slow = await gateway.client();
    const quick = await gateway.client();
    slow.socket.pause();
    for (let i = 0; i < 12; i += 1) {
      gateway.services.chat.emit({ ...run, runId: `n${i}` }, { type: 'notice', text: 'y'.repeat(1_000_000) });
      await quick.event('agent', (payload) => payload.runId === `n${i}`);
    }
    assert.equal((await quick.call('health')).ok, true);
    slow.socket.resume();
    assert.equal((await slow.closed).code, 1008);
  });
});

describe('broken frames after hello', () => {
  const broken: [string, string, string, RegExp][] = [
    ['not JSON', '{nope', 'invalid', /not JSON/],
    ['an array', '[1]', 'invalid', /not an object/],
    ['no method', '{"type":"req","id":"x"}', 'x', /method must be a string/],
    ['an answer instead of a request', '{"type":"res","id":"x","ok":true}', 'x', /type must be "req"/],
    ['an extra property', '{"type":"req","id":"x","method":"health","extra":1}', 'x', /unknown property "extra"/],
    ['an endless id', `{"type":"req","id":"${'i'.repeat(300)}","method":"health"}`, 'invalid', /id must be a string/],
    ['a second connect', '{"type":"req","id":"x","method":"connect","params":{}}', 'x', /only valid as the first/],
    ['an unknown method', '{"type":"req","id":"x","method":"nope"}', 'x', /unknown method: nope/],
    [
      'parameters that are no object',
      '{"type":"req","id":"x","method":"health","params":[1]}',
      'x',
      /invalid health params/,
    ],
  ];
  for (const [name, text, id, message] of broken) {
    it(`${name} is answered, and the connection stays open`, async () => {
      await using gateway = await startDeviceGateway();
      const client = await gateway.client();
      client.sendText(text);
      const answer = await client.frame((frame) => frame.type === 'res' && frame.id === id && !frame.ok);
      assert.equal(answer.error.code, 'INVALID_REQUEST');
      assert.match(answer.error.message, message);
      assert.equal((await client.call('health')).ok, true);
    });
  }

  it('invalid UTF-8, binary frames and oversized frames close this socket only', async () => {
    await using gateway = await startDeviceGateway({ limits: { maxPayload: 100_000 } });
    for (const [payload, binary, code] of [
      [Buffer.from([0x7b, 0xff, 0xfe]), false, 1007],
      [Buffer.from('{}'), true, 1003],
      [Buffer.alloc(100_001, 0x20), false, 1009],
    ] as const) {
      const client = await gateway.client();
      client.sendText(payload, { binary });
      assert.equal((await client.closed).code, code);
    }
    assert.ok(await gateway.client());
  });
});

describe('too many at once', () => {
  it('says so and keeps the rest', async () => {
    await using gateway = await startDeviceGateway({ limits: { maxRequestsInFlight: 2 } });
    gateway.services.chat.play(() => new Promise(() => undefined));
    const client = await gateway.client();
    await client.call('chat.send', { sessionKey: 'main', message: 'x', idempotencyKey: 'w' });
    for (let i = 0; i < 2; i += 1)
      client.request('agent.wait', { runId: 'w', timeoutMs: 60_000 }).catch(() => undefined);
    const refused = await client.request('health');
    assert.deepEqual(
      [refused.error.code, refused.error.retryable, refused.error.retryAfterMs],
      ['UNAVAILABLE', true, 1000],
    );
  });
});

describe('going away', () => {
  it('says why, closes with 1012, and answers nobody afterwards', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.client();
    const silent = await gateway.open();
    gateway.ws.announceShutdown({ reason: 'restart', restartExpectedMs: 1500 });
    await gateway.ws.closeAll(1012, 'service restart');
    assert.deepEqual((await client.event('shutdown')).payload, { reason: 'restart', restartExpectedMs: 1500 });
    for (const one of [client, silent]) assert.deepEqual(await one.closed, { code: 1012, reason: 'service restart' });
    assert.deepEqual(gateway.ws.connections(), []);
  });

  it('does not wait for a peer that never answers the close', async () => {
    const clock = createFakeClock();
    await using gateway = await startDeviceGateway({ clock });
    const client = await gateway.client();
    client.socket.pause();
    const closing = gateway.ws.closeAll(1012, 'service restart');
    await clock.advance(2000);
    await closing;
  });

  it('does nothing more for a client whose rights were just taken away', async () => {
    await using gateway = await startDeviceGateway();
    const identity = createDeviceIdentity();
    const thief = await gateway.open();
    await thief.request('connect', await deviceParams(thief, {}, { identity }));
    const operator = await gateway.client();
    thief.socket.pause(); // it neither sees nor answers the close
    await operator.call('device.token.revoke', { deviceId: identity.deviceId, role: 'operator' });
    const before = gateway.services.chat.requests.length;
    thief
      .request('chat.send', { sessionKey: 'main', message: 'still here', idempotencyKey: 'late' })
      .catch(() => undefined);
    await operator.call('chat.send', { sessionKey: 'main', message: 'mine', idempotencyKey: 'mine' });
    thief.socket.resume();
    await thief.closed;
    assert.deepEqual(
      gateway.services.chat.requests.slice(before).map(({ runId }) => runId),
      ['mine'],
    );
  });

  it('cuts a long reason where a character ends', () => {
    const reason = closeReason('ü'.repeat(100));
    assert.equal(Buffer.byteLength(reason), 120);
    assert.equal(closeReason(`a${'ü'.repeat(100)}`).includes('\uFFFD'), false);
  });
});
