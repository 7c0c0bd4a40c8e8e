/** The whole port: guard, secrets, limits, slow and broken clients, bind rules, drain and close. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { present } from '../core/present.ts';
import { systemClock } from '../platform/clock.ts';
import { createFakeServices } from '../testing/fake-services.ts';
import { noDevices } from '../host/devices.ts';
import { createGatewayWs } from './ws/server.ts';
import { noWs, TEST_TOKEN } from '../testing/http-gateway.ts';
// With a feature that answers at `/v1`: what stands before it is looked at here.
import { startOpenAi as startHttpGateway } from '../features/openai/harness.ts';
import { createGatewayAuth } from './auth.ts';
import { DEFAULT_WIRE_TIMES } from './http/wire.ts';

const hello = { messages: [{ role: 'user', content: 'x' }] };

async function raw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  return text(socket);
}
const get = (path: string, headers: string): string =>
  `GET ${path} HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`;

test('every answer carries the security headers and an id', async () => {
  await using gateway = await startHttpGateway();
  for (const path of ['/healthz', '/nothing', '/v1/models']) {
    const { headers } = await gateway.fetch(path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/);
    assert.match(headers.get('x-request-id')!, /^[0-9a-f]{32}$/);
  }
});

test('Host, Origin and the query are checked on requests and on upgrades', async () => {
  let upgrades = 0;
  await using gateway = await startHttpGateway({
    ws: {
      ...noWs,
      handleUpgrade: (_req, socket) => {
        upgrades++;
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      },
    },
  });
  const local = `host: 127.0.0.1:${gateway.port}`;
  const upgrade = `${local}\r\nupgrade: websocket\r\nconnection: upgrade`;
  const ws = (path: string, headers: string) => raw(gateway.port, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
  assert.match(
    await raw(gateway.port, get('/healthz', 'host: evil.example')),
    /^HTTP\/1\.1 403 .*evil\.example.*is not allowed/s,
  );
  assert.match(
    await raw(gateway.port, get('/healthz', `${local}\r\norigin: http://evil.example`)),
    /^HTTP\/1\.1 403 .*allowedOrigins/s,
  );
  assert.match(await raw(gateway.port, get('/?token=abc', local)), /^HTTP\/1\.1 400 .*#token=/s);
  assert.match(await ws('/', upgrade.replace(local, 'host: evil.example')), /^HTTP\/1\.1 403 /);
  assert.match(await ws('/', `${upgrade}\r\norigin: https://evil.example`), /^HTTP\/1\.1 403 /);
  assert.match(await ws('/?token=x', upgrade), /^HTTP\/1\.1 400 /);
  assert.equal(upgrades, 0);
  assert.match(await ws('/any/path', `${upgrade}\r\norigin: http://127.0.0.1:${gateway.port}`), /^HTTP\/1\.1 101 /);
  assert.equal(upgrades, 1);
});

test('an allowed foreign page gets its preflight answered, another does not', async () => {
  await using gateway = await startHttpGateway({
    gateway: { port: 0, controlUi: { allowedOrigins: ['https://ui.example.com'] } },
  });
  const preflight = (origin: string) =>
    gateway.fetch('/v1/models', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });
  const allowed = await preflight('https://ui.example.com');
  assert.deepEqual(
    [allowed.status, allowed.headers.get('access-control-allow-origin')],
    [204, 'https://ui.example.com'],
  );
  assert.equal((await preflight('https://evil.example')).status, 403);
});

test('the secret is needed, wrong ones are counted per address, this machine is spared', async () => {
  const auth = createGatewayAuth({ mode: 'token', token: TEST_TOKEN, trustedProxies: ['127.0.0.1'] });
  await using gateway = await startHttpGateway({ auth });
  const status = async (token: string | undefined, from?: string) =>
    (
      await gateway.fetch('/v1/models', {
        headers: present({
          authorization: token ? `Bearer ${token}` : undefined,
          'x-forwarded-for': from || undefined,
        }),
      })
    ).status;
  assert.equal(await status(undefined), 401);
  for (let i = 0; i < 12; i++) assert.equal(await status('wrong'), 401);
  assert.equal(await status(TEST_TOKEN), 200);
  for (let i = 0; i < 10; i++) assert.equal(await status('wrong', '203.0.113.7'), 401);
  assert.equal(
    (await gateway.fetch('/readyz', { headers: { 'x-forwarded-for': '203.0.113.7', authorization: 'Bearer guess' } }))
      .status,
    429,
  );
  assert.equal(await status(TEST_TOKEN, '203.0.113.7'), 429);
  assert.equal(await status(TEST_TOKEN, '203.0.113.8'), 200);
  for (let i = 0; i < 10; i++) assert.equal(await status('wrong', `2001:db8:1:2::${i}`), 401);
  assert.equal(await status(TEST_TOKEN, '2001:db8:1:2:ffff::1'), 429);
});

test('a token without the scope may not run turns', async () => {
  const devices = {
    principalOf: (token: string) =>
      token === 'reader' ? ({ kind: 'operator', id: 'd', scopes: ['operator.read'] } as const) : undefined,
  };
  await using gateway = await startHttpGateway({
    auth: createGatewayAuth({ mode: 'token', token: TEST_TOKEN, devices }),
  });
  const headers = { authorization: 'Bearer reader' };
  assert.equal((await gateway.fetch('/v1/models', { headers })).status, 200);
  const refused = await gateway.post('/v1/chat/completions', hello, headers);
  assert.deepEqual([refused.status, ((await refused.json()) as any).error.type], [403, 'permission_error']);
});

test('methods, sizes and encodings outside the rules are refused precisely', async () => {
  await using gateway = await startHttpGateway();
  const put = await gateway.fetch('/v1/chat/completions', { method: 'PUT' });
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'POST']);
  assert.equal((await gateway.fetch('/healthz', { method: 'POST' })).headers.get('allow'), 'GET, HEAD');
  const send = async (body: NonNullable<RequestInit['body']>, type = 'application/json'): Promise<[number, string]> => {
    const response = await gateway.fetch('/v1/responses', {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': type },
      body,
      ...present({ duplex: body instanceof ReadableStream ? 'half' : undefined }),
    } as RequestInit);
    return [response.status, ((await response.json()) as any).error.message];
  };
  const [status, message] = await send(Buffer.from([0x7b, 0x22, 0xff, 0x22]));
  assert.deepEqual([status, /UTF-8 \(near byte 2\)/.test(message)], [400, true]);
  assert.match((await send('{"a": }'))[1], /Unexpected token '\}'/);
  assert.match((await send(''))[1], /no body/);
  assert.match((await send('{}', 'text/plain'))[1], /Content-Type/);
  const huge = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 21; i++) controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      controller.close();
    },
  });
  assert.equal((await send(huge))[0], 413);
});

test('a client that trickles its request is cut off, as is one with a huge head', async () => {
  const times = { ...DEFAULT_WIRE_TIMES, headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };
  await using gateway = await startHttpGateway({ limits: { times } });
  assert.match(await raw(gateway.port, 'GET /healthz HTTP/1.1\r\nx: '), /^HTTP\/1\.1 408 /);
  assert.match(
    await raw(
      gateway.port,
      `POST /v1/responses HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ` +
        `${TEST_TOKEN}\r\ncontent-length: 100\r\n\r\n{`,
    ),
    /^HTTP\/1\.1 408 /,
  );
  assert.match(await raw(gateway.port, `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
  assert.match(await raw(gateway.port, '\u0000\u0001\r\n\r\n'), /^HTTP\/1\.1 400 /);
  assert.equal((await gateway.fetch('/healthz')).status, 200);
});

test('random bytes on the socket never bring it down', async () => {
  const times = { ...DEFAULT_WIRE_TIMES, headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };
  await using gateway = await startHttpGateway({ limits: { times } });
  const head = fc.constantFrom(
    '',
    'GET / HTTP/1.1\r\nhost: localhost\r\n',
    'POST /v1/responses HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n',
    'GET /x HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n',
    'GET http://evil.example/?token=1 HTTP/1.1\r\nhost: localhost\r\n\r\n',
  );
  await fc.assert(
    fc.asyncProperty(head, fc.uint8Array({ maxLength: 300 }), async (start, bytes) => {
      const socket = connect(gateway.port, '127.0.0.1').resume();
      socket.on('error', () => socket.destroy());
      socket.write(start);
      socket.end(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
    }),
    { numRuns: 60 },
  );
  assert.equal((await gateway.fetch('/healthz')).status, 200);
});

test('the real WebSocket side is reached through the guard, and closed with 1012', async () => {
  const auth = createGatewayAuth({ mode: 'token', token: TEST_TOKEN });
  const services = createFakeServices();
  await using ws = createGatewayWs({ services, auth, devices: noDevices });
  const gateway = await startHttpGateway({
    auth,
    ws: { handleUpgrade: ws.handleUpgrade, close: () => ws.closeAll(1012, 'service restart') },
  });
  const refused = new WebSocket(`ws://127.0.0.1:${gateway.port}`, { origin: 'https://evil.example' });
  assert.match(String((await once(refused, 'error'))[0]), /403/);
  const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/anywhere`);
  assert.equal(JSON.parse(String((await once(client, 'message'))[0])).event, 'connect.challenge');
  const [[code]] = await Promise.all([once(client, 'close'), gateway.server.close()]);
  assert.equal(code, 1012);
});

test('of the connections an address holds before it proves who it is, the oldest gives way', async () => {
  await using gateway = await startHttpGateway({ limits: { connections: { perAddress: 1, perProxy: 2, total: 9 } } });
  const open = async (): Promise<Socket> => {
    const socket = connect(gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: Socket): Promise<string> => {
    socket.write(`GET /v1/models HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TEST_TOKEN}\r\n\r\n`);
    return String((await once(socket, 'data'))[0]);
  };
  const [first, second] = [await open(), await open()];
  const firstGone = once(first.resume(), 'close');
  const third = await open();
  await firstGone;
  assert.match(await ask(third), /^HTTP\/1\.1 200 /);
  const secondGone = once(second.resume(), 'close');
  const fourth = await open();
  assert.match(await ask(fourth), /^HTTP\/1\.1 200 /);
  const [fifth, sixth, seventh] = [await open(), await open(), await open()];
  await once(fifth.resume(), 'close');
  assert.match(await ask(third), /^HTTP\/1\.1 200 /, 'who is known stays');
  for (const socket of [second, third, fourth, sixth, seventh]) socket.destroy();
  await secondGone;
});

test('the probes tell live from ready, and keep details for those who may see them', async () => {
  const auth = createGatewayAuth({ mode: 'token', token: TEST_TOKEN });
  await using gateway = await startHttpGateway({ auth });
  const probe = async (path: string, headers = {}): Promise<[number, any]> => {
    const response = await gateway.fetch(path, { headers });
    return [response.status, await response.json()];
  };
  assert.deepEqual(await probe('/healthz'), [200, { ok: true, status: 'live', product: 'clawdbot' }]);
  assert.equal((await gateway.fetch('/healthz', { method: 'HEAD' })).status, 200);
  assert.ok((await probe('/readyz'))[1].details.storage.ok);
  const remote = { 'x-forwarded-for': '203.0.113.7' };
  assert.deepEqual(await probe('/readyz', remote), [200, { ok: true, status: 'ready' }]);
  assert.ok((await probe('/readyz', { ...remote, authorization: `Bearer ${TEST_TOKEN}` }))[1].details);
  gateway.services.setStatus({ phase: 'starting', accepting: false });
  assert.deepEqual(
    [await probe('/readyz', remote), await probe('/startupz', remote)],
    [
      [503, { ok: false, status: 'starting' }],
      [503, { ok: false, status: 'starting' }],
    ],
  );
  gateway.services.setStatus({ phase: 'ready', accepting: true, storage: { ok: false, error: 'full' } });
  assert.deepEqual((await probe('/readyz', remote))[1], { ok: false, status: 'storage' });
  gateway.services.setStatus({ storage: { ok: true } });
  gateway.server.beginDrain();
  assert.deepEqual(await probe('/readyz', remote), [503, { ok: false, status: 'draining' }]);
  assert.equal((await probe('/healthz'))[0], 200);
  assert.equal((await gateway.post('/v1/chat/completions', hello)).status, 503);
});

test('closing lets an answer finish, then nobody listens any more', async () => {
  const gateway = await startHttpGateway();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  gateway.services.chat.play(async () => {
    started.resolve();
    await finish.promise;
    return { kind: 'done', text: 'late', usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
  });
  const answer = gateway.post('/v1/chat/completions', hello);
  await started.promise;
  const closed = gateway.server.close({ deadlineMs: 30_000 });
  finish.resolve();
  assert.equal(((await (await answer).json()) as any).choices[0].message.content, 'late');
  await closed;
  await assert.rejects(gateway.fetch('/healthz'));
});

test('a deadline cuts what does not finish', async () => {
  const gateway = await startHttpGateway();
  const started = Promise.withResolvers<void>();
  gateway.services.chat.play(() => {
    started.resolve();
    return new Promise(() => {});
  });
  const answer = gateway.post('/v1/chat/completions', hello);
  await started.promise;
  await Promise.all([assert.rejects(answer), gateway.server.close({ deadlineMs: 10 })]);
});

test('a taken port says who holds it and what to do', async () => {
  await using other = await startHttpGateway();
  await assert.rejects(startHttpGateway({ gateway: { port: other.port } }), {
    code: 'conflict',
    message: new RegExp(`Port ${other.port} is taken.*another Clawdbot gateway.*gateway\\.port`),
  });
  const stranger = createServer((_req, res) => res.end('hi')).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  await assert.rejects(startHttpGateway({ gateway: { port } }), {
    code: 'conflict',
    message: /another program uses it/,
  });
  stranger.close();
});

test('a bind address others can reach needs a secret, and a bad address never widens', async () => {
  for (const gateway of [
    { port: 0, bind: 'lan' },
    { port: 0, bind: 'custom', customBindHost: '0.0.0.0' },
  ])
    await assert.rejects(startHttpGateway({ gateway, secretConfigured: false }), {
      code: 'invalid',
      message: /without a secret/,
    });
  await assert.rejects(startHttpGateway({ gateway: { port: 0, bind: 'custom', customBindHost: '192.0.2.1' } }), {
    code: 'invalid',
    message: /not an address of this machine/,
  });
  await using custom = await startHttpGateway({
    gateway: { port: 0, bind: 'custom', customBindHost: '127.0.0.1' },
    secretConfigured: false,
  });
  assert.equal((await custom.fetch('/healthz')).status, 200);
});

test('loopback answers over IPv6 on the same port where the machine has it', async (t) => {
  await using gateway = await startHttpGateway({ clock: systemClock });
  const socket = connect(gateway.port, '::1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => 'open'),
    once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code),
  ]);
  socket.destroy();
  if (outcome !== 'open') return t.skip(`no IPv6 loopback here (${outcome})`);
  assert.equal((await fetch(`http://[::1]:${gateway.port}/healthz`)).status, 200);
});
