/** Webhooks of channels: under any host name, without the gateway token, and never on a path of the gateway itself. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { createMounts } from '../../channel-host/accounts/mounts.ts';
import { startHttpGateway } from '../../testing/http-gateway.ts';

const calls = (port: number, path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end('{}');
  });

describe('a webhook', () => {
  it('is given the request as it is, and its answer goes back', async () => {
    await using gateway = await startHttpGateway();
    const seen: unknown[] = [];
    gateway.services.webhooks.set('/hook', async ({ method, headers, query, body }) => {
      seen.push([method, headers['x-secret'], query.get('a'), String(body)]);
      return { status: 201, headers: { 'x-more': 'yes' }, body: 'taken' };
    });
    const answer = await gateway.fetch('/hook?a=1', {
      method: 'POST',
      headers: { 'x-secret': 's' },
      body: '\u{1F99E}',
    });
    assert.deepEqual([answer.status, answer.headers.get('x-more'), await answer.text()], [201, 'yes', 'taken']);
    assert.deepEqual(seen, [['POST', 's', '1', '\u{1F99E}']]);
  });

  it('is found by the name of the proxy, which no other path is', async () => {
    await using gateway = await startHttpGateway();
    gateway.services.webhooks.set('/hook', async () => ({ status: 200 }));
    assert.equal(await calls(gateway.port, '/hook', { host: 'bot.example.org' }), 200);
    assert.equal(await calls(gateway.port, '/elsewhere', { host: 'bot.example.org' }), 403);
  });

  it('that fails is an error of ours without a word of what it said', async () => {
    await using gateway = await startHttpGateway();
    gateway.services.webhooks.set('/hook', async () => {
      throw new Error('secret 42');
    });
    const answer = await gateway.fetch('/hook', { method: 'POST' });
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /42/);
  });

  it('cannot take a path of the gateway', async () => {
    await using gateway = await startHttpGateway();
    gateway.services.webhooks.set('/tools/invoke', async () => ({ status: 200 }));
    assert.equal((await gateway.fetch('/tools/invoke', { method: 'POST', body: '{}' })).status, 401);
  });
});

describe('mounting', () => {
  const mounts = createMounts();
  const handler = async () => ({ status: 200 });
  it('refuses what is no path, what is ours and what is taken', () => {
    for (const path of ['', '/', 'hook', '/a//b', '/../x', '/a/..', '/a%2fb', '/a?b'])
      assert.throws(
        () => mounts.mount(path, handler, 'x/default'),
        { code: 'invalid', message: /not a valid webhook path/ },
        path,
      );
    for (const path of ['/v1/hook', '/healthz', '/tools', '/Chat/x'])
      assert.throws(
        () => mounts.mount(path, handler, 'x/default'),
        { code: 'invalid', message: /reserved for the gateway/ },
        path,
      );
    const mounted = mounts.mount('/slack/events', handler, 'slack/default');
    assert.throws(() => mounts.mount('/slack/events', handler, 'slack/b'), {
      code: 'conflict',
      message: /slack\/default/,
    });
    mounted[Symbol.dispose]();
    assert.equal(mounts.find('/slack/events'), undefined);
    mounts.mount('/slack/events', handler, 'slack/b');
    mounted[Symbol.dispose]();
    assert.equal(mounts.find('/slack/events'), handler, 'a second farewell takes nobody else away');
  });
});
