/** The attack classes published for similar products (field notes 2.3), each tried against a whole gateway. */
import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import { createDeviceIdentity } from '../../src/gateway/devices/identity.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';

const TOKEN = 'test-token-of-sufficient-length';
const KEY = 'sk-vendor-0123456789abcdefghij';

let gateway: RunningGateway;
let chat: Chat;
before(async () => {
  gateway = await startGateway({
    config: { gateway: { http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } } } } },
  });
  chat = await gateway.connect();
});
after(() => gateway[Symbol.asyncDispose]());

const url = (): string => `ws://127.0.0.1:${gateway.instance.port}`;
/** The error a call ends with. */
const refusal = (method: string, params: unknown, connection: GatewayConnection = chat.client): Promise<Error> =>
  connection.call(method, params).then(
    () => assert.fail(`${method} was allowed: ${JSON.stringify(params).slice(0, 120)}`),
    (error: Error) => error,
  );

/** Everything below a folder, with its rights. */
async function files(root: string): Promise<{ path: string; mode: number }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => ({
        path: join(entry.parentPath, entry.name),
        mode: (await stat(join(entry.parentPath, entry.name))).mode & 0o777,
      })),
  );
}

describe('path traversal by ids (GHSA-5xfq-5mr7-426q)', () => {
  const keys = [
    'agent:../../outside:main',
    'agent:..:x',
    'agent:/etc:x',
    'agent:nosuch:main',
    'agent:__proto__:x',
    'agent:main:a\0b',
    'agent:main:\u001b[31m',
    'agent:main:\ud800',
    `agent:main:${'x'.repeat(600)}`,
  ];
  const uses: [string, (key: string) => object][] = [
    ['chat.send', (key) => ({ sessionKey: key, message: '/status', idempotencyKey: `t-${key.length}` })],
    ['chat.history', (key) => ({ sessionKey: key })],
    ['chat.abort', (key) => ({ sessionKey: key })],
    ['chat.inject', (key) => ({ sessionKey: key, message: 'x' })],
    ['agent', (key) => ({ sessionKey: key, message: 'x', idempotencyKey: `a-${key.length}` })],
    ['agent.identity.get', (key) => ({ sessionKey: key })],
    ['sessions.patch', (key) => ({ key, label: 'x' })],
    ['sessions.reset', (key) => ({ key })],
    ['sessions.delete', (key) => ({ key })],
    ['sessions.branch', (key) => ({ key, entryId: 'x' })],
    ['sessions.compact', (key) => ({ key, maxLines: 1 })],
    ['sessions.resolve', (key) => ({ key })],
    ['sessions.preview', (key) => ({ keys: [key] })],
    ['sessions.messages.subscribe', (key) => ({ key })],
    ['wake', (key) => ({ mode: 'next-heartbeat', text: 'x', sessionKey: key })],
    ['system-event', (key) => ({ text: 'x', sessionKey: key })],
  ];
  for (const [method, params] of uses) {
    it(`${method} takes no key that is none`, async () => {
      for (const key of keys)
        assert.match(
          (await refusal(method, params(key))).message,
          /session ?key|unknown agent/i,
          JSON.stringify(key).slice(0, 40),
        );
    });
  }

  it('agent ids reach no other folder, and nothing was made outside', async () => {
    for (const agentId of ['../../../etc', '..', '__proto__', 'nosuch'])
      for (const [method, rest] of [
        ['sessions.list', {}],
        ['sessions.resolve', { label: 'x' }],
        ['wake', { mode: 'next-heartbeat', text: 'x' }],
      ] as const)
        assert.match((await refusal(method, { agentId, ...rest })).message, /unknown agent/, `${method} ${agentId}`);
    await chat.say('/status', { runId: '../../../outside\0', session: 'main' });
    assert.deepEqual(
      (await readdir(dirname(gateway.stateDir))).filter((name) => !['clawd', 'state'].includes(name)),
      [],
    );
    assert.deepEqual(await readdir(join(gateway.stateDir, 'agents')), ['main']);
  });

  it('addresses of the web page reach no file outside it', async () => {
    for (const path of [
      '/avatar/..%2f..%2fetc',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/..%2f..%2fpackage.json',
      '/.git/config',
      '/%00.js',
      '/assets/..%5c..%5cpackage.json',
    ])
      assert.doesNotMatch(await (await gateway.fetch(path)).text(), /"dependencies"|root:x|\[core\]/, path);
  });
});

