import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { TEST_TOKEN } from '../../testing/http-gateway.ts';
import { createGatewayAuth } from '../../gateway/auth.ts';
import { createFailedLogins } from '../../gateway/ws/failed-logins.ts';
import { TOKEN, NEXT, start, send, raw, bearer, errorOf } from './harness.ts';

describe('who gets in', () => {
  it('(190) needs the token: 401 in text without it, 405 for another method, 404 for the bare base', async () => {
    await using gateway = await start();
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Bearer wrong',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Bearer ${TOKEN.toUpperCase()}`,
      `Basic ${TOKEN}`,
      TOKEN,
      `Bearer ${TEST_TOKEN}`,
      'Bearer undefined',
      'Bearer null',
    ]) {
      const answer = await send(gateway, '/hooks/wake', { text: 'x' }, { authorization });
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type'), await answer.text()],
        [401, 'text/plain; charset=utf-8', 'Unauthorized\n'],
        authorization,
      );
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
      const answer = await gateway.fetch('/hooks/wake', { method, headers: bearer });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method);
    }
    for (const path of [
      '/hooks',
      '/hooks/',
      '/hooks//wake',
      '/hooks/wake/',
      '/hooks/unknown',
      '/hooks/%77ake',
      '/hooks/..%2fwake',
      '/hooks/Wake',
    ])
      assert.equal(await raw(gateway, path, bearer), 404, path);
    assert.deepEqual([gateway.hooks.woken, gateway.hooks.asked], [[], []]);
  });

  it('may use a header of the product in place of Bearer', async () => {
    await using gateway = await start();
    for (const name of ['x-clawdbot-token', 'x-openclaw-token']) {
      assert.equal(await raw(gateway, '/hooks/wake', { [name]: TOKEN }), 200, name);
      assert.equal(await raw(gateway, '/hooks/wake', { [name]: 'wrong' }), 401, name);
    }
    assert.equal(
      await raw(gateway, '/hooks/wake', { authorization: 'Bearer wrong', 'x-clawdbot-token': TOKEN }),
      401,
      'what Bearer says counts',
    );
    assert.equal(await raw(gateway, '/hooks/wake', { authorization: 'Basic abc', 'x-clawdbot-token': TOKEN }), 200);
  });

  it('never has the token in the address', async () => {
    await using gateway = await start();
    for (const query of [`?token=${TOKEN}`, `?a=1&TOKEN=${TOKEN}`, `?%74oken=${TOKEN}`, '?access_token=x']) {
      const answer = await send(gateway, `/hooks/wake${query}`, { text: 'x' });
      const error = await errorOf(answer);
      assert.equal(answer.status, 400, query);
      assert.match(error, /Authorization: Bearer/);
      assert.ok(!error.includes(TOKEN));
    }
    assert.equal((await send(gateway, '/hooks/wake?a=1', { text: 'x' })).status, 200);
  });

  it('calls by whatever name the proxy has, and is no web page', async () => {
    await using gateway = await start({ gateway: { controlUi: { allowedOrigins: ['https://ui.example.com'] } } });
    assert.equal(await raw(gateway, '/hooks/wake', { ...bearer, host: 'bot.example.org' }), 200);
    assert.equal(await raw(gateway, '/elsewhere', { ...bearer, host: 'bot.example.org' }), 403);
    for (const [origin, host] of [
      ['https://evil.example', 'localhost'],
      ['null', 'localhost'],
      ['http://evil.example:1', 'evil.example:1'],
      ['http://localhost', 'localhost'],
    ] as const)
      assert.equal(await raw(gateway, '/hooks/wake', { ...bearer, origin, host }), 403, origin);
    assert.equal(await raw(gateway, '/hooks/wake', { ...bearer, origin: 'https://ui.example.com' }), 200);
    assert.equal(gateway.hooks.woken.length, 2);
  });

  it('loses the old token with a reload, at once', async () => {
    await using gateway = await start();
    assert.equal(await raw(gateway, '/hooks/wake', bearer), 200);
    gateway.hooks.configure({ enabled: true, token: NEXT, path: '/automation' });
    assert.equal(await raw(gateway, '/automation/wake', bearer), 401);
    assert.equal(await raw(gateway, '/automation/wake', { authorization: `Bearer ${NEXT}` }), 200);
    assert.equal(
      await raw(gateway, '/hooks/wake', { authorization: `Bearer ${NEXT}` }),
      405,
      'nothing takes POST there',
    );
    gateway.hooks.configure({ enabled: false, token: NEXT, path: '/automation' });
    assert.equal(await raw(gateway, '/automation/wake', { authorization: `Bearer ${NEXT}` }), 405);
    assert.equal(gateway.hooks.woken.length, 2);
  });

  it('is nobody while no token could be right: none, a short one, one that opens the gateway', async () => {
    await using gateway = await start();
    const { config } = gateway.hooks;
    for (const token of [undefined, '', 'short']) {
      gateway.hooks.config = () => ({ ...config(), token });
      assert.equal(await raw(gateway, '/hooks/wake', { authorization: `Bearer ${token ?? ''}` }), 503, String(token));
      assert.equal(await raw(gateway, '/hooks/wake', {}), 503, String(token));
    }
    gateway.hooks.config = () => ({ ...config(), token: TEST_TOKEN });
    assert.equal(await raw(gateway, '/hooks/wake', { authorization: `Bearer ${TEST_TOKEN}` }), 503);
    assert.equal(gateway.hooks.woken.length, 0);
  });

  it('has to wait after too many guesses, on this path and the others', async () => {
    const clock = createFakeClock();
    const failedLogins = createFailedLogins(clock);
    await using gateway = await start({
      failedLogins,
      gateway: { trustedProxies: ['127.0.0.1'] },
      auth: createGatewayAuth({ mode: 'token', token: TEST_TOKEN, trustedProxies: ['127.0.0.1'] }),
    });
    gateway.hooks.configure({ enabled: true, token: TOKEN });
    const from = (ip: string, token: string): Promise<Response> =>
      send(gateway, '/hooks/wake', { text: 'x' }, { authorization: `Bearer ${token}`, 'x-forwarded-for': ip });
    for (let guess = 0; guess < 10; guess += 1) assert.equal((await from('203.0.113.7', `wrong-${guess}`)).status, 401);
    const locked = await from('203.0.113.7', TOKEN);
    assert.deepEqual([locked.status, Number(locked.headers.get('retry-after')) > 0], [429, true]);
    assert.equal(
      (await gateway.post('/tools/invoke', { tool: 'read' }, { 'x-forwarded-for': '203.0.113.7' })).status,
      429,
    );
    assert.equal((await from('203.0.113.8', TOKEN)).status, 200);
    await clock.advance(6 * 60_000);
    assert.equal((await from('203.0.113.7', TOKEN)).status, 200);
  });
});
