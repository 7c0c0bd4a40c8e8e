import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { request, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { silentLog, type Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import type { EgressLimits } from './egress-lease.ts';
import { createEgressProxy } from './egress-proxy.ts';
import { until } from '../../../testing/until.ts';
import { http, httpProxy, socksProxy, tcp } from '../fake.ts';
import { createNetGuard, type Resolve } from '../guard/guard.ts';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import { userProxy } from '../route/user-proxy.ts';

const HERE: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const run = promisify(execFile);
const skip = await run('curl', ['--version']).then(
  () => false,
  () => 'curl not installed',
);

interface Harness {
  readonly resolve?: Resolve;
  readonly upstream?: string;
  readonly limits?: EgressLimits;
  readonly log?: Log;
}

async function leased(t: TestContext, { resolve = HERE, upstream, limits, log = silentLog }: Harness = {}) {
  const guard = createNetGuard({ rules: () => ({ allowHosts: [], allowRanges: ['127.0.0.1/32'] }), resolve });
  const proxy = createEgressProxy({
    guard,
    log,
    upstream: userProxy({ configured: upstream, vars: {} }),
    ...present({ limits }),
  });
  t.after(() => proxy.close());
  return { proxy, guard, lease: await proxy.lease() };
}

const through = (env: Readonly<Record<string, string>>) => {
  const { hostname: host, port, username, password } = new URL(env['HTTP_PROXY']!);
  return {
    host,
    port: Number(port),
    headers: { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  };
};

/** Status and body of a plain request through the proxy. */
async function get(
  env: Readonly<Record<string, string>>,
  url: string,
  { method = 'GET', headers = {}, body = '' } = {},
) {
  const to = through(env);
  const asked = request({ ...to, path: url, method, headers: { ...to.headers, ...headers }, agent: false }).end(body);
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.once('response', resolve).once('error', reject),
  );
  return { status: answer.statusCode, body: (await answer.toArray()).join(''), headers: answer.headers };
}

async function openTunnel(env: Readonly<Record<string, string>>, authority: string) {
  const asked = request({ ...through(env), path: authority, method: 'CONNECT', agent: false }).end();
  return new Promise<{ status: number | undefined; socket: Socket }>((resolve, reject) =>
    asked.once('error', reject).once('connect', ({ statusCode }, socket: Socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve({ status: statusCode, socket });
    }),
  );
}

/** What a real command prints; it has nothing but the lease's environment. */
async function command(env: Readonly<Record<string, string>>, url: string): Promise<string> {
  return (await run('curl', ['-sSL', '--max-time', '10', url], { env: { PATH: process.env['PATH'] ?? '', ...env } }))
    .stdout;
}

const echo: RequestListener = async (incoming, response) =>
  void response.end(
    JSON.stringify({
      method: incoming.method,
      url: incoming.url,
      headers: incoming.headers,
      body: (await incoming.toArray()).join(''),
    }),
  );

test('a command that follows a redirect to 169.254.169.254 is refused there, and the lease says so', {
  skip,
}, async (t) => {
  const { lease } = await leased(t);
  const port = await http(
    t,
    (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  );
  assert.match(
    await command(lease.env, `http://page.example:${port}/`),
    /^The connection is not allowed: 169\.254\.169\.254 is a cloud metadata address, which returns credentials\..*\n$/,
  );
  assert.deepEqual(lease.reached(), [
    { host: 'page.example', port, address: '127.0.0.1' },
    {
      host: '169.254.169.254',
      port: 80,
      blocked: '169.254.169.254 is a cloud metadata address, which returns credentials',
    },
  ]);
});

test('a name that changes its answer: the first connection goes to what was checked, the second is refused', {
  skip,
}, async (t) => {
  let asked = 0;
  const { lease } = await leased(t, {
    resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
  });
  const port = await http(t, (_, response) => void response.end('vetted'));
  assert.equal((await command(lease.env, `http://rebound.example:${port}/`)).trim(), 'vetted');
  assert.equal(asked, 1);
  assert.match(
    await command(lease.env, `http://rebound.example:${port}/`),
    /rebound\.example resolves to 127\.0\.0\.2, which is loopback/,
  );
  assert.deepEqual(
    lease.reached().map(({ address, blocked }) => address ?? blocked),
    ['127.0.0.1', 'rebound.example resolves to 127.0.0.2, which is loopback (127.0.0.0/8)'],
  );
});

test('the environment names the proxy for everything in both spellings and lets nothing around it', async (t) => {
  const { lease } = await leased(t);
  const url = lease.env['HTTP_PROXY']!;
  assert.match(url, /^http:\/\/[0-9a-f]{16}:[0-9a-f]{48}@127\.0\.0\.1:\d+$/);
  assert.deepEqual(lease.env, {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    FTP_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: '',
    http_proxy: url,
    https_proxy: url,
    ftp_proxy: url,
    all_proxy: url,
    no_proxy: '',
    NODE_USE_ENV_PROXY: '1',
  });
});

test("without a lease there is no proxy: no credential, a wrong one, another lease's, one that ended", async (t) => {
  const { lease, proxy } = await leased(t);
  const other = await proxy.lease();
  const { port } = through(lease.env);
  const [id, foreign] = [new URL(lease.env['HTTP_PROXY']!).username, new URL(other.env['HTTP_PROXY']!).password];
  const withUser = (user: string) => ({ HTTP_PROXY: `http://${user}@127.0.0.1:${port}` });
  for (const env of [
    withUser(''),
    withUser(`${id}:`),
    withUser(`${id}:${'0'.repeat(48)}`),
    withUser(`${id}:${foreign}`),
    withUser('__proto__:x'),
  ]) {
    assert.equal((await get(env, 'http://1.1.1.1/')).status, 407);
    assert.equal((await openTunnel(env, '1.1.1.1:443')).status, 407);
  }
  await lease[Symbol.asyncDispose]();
  assert.equal((await get(lease.env, 'http://127.0.0.2/')).status, 407);
  assert.equal((await get(other.env, 'http://127.0.0.2/')).status, 403);
  assert.deepEqual(lease.reached(), []);
});

test("a plain request is asked again in the checked URL's name, without what was meant for the proxy", async (t) => {
  const { lease } = await leased(t);
  const port = await http(t, echo);
  const { status, body } = await get(lease.env, `http://page.example:${port}/a?b=c`, {
    method: 'POST',
    body: 'sent',
    headers: { host: 'inside.corp', 'x-hop': '1', connection: 'x-hop, close', 'x-mine': '2' },
  });
  const seen = JSON.parse(body);
  assert.deepEqual(
    [status, seen.method, seen.url, seen.body, seen.headers.host, seen.headers['x-mine']],
    [200, 'POST', '/a?b=c', 'sent', `page.example:${port}`, '2'],
  );
  assert.deepEqual([seen.headers['x-hop'], seen.headers['proxy-authorization']], [undefined, undefined]);
});

test('what is no proxy request is turned away', async (t) => {
  const { lease } = await leased(t);
  assert.equal((await get(lease.env, '/latest')).status, 400);
  assert.equal((await get(lease.env, 'https://page.example/')).status, 400);
  assert.equal((await get(lease.env, 'ftp://page.example/')).status, 400);
  for (const authority of ['page.example', 'me@page.example:443', 'page.example:99999', 'page.example/x:443'])
    assert.equal((await openTunnel(lease.env, authority)).status, 400, authority);
});

test('a body is never taken for the next request, nor an answer for another protocol', async (t) => {
  const { lease } = await leased(t);
  const inner = 'GET http://169.254.169.254/ HTTP/1.1\r\nHost: a\r\n\r\n';
  const seen = Promise.withResolvers<string>();
  const port = await tcp(t, (socket) => {
    let got = '';
    socket.on('data', (chunk) => {
      got += String(chunk);
      if (!got.includes(inner)) return;
      seen.resolve(got);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await get(lease.env, `http://page.example:${port}/`, { headers: { 'transfer-encoding': 'chunked' }, body: inner });
  assert.match(await seen.promise, /\r\nTransfer-Encoding: chunked\r\n\r\n[\da-f]+\r\nGET http:/);
  const switching = await tcp(
    t,
    (socket) =>
      void socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nanything'),
      ),
  );
  assert.equal((await get(lease.env, `http://page.example:${switching}/`)).status, 502);
});

test('CONNECT carries bytes both ways to the checked address and is refused for others', async (t) => {
  const { lease } = await leased(t);
  const port = await tcp(t, (socket) => void socket.pipe(socket));
  const { status, socket } = await openTunnel(lease.env, `page.example:${port}`);
  assert.equal(status, 200);
  socket.write('over and back');
  const [echoed] = await new Promise<Buffer[]>((resolve) => socket.once('data', (data) => resolve([data])));
  assert.equal(String(echoed), 'over and back');
  socket.destroy();
  for (const authority of ['127.0.0.2:22', '[::1]:22', 'localhost:443', '169.254.169.254:80', '2130706434:80'])
    assert.equal((await openTunnel(lease.env, authority)).status, 403, authority);
  assert.equal(lease.reached().filter(({ blocked }) => blocked).length, 5);
});

test('a target that does not answer is told as 502', async (t) => {
  const { lease } = await leased(t);
  const port = await tcp(t, (socket) => void socket.resetAndDestroy());
  assert.equal((await get(lease.env, `http://page.example:${port}/`)).status, 502);
  assert.equal((await openTunnel(lease.env, 'page.example:1')).status, 502);
});

test('the end of a lease ends its connections and leaves those of others', async (t) => {
  const { lease, proxy } = await leased(t);
  const other = await proxy.lease();
  const port = await tcp(t, (socket) => void socket.pipe(socket));
  const [mine, others] = await Promise.all([
    openTunnel(lease.env, `page.example:${port}`),
    openTunnel(other.env, `page.example:${port}`),
  ]);
  const closed = new Promise((resolve) => mine.socket.on('error', () => undefined).once('close', resolve));
  await lease[Symbol.asyncDispose]();
  await closed;
  others.socket.write('still here');
  assert.equal(String(await new Promise((resolve) => others.socket.once('data', resolve))), 'still here');
  others.socket.destroy();
});

test('too many connections at a time are turned away, until one ends', async (t) => {
  const { lease } = await leased(t, { limits: { connections: 2, idleMs: 30_000 } });
  const port = await tcp(t, () => undefined);
  const held = await Promise.all([
    openTunnel(lease.env, `page.example:${port}`),
    openTunnel(lease.env, `page.example:${port}`),
  ]);
  assert.equal((await openTunnel(lease.env, `page.example:${port}`)).status, 503);
  assert.equal((await get(lease.env, `http://page.example:${port}/`)).status, 503);
  held[0]!.socket.destroy();
  const again = await until(async () => {
    const tunnel = await openTunnel(lease.env, `page.example:${port}`);
    return tunnel.status === 200 ? tunnel : undefined;
  });
  for (const { socket } of [held[1]!, again]) socket.destroy();
});

test('silent connections end', async (t) => {
  const { lease } = await leased(t, { limits: { connections: 2, idleMs: 60 } });
  const port = await tcp(t, () => undefined);
  // On a busy machine one may end before its tunnel is open.
  const tunnel = await until(() => openTunnel(lease.env, `page.example:${port}`).catch(() => undefined));
  assert.equal(tunnel.status, 200);
  await new Promise((resolve) =>
    tunnel.socket
      .on('error', () => undefined)
      .once('close', resolve)
      .resume(),
  );
});

test('silent connections of other programs keep no lease out', async (t) => {
  const { lease } = await leased(t);
  const port = await http(t, echo);
  const held = Array.from({ length: 520 }, () =>
    connect(Number(new URL(lease.env['HTTP_PROXY']!).port), '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  );
  t.after(() => held.forEach((socket) => socket.destroy()));
  await Promise.race(held.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  assert.equal((await get(lease.env, `http://page.example:${port}/x`)).status, 200);
});

test("the user's own proxy is gone through, after the guard", async (t) => {
  const own = await httpProxy(t);
  const { lease } = await leased(t, { upstream: `http://me:pass@127.0.0.1:${own.port}` });
  const port = await http(t, echo);
  const { body } = await get(lease.env, `http://page.example:${port}/x`);
  assert.equal(JSON.parse(body).url, '/x');
  const { socket } = await openTunnel(lease.env, `page.example:${port}`);
  socket.destroy();
  assert.equal((await get(lease.env, 'http://127.0.0.2/')).status, 403);
  assert.deepEqual(own.asked, [`GET http://page.example:${port}/x`, `CONNECT page.example:${port}`]);
  assert.deepEqual(new Set(own.credentials), new Set([`Basic ${Buffer.from('me:pass').toString('base64')}`]));

  const socks = await socksProxy(t);
  const { lease: second } = await leased(t, { upstream: `socks5://127.0.0.1:${socks.port}` });
  assert.equal((await get(second.env, `http://page.example:${port}/y`)).status, 200);
  assert.deepEqual(socks.asked, [`SOCKS 127.0.0.1:${port}`]);
});

test('our own fetch goes through a lease as any command does', async (t) => {
  const { lease, guard } = await leased(t);
  const port = await http(t, (_, response) => void response.end('read'));
  const fetch = createGuardedFetch({ guard, userAgent: 'test/1', upstream: userProxy({ vars: lease.env }) });
  const file = await fetch.fetch(`http://page.example:${port}/`, {
    maxBytes: 100,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  assert.equal(file.body.toString(), 'read');
  assert.deepEqual(lease.reached(), [{ host: 'page.example', port, address: '127.0.0.1' }]);
});

test('the log names hosts and reasons, never a credential or a path', async (t) => {
  const lines: string[] = [];
  const write = (event: string, fields = {}) => void lines.push(`${event} ${JSON.stringify(fields)}`);
  const { lease } = await leased(t, { log: { ...silentLog, debug: write, info: write, warn: write, error: write } });
  await get(lease.env, 'http://127.0.0.2/private?token=hidden');
  await openTunnel(lease.env, 'page.example:1');
  assert.equal(lines.length, 2);
  const { username, password } = new URL(lease.env['HTTP_PROXY']!);
  for (const secret of [username, password, 'private', 'hidden']) assert.ok(!lines.join('\n').includes(secret));
});

test('close ends everything; garbage on the port harms nobody', async (t) => {
  const { lease, proxy } = await leased(t);
  const { port } = through(lease.env);
  const noise = connect(port, '127.0.0.1', () => void noise.write('\0\0garbage\r\n\r\n'));
  await new Promise((resolve) =>
    noise
      .on('error', () => undefined)
      .once('close', resolve)
      .resume(),
  );
  await proxy.close();
  await assert.rejects(get(lease.env, 'http://1.1.1.1/'), { code: 'ECONNREFUSED' });
  await proxy.close();
});

test('a target that says much and hangs up is heard to the end', async (t) => {
  const { lease } = await leased(t);
  const size = 8 * 1024 * 1024;
  const port = await tcp(t, (socket) => void socket.end(Buffer.alloc(size, 'x')));
  const { socket } = await openTunnel(lease.env, `page.example:${port}`);
  await new Promise((resolve) => setImmediate(resolve));
  let got = 0;
  for await (const chunk of socket) {
    got += (chunk as Buffer).length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(got, size);
});
