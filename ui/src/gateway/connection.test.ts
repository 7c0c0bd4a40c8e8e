/** The connection: handshake, refusals, reconnecting, and lost events. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Connection, type ConnectionState, type Socket } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { EventFrame } from './wire.ts';

class FakeSocket implements Socket {
  readonly sent: { id: string; method: string; params: Record<string, unknown> }[] = [];
  closed = false;
  readyState = 1;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(code = 1000): void {
    this.closed = true;
    this.onclose?.({ code, reason: '' });
  }
  receive(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const HELLO = {
  server: { version: '1', connId: 'c' },
  features: { methods: [], events: [] },
  snapshot: { presence: [], health: {}, uptimeMs: 1 },
  policy: { maxPayload: 1, tickIntervalMs: 1000 },
};

function harness(t: TestContext, tokens: { shared?: string; device?: string } = {}) {
  const { timers } = t.mock;
  timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const sockets: FakeSocket[] = [];
  const states: ConnectionState[] = [];
  const events: EventFrame[] = [];
  const fixture = { now: 0, gaps: 0 };
  const credentials: Credentials = {
    sharedToken: () => tokens.shared,
    setSharedToken: () => {},
    deviceToken: () => tokens.device,
    setDeviceToken: (token) => {
      if (token === undefined) delete tokens.device;
      else tokens.device = token;
    },
  };
  const identity = { id: 'd'.repeat(64), publicKey: 'pk', sign: async (text: string) => `signed:${text}` };
  const connection = new Connection({
    url: 'ws://x',
    credentials,
    identity: async () => identity,
    now: () => fixture.now,
    random: () => 0.5,
    openSocket: () => {
      sockets.push(new FakeSocket());
      return sockets.at(-1)!;
    },
    onState: (state) => states.push(state),
    onEvent: (event) => events.push(event),
    onGap: () => fixture.gaps++,
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const answer = async (body: object): Promise<FakeSocket> => {
    const socket = sockets.at(-1)!;
    socket.receive({ type: 'event', event: 'connect.challenge', payload: { nonce: 'n1', ts: 77 } });
    await settled();
    socket.receive({ type: 'res', id: socket.sent[0]!.id, ...body });
    await settled();
    return socket;
  };
  return { connection, sockets, states, events, fixture, answer, settled, tokens, phase: () => connection.state.phase };
}

const refusal = (code: string, error = 'INVALID_REQUEST'): object => ({
  ok: false,
  error: { code: error, message: code, details: { code } },
});

test('the challenge is answered with a proof over nonce, time, scopes and token', async (t) => {
  const { connection, answer, phase } = harness(t, { shared: 'secret' });
  connection.start();
  const socket = await answer({ ok: true, payload: HELLO });
  assert.equal(phase(), 'connected');
  const { params, method } = socket.sent[0]!;
  assert.equal(method, 'connect');
  assert.deepEqual(params['auth'], { token: 'secret' });
  const device = params['device'] as { signature: string; signedAt: number; nonce: string };
  assert.equal(device.signedAt, 77);
  assert.match(
    device.signature,
    /^signed:v3\|d{64}\|openclaw-control-ui\|ui\|operator\|operator\.admin,[^|]+\|77\|secret\|n1\|web\|$/,
  );
});

test('without a token the page asks for one and does not hammer the gateway', async (t) => {
  const { connection, answer, sockets } = harness(t);
  connection.start();
  await answer(refusal('AUTH_TOKEN_MISSING'));
  assert.deepEqual(connection.state.phase === 'blocked' && connection.state.failure, {
    kind: 'credentials',
    reason: 'missing',
    message: 'AUTH_TOKEN_MISSING',
  });
  t.mock.timers.tick(120_000);
  assert.equal(sockets.length, 1);
});

test('a device token the gateway no longer knows is forgotten', async (t) => {
  const { connection, answer, tokens } = harness(t, { device: 'old' });
  connection.start();
  const socket = await answer(refusal('AUTH_DEVICE_TOKEN_MISMATCH'));
  assert.deepEqual(socket.sent[0]!.params['auth'], { token: 'old', deviceToken: 'old' });
  assert.equal(tokens.device, undefined);
});

test('a device token handed out is kept', async (t) => {
  const { connection, answer, tokens } = harness(t, { shared: 's' });
  connection.start();
  await answer({ ok: true, payload: { ...HELLO, auth: { deviceToken: 'fresh' } } });
  assert.equal(tokens.device, 'fresh');
});

test('pairing names the request to approve', async (t) => {
  const { connection, answer } = harness(t, { shared: 's' });
  connection.start();
  await answer({
    ok: false,
    error: {
      code: 'NOT_PAIRED',
      message: 'pairing required',
      details: { code: 'PAIRING_REQUIRED', requestId: 'req-7' },
    },
  });
  assert.deepEqual(connection.state.phase === 'blocked' && connection.state.failure, {
    kind: 'pairing',
    requestId: 'req-7',
    message: 'pairing required',
  });
});

test('a lost line rejects what waits and comes back with growing timeout', async (t) => {
  const { connection, answer, sockets, states } = harness(t, { shared: 's' });
  connection.start();
  const socket = await answer({ ok: true, payload: HELLO });
  const waiting = connection.request('status');
  socket.onclose?.({ code: 1006, reason: '' });
  await assert.rejects(waiting, { code: 'DISCONNECTED' });
  const delays: number[] = [];
  for (let n = 0; n < 4; n++) {
    const state = states.at(-1)!;
    assert.ok(state.phase === 'waiting');
    delays.push(state.retryAt);
    t.mock.timers.tick(state.retryAt);
    sockets.at(-1)!.onclose?.({ code: 1006, reason: '' });
  }
  assert.deepEqual(delays, [400, 800, 1600, 3200]);
  await assert.rejects(connection.request('status'), { code: 'DISCONNECTED' });
});

test('a nudge does not wait', async (t) => {
  const { connection, answer, sockets } = harness(t, { shared: 's' });
  connection.start();
  (await answer({ ok: true, payload: HELLO })).onclose?.({ code: 1012, reason: 'service restart' });
  connection.nudge();
  assert.equal(sockets.length, 2);
  t.mock.timers.tick(60_000);
  assert.equal(sockets.length, 2, 'the old timer is gone');
});

test('a gap in the sequence is noticed once, a fresh connection starts counting anew', async (t) => {
  const { connection, answer, fixture, events } = harness(t, { shared: 's' });
  connection.start();
  const socket = await answer({ ok: true, payload: HELLO });
  for (const seq of [5, 6, 9, 10]) socket.receive({ type: 'event', event: 'chat', payload: {}, seq });
  socket.receive({ type: 'event', event: 'tick', payload: {} });
  assert.equal(fixture.gaps, 1);
  assert.equal(events.length, 5);
  connection.start();
  (await answer({ ok: true, payload: HELLO })).receive({ type: 'event', event: 'chat', payload: {}, seq: 1 });
  assert.equal(fixture.gaps, 1);
});

test('a gateway that goes silent is left', async (t) => {
  const { connection, answer, fixture, phase } = harness(t, { shared: 's' });
  connection.start();
  await answer({ ok: true, payload: HELLO });
  fixture.now = 2000;
  t.mock.timers.tick(1000);
  assert.equal(phase(), 'connected');
  fixture.now = 2500;
  t.mock.timers.tick(1000);
  assert.equal(phase(), 'waiting');
});

test('a line that is closing takes nothing any more: who asks is told to wait for the next one', async (t) => {
  const { connection, answer } = harness(t, { shared: 'secret' });
  connection.start();
  const socket = await answer({ ok: true, payload: HELLO });
  socket.readyState = 2;
  await assert.rejects(connection.request('chat.send'), { code: 'DISCONNECTED' });
  assert.equal(socket.sent.length, 1, 'only the handshake went out');
});