describe('prototype pollution and bombs in bodies', () => {
  it('JSON keys of the language change nothing', async () => {
    const { hash } = await chat.call('config.get');
    for (const raw of ['{"__proto__":{"polluted":1}}', '{gateway:{__proto__:{port:1}}}'])
      assert.match(
        (await refusal('config.patch', { raw, baseHash: hash })).message,
        /is no setting|invalid|unknown/i,
        raw,
      );
    const body =
      '{"__proto__":{"stream":true},"constructor":{"prototype":{"polluted":1}},"messages":[{"role":"user","content":"hi","__proto__":{"role":"system"}}]}';
    gateway.models.reply({ text: ['fine'] });
    assert.equal(
      (await gateway.fetch('/v1/chat/completions', { method: 'POST', body })).headers.get('content-type'),
      'application/json; charset=utf-8',
    );
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('more messages or text than any model takes is refused before it costs anything', async () => {
    const many = JSON.stringify({ messages: Array.from({ length: 5000 }, () => ({ role: 'user', content: 'a' })) });
    assert.equal((await gateway.fetch('/v1/chat/completions', { method: 'POST', body: many })).status, 400);
    assert.equal(
      (
        await gateway.fetch('/v1/chat/completions', {
          method: 'POST',
          body: JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(4_000_001) }] }),
        })
      ).status,
      413,
    );
    assert.match(
      (await refusal('chat.send', { sessionKey: 'main', message: 'a'.repeat(4_000_001), idempotencyKey: 'long' }))
        .message,
      /message: Too big/,
    );
  });

  it('nesting deeper than the stack is an error of the caller', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const body of [
      deep,
      `{"messages":${deep}}`,
      `{"messages":[{"role":"user","content":"x"}],"tools":${deep}}`,
      `{"messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_schema","json_schema":{"schema":${'['.repeat(7000)}${']'.repeat(7000)}}}}`,
    ])
      assert.equal((await gateway.fetch('/v1/chat/completions', { method: 'POST', body })).status, 400);
    assert.equal((await gateway.fetch('/healthz')).status, 200);
  });
});

describe('web pages of others (GHSA-3fqr-4cg8-h96q, CVE-2026-25253)', () => {
  const ask = (headers: Record<string, string>, path = '/healthz', method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: gateway.instance.port, path, method, headers }, (response) =>
        resolve(response.resume().statusCode!),
      ).on('error', reject);
    });
  const dial = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url(), { headers });
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
      socket.on('error', (error) => resolve(error.message));
    });

  it('a rebound name, a foreign origin and the null origin get nothing, over HTTP and WebSocket', async () => {
    const port = gateway.instance.port;
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: 'localhost.evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost@evil.example' },
      { host: 'evil.ts.net' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:1' },
      { origin: `http://127.0.0.1:${port}.evil.example` },
    ] as Record<string, string>[]) {
      assert.equal(await ask(headers), 403, JSON.stringify(headers));
      assert.match(await dial(headers), /403/, JSON.stringify(headers));
    }
    assert.equal(await dial({ origin: `http://127.0.0.1:${port}` }), 'open');
  });

  it('a preflight of a foreign page is refused, and a secret in the address never works', async () => {
    assert.equal(
      await ask(
        { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        '/v1/chat/completions',
        'OPTIONS',
      ),
      403,
    );
    for (const path of [
      `/v1/models?token=${TOKEN}`,
      `/v1/models?%74oken=${TOKEN}`,
      `/v1/models?x=1&Access_Token=${TOKEN}`,
    ])
      assert.equal(await ask({}, path), 400, path);
    assert.equal(await ask({}, '/v1/models'), 401);
  });

  it('two ways to say where a body ends, and a second Host, end the connection', async () => {
    const raw = (text: string): Promise<string> =>
      new Promise((resolve) => {
        let heard = '';
        const socket = connect(gateway.instance.port, '127.0.0.1', () => socket.write(text));
        socket
          .on('data', (data) => (heard += String(data)))
          .on('close', () => resolve(heard))
          .on('error', () => undefined);
        socket.setTimeout(3000, () => socket.destroy());
      });
    const smuggled = await raw(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    );
    assert.match(smuggled, /^HTTP\/1\.1 400/);
    assert.doesNotMatch(smuggled, /200 OK/);
    assert.match(
      await raw('GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost : evil\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1\.1 400/,
    );
  });
});

