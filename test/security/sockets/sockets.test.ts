// Silent sockets are closed for new ones: clients with the token always get in, and authenticated ones are never
// closed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { connectGateway } from '../../../src/gateway/client.ts';
import { TEST_TOKEN } from '../../../src/testing/http-gateway.ts';
import { startOpenAi as startHttpGateway } from '../../../src/features/openai/harness.ts';
import { startGateway } from '../../../src/testing/running-gateway.ts';

/** What one address may hold unproved: on loopback, where every reverse proxy is. */
const CONNECTIONS = 512;
const HANDSHAKES = 256;
const MORE = 8;
const TOKEN = 'test-token-of-sufficient-length';
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

const upgrade =
  (after: Buffer = Buffer.alloc(0)) =>
  (port: number): Buffer =>
    Buffer.concat([
      Buffer.from(
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`,
      ),
      after,
    ]);
const said = (words: string) => (): Buffer => Buffer.from(words);

interface Hold {
  readonly first: (port: number) => Buffer;
  readonly max: number /** How much of an answer it waits for, so that the gateway has read it. */;
  readonly answered?: RegExp;
}
const HOLDS: Readonly<Record<string, Hold>> = {
  'nothing at all': { first: said(''), max: CONNECTIONS },
  'an empty line': { first: said('\r\n'), max: CONNECTIONS },
  'half a request line': { first: said('GET /heal'), max: CONNECTIONS },
  'a head without end': { first: said('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '), max: CONNECTIONS },
  'a head without end, of a POST': {
    first: said('POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n'),
    max: CONNECTIONS,
  },
  'a body without end, without the token': {
    first: said('POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\n{'),
    max: CONNECTIONS,
  },
  'a chunk without end, without the token': {
    first: said('POST /tools/invoke HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'),
    max: CONNECTIONS,
  },
  'a question anybody may ask, and then nothing': {
    first: said('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    max: CONNECTIONS,
    answered: /"live"/,
  },
  'a refused question, and then nothing': {
    first: said('GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\r\n'),
    max: CONNECTIONS,
    answered: /^HTTP\/1\.1 401/,
  },
  'a WebSocket that never says connect': { first: upgrade(), max: HANDSHAKES, answered: /connect\.challenge/ },
  'a WebSocket with half a frame': {
    first: upgrade(Buffer.from([0x81, 0xfe])),
    max: HANDSHAKES,
    answered: /connect\.challenge/,
  },
  'a WebSocket that only pings': {
    first: upgrade(Buffer.from([0x89, 0x80, 1, 2, 3, 4])),
    max: HANDSHAKES,
    answered: /connect\.challenge/,
  },
};

interface Held {
  readonly sockets: readonly Socket[];
  open(): number;
}

/** Opens more than there may be, one after the other; resolves once so many were closed as had to be. */
async function hold(port: number, { first, max, answered }: Hold): Promise<Held> {
  const sockets: Socket[] = [];
  const enough = Promise.withResolvers<void>();
  const state = { closed: 0 };
  for (let count = 0; count < max + MORE; count++) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    socket
      .on('error', () => undefined)
      .once('close', () => {
        state.closed += 1;
        if (state.closed >= MORE) enough.resolve();
      });
    await once(socket, 'connect').catch(() => undefined);
    const read =
      answered &&
      new Promise<void>((resolve) => {
        const chunks: Buffer[] = [];
        socket
          .once('close', () => resolve())
          .on('data', (chunk) => {
            chunks.push(chunk);
            if (answered.test(Buffer.concat(chunks).toString('latin1'))) resolve();
          });
      });
    socket.resume().write(first(port));
    await read;
  }
  await enough.promise;
  return { sockets, open: () => sockets.length - state.closed };
}

test('whoever has the token gets in, whatever is held', async (t) => {
  await using gateway = await startGateway({
    config: { gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } } },
  });
  const { port } = gateway.instance;
  const early = await gateway.connect();
  const proved = connect(port, '127.0.0.1');
  const ask = async (): Promise<string> => {
    proved.write(`GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
    const [answer] = await once(proved, 'data', { signal: AbortSignal.timeout(60_000) });
    return String(answer).slice(0, 12);
  };
  assert.equal(await ask(), 'HTTP/1.1 200');

  const lost: string[] = [];
  for (const [name, kind] of Object.entries(HOLDS)) {
    const held = await hold(port, kind);
    const over = held.open() > kind.max;
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      'a new WebSocket client': async () => {
        await using late = await connectGateway({ url: `ws://127.0.0.1:${port}`, token: TOKEN });
        await late.call('health');
      },
      'a new HTTP client': async () => {
        const answer = await text(
          connect({ port, host: '127.0.0.1' })
            .setEncoding('utf8')
            .on('error', () => undefined)
            .end(
              `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
            ),
        );
        assert.match(answer, /^HTTP\/1\.1 200/);
      },
      'the client that was there': () => early.call('health'),
      'the HTTP connection that was there': async () => assert.equal(await ask(), 'HTTP/1.1 200'),
      'the newest of those held': async () => assert.ok(!held.sockets.at(-1)!.destroyed),
      'no more than may be': async () => assert.ok(!over),
    };
    for (const [who, attempt] of Object.entries(attempts)) await attempt().catch(() => lost.push(`${name}: ${who}`));
    await Promise.all(
      held.sockets.map((socket) =>
        socket.destroyed ? undefined : new Promise((resolve) => socket.once('close', resolve).destroy()),
      ),
    );
  }
  const all = Object.keys(HOLDS).length * 6;
  t.diagnostic(`sockets: ${all - lost.length}/${all} hold under ${Object.keys(HOLDS).length} ways to hold the line`);
  proved.destroy();
  assert.deepEqual(lost, []);
});

test('who is closed and comes back at once keeps nobody out', async (t) => {
  await using gateway = await startGateway({ config: {} });
  const { port } = gateway.instance;
  const state = { over: false, came: 0 };
  const stormy = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const come = (first: Buffer): void => {
    if (state.over) return;
    state.came += 1;
    if (state.came === 2 * CONNECTIONS) stormy.resolve();
    const socket = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    sockets.add(socket);
    socket
      .once('connect', () => socket.write(first))
      .once('close', () => {
        sockets.delete(socket);
        come(first);
      });
  };
  for (let count = 0; count < CONNECTIONS + 2 * MORE; count++)
    come(count % 2 === 0 ? Buffer.alloc(0) : upgrade()(port));
  await stormy.promise;
  const asked = 20;
  const results = await Promise.all(
    Array.from({ length: asked }, async () => {
      await using client = await connectGateway({ url: `ws://127.0.0.1:${port}`, token: TOKEN });
      await client.call('health');
    }).map((one) =>
      one.then(
        () => true,
        () => false,
      ),
    ),
  );
  state.over = true;
  for (const socket of sockets) socket.destroy();
  t.diagnostic(`sockets: ${results.filter(Boolean).length}/${asked} got in while ${state.came} came`);
  assert.ok(results.every(Boolean));
});

test('what is answered to somebody who proved it is never cut, and of the others the oldest go, one for each that comes', async () => {
  await using gateway = await startHttpGateway({ limits: { connections: { perAddress: 4, perProxy: 4, total: 6 } } });
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  gateway.services.chat.play(async () => {
    started.resolve();
    await finish.promise;
    return { kind: 'done', text: 'late', usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
  });
  const stream = connect(gateway.port, '127.0.0.1');
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'x' }], stream: true });
  stream.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const answer = text(stream.setEncoding('utf8'));
  await started.promise;
  const held: Socket[] = [];
  for (let count = 0; count < 40; count++) {
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    held.push(socket);
    await once(socket, 'connect');
    if (count >= 4)
      await (held[count - 4]!.destroyed || held[count - 4]!.closed
        ? undefined
        : new Promise((resolve) => held[count - 4]!.once('close', resolve).resume()));
  }
  assert.deepEqual(held.map((socket) => socket.closed).lastIndexOf(true), 35, 'the oldest go, one for each that comes');
  finish.resolve();
  assert.match(await answer, /late[\s\S]*\[DONE\]/);
  for (const socket of held) socket.destroy();
});