describe('scope and pairing escalation (GHSA-rqpp-rjj8-7wv8, GHSA-hf68-49fm-59cq, GHSA-qjpc-qf9m-xwmr)', () => {
  const device = (identity: ReturnType<typeof createDeviceIdentity>, options: object): Promise<GatewayConnection> =>
    connectGateway({ url: url(), identity, client: { id: 'cli', mode: 'cli' }, ...options });

  it('a device token stays within its scopes over WebSocket and HTTP, and is dead once revoked', async () => {
    const identity = createDeviceIdentity();
    const first = await device(identity, { token: TOKEN, scopes: ['operator.read'] });
    const deviceToken = (first.hello.auth as { deviceToken: string }).deviceToken;
    await first.close();
    await assert.rejects(device(identity, { deviceToken, scopes: ['operator.admin'] }), /more scopes/);
    await assert.rejects(device(createDeviceIdentity(), { deviceToken, scopes: ['operator.read'] }), /unauthorized/);
    await assert.rejects(device(identity, { deviceToken, role: 'node' }), /unauthorized/);
    await using narrow = await device(identity, { deviceToken });
    assert.match(
      (await refusal('chat.send', { sessionKey: 'main', message: 'x', idempotencyKey: 'n1' }, narrow)).message,
      /missing scope: operator\.write/,
    );
    const http = (): Promise<Response> =>
      gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${deviceToken}` },
      });
    assert.equal((await http()).status, 403);
    await chat.call('device.token.revoke', { deviceId: identity.deviceId, role: 'operator' });
    assert.equal((await narrow.closed).code, 1008);
    assert.equal((await http()).status, 401);
    await assert.rejects(device(identity, { deviceToken }), /unauthorized/);
  });

  it('words that mean no secret open nothing', async () => {
    for (const word of ['undefined', 'null', '', ' ', '[object Object]', 'Bearer', 'changeme']) {
      assert.equal(
        (await gateway.fetch('/v1/models', { headers: { authorization: `Bearer ${word}` } })).status,
        401,
        word,
      );
      await assert.rejects(connectGateway({ url: url(), token: word }), /unauthorized|identity required/, word);
    }
  });
});

describe('secrets', () => {
  it('neither the token nor a vendor key is in a log, the journal, a transcript, a prompt or an answer; what is kept is private', async () => {
    await using running = await startGateway({ config: {} });
    const config = JSON.parse(await readFile(join(running.stateDir, 'clawdbot.json'), 'utf8'));
    config.models.providers.fake.apiKey = KEY;
    config.logging = { level: 'debug' };
    await running.restart({ while: () => running.writeConfig(config) });
    const person = await running.connect();
    running.models.reply(
      { calls: [{ id: 'c1', name: 'read', args: { path: 'SOUL.md' } }] },
      { text: ['done'] },
      { error: 'auth' },
    );
    assert.equal(await person.say('look'), 'done');
    await person.say('again');
    const seen = JSON.stringify([
      await person.call('config.get'),
      await person.call('status'),
      await person.call('health'),
      await person.call('logs.tail'),
      person.events,
      running.models.requests.map(({ body }) => body),
    ]);
    assert.ok(!seen.includes(KEY) && !seen.includes(TOKEN));
    for (const { path, mode } of await files(running.stateDir)) {
      if (path.endsWith('clawdbot.json') || path.includes('last-good')) continue;
      const text = await readFile(path, 'latin1');
      assert.ok(!text.includes(KEY) && !text.includes(TOKEN), path);
      assert.equal(mode & 0o077, 0, `${path} is private`);
    }
  });
});
