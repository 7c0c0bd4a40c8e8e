// The handshake: first message, protocol versions, phases, secrets, origins.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startDeviceGateway } from '../../features/devices/harness.ts';
import { connectParams, deviceParams, TOKEN } from '../../testing/ws-gateway.ts';

const remote = { headers: { host: 'gateway.example' } };
const web = { id: 'openclaw-control-ui', version: '1', platform: 'web', mode: 'ui' };

describe('first words', () => {
  it('greets with a challenge and cuts off who stays silent', async () => {
    const clock = createFakeClock();
    await using gateway = await startDeviceGateway({ clock });
    const client = await gateway.open();
    const { nonce, ts } = await client.challenge;
    assert.ok(nonce.length >= 16);
    assert.equal(ts, clock.now());
    await clock.advance(15_000);
    assert.deepEqual(await client.closed, { code: 1008, reason: 'handshake timeout' });
  });

  it('answers a first frame that is not connect, then closes', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    const refused = await client.request('health');
    assert.equal(refused.error.code, 'INVALID_REQUEST');
    assert.deepEqual(await client.closed, { code: 1008, reason: 'invalid handshake: first request must be connect' });
  });

  it('closes on garbage without an answer, and serves the next one', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    await client.challenge;
    client.sendText('{nope');
    assert.equal((await client.closed).code, 1008);
    assert.equal(client.frames.length, 1);
    assert.ok(await gateway.client());
  });

  it('takes little before connect', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    client.sendText(
      JSON.stringify({
        type: 'req',
        id: '1',
        method: 'connect',
        params: { ...connectParams(), userAgent: 'x'.repeat(300_000) },
      }),
    );
    assert.equal((await client.closed).code, 1009);
    assert.equal(
      client.frames.some((frame) => frame.type === 'res'),
      false,
    );
  });

  it('lets a limited number wait for the handshake', async () => {
    await using gateway = await startDeviceGateway({ limits: { maxPendingHandshakes: 1 } });
    const first = await gateway.open();
    await first.challenge;
    const second = await gateway.open();
    assert.equal((await first.closed).code, 1013);
    assert.equal((await second.connect()).ok, true);
    assert.ok(await gateway.client());
    assert.equal((await second.request('health')).ok, true, 'who is admitted stays');
  });

  it('keeps handshakes free for others when one address holds many', async () => {
    await using gateway = await startDeviceGateway({
      limits: { maxPendingPerAddress: 2 },
      auth: { trustedProxies: ['127.0.0.1'] },
    });
    const from = (ip: string) => gateway.open({ headers: { 'x-forwarded-for': ip } });
    const waiting = await Promise.all([1, 2].map(() => from('203.0.113.9')));
    await Promise.all(waiting.map(({ challenge }) => challenge));
    const third = await from('203.0.113.9');
    assert.equal((await waiting[0]!.closed).code, 1013);
    assert.ok((await third.challenge).nonce);
    assert.ok((await (await from('203.0.113.10')).challenge).nonce);
    const local = await Promise.all([1, 2, 3].map(() => gateway.open()));
    assert.ok((await Promise.all(local.map(({ challenge }) => challenge))).every(({ nonce }) => nonce));
  });

  it('names the property that does not belong', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    assert.match((await client.connect({ colour: 'red' })).error.message, /unknown property "colour"/);
    assert.equal((await client.closed).code, 1008);
  });

  it('serves requests that were sent without waiting for hello', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    const hello = client.connect();
    const health = client.request('health');
    assert.equal((await hello).ok, true);
    assert.equal((await health).payload.ok, true);
  });
});

describe('protocol level', () => {
  const cases: [string, Record<string, unknown>, number | undefined][] = [
    ['operators speak 4', {}, 4],
    ['a newer client falls back to 4', { maxProtocol: 7 }, 4],
    ['an operator cannot speak 3', { minProtocol: 3, maxProtocol: 3 }, undefined],
    ['a future client that cannot go back is refused', { minProtocol: 5, maxProtocol: 6 }, undefined],
    [
      'a probe may speak 3',
      {
        minProtocol: 3,
        maxProtocol: 3,
        client: { id: 'openclaw-probe', version: '1', platform: 'linux', mode: 'probe' },
      },
      3,
    ],
  ];
  for (const [name, params, agreed] of cases) {
    it(name, async () => {
      await using gateway = await startDeviceGateway();
      const client = await gateway.open();
      const answer = await client.connect(params);
      if (agreed) return assert.equal(answer.payload.protocol, agreed);
      assert.equal(answer.error.code, 'INVALID_REQUEST');
      assert.equal(answer.error.details.code, 'PROTOCOL_MISMATCH');
      assert.equal(answer.error.details.expectedProtocol, 4);
      assert.deepEqual(await client.closed, { code: 1002, reason: 'protocol mismatch' });
    });
  }

  for (const maxProtocol of [3, 4])
    it(`a node may speak ${maxProtocol}, is told so, and learns nothing of the machine`, async () => {
      await using gateway = await startDeviceGateway();
      const client = await gateway.open();
      const hello = await client.request(
        'connect',
        await deviceParams(client, {
          minProtocol: 3,
          maxProtocol,
          role: 'node',
          scopes: [],
          client: { id: 'node-host', version: '1', platform: 'linux', mode: 'node' },
        }),
      );
      assert.equal(hello.payload.protocol, maxProtocol);
      assert.deepEqual(hello.payload.auth.scopes, []);
      assert.equal(hello.payload.snapshot.configPath, undefined);
    });
});

describe('phases', () => {
  it('asks clients to come back while starting, and while draining', async () => {
    await using gateway = await startDeviceGateway();
    gateway.services.setStatus({ phase: 'starting' });
    const early = await gateway.open();
    const answer = await early.connect();
    assert.deepEqual(
      [answer.error.code, answer.error.retryable, answer.error.details.reason],
      ['UNAVAILABLE', true, 'startup-sidecars'],
    );
    assert.deepEqual(await early.closed, { code: 1013, reason: 'gateway starting' });
    gateway.services.setStatus({ phase: 'draining' });
    const late = await gateway.open();
    await late.connect();
    assert.equal((await late.closed).code, 1012);
  });
});

describe('secrets', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['wrong token', { auth: { token: 'wrong' } }, 'AUTH_TOKEN_MISMATCH', /token mismatch/],
    [
      'command line is told where the token goes',
      { client: { id: 'cli', version: '1', platform: 'linux', mode: 'cli' }, auth: { token: 'wrong' } },
      'AUTH_TOKEN_MISMATCH',
      /gateway\.remote\.token/,
    ],
    ['nothing at all', { auth: {} }, 'DEVICE_IDENTITY_REQUIRED', /device identity required/],
    ['a browser without a device', { client: web }, 'CONTROL_UI_DEVICE_IDENTITY_REQUIRED', /secure context/],
    ['a role nobody knows', { role: 'root' }, '', /invalid role/],
  ];
  for (const [name, params, code, message] of cases) {
    it(name, async () => {
      await using gateway = await startDeviceGateway();
      const client = await gateway.open();
      const { error } = await client.connect(params);
      assert.equal(error.details?.code ?? '', code);
      assert.match(error.message, message);
      assert.equal((await client.closed).code, 1008);
    });
  }

  it('a browser with a device and no token learns where to enter one', async () => {
    await using gateway = await startDeviceGateway();
    const client = await gateway.open();
    const { error } = await client.request('connect', await deviceParams(client, { client: web, auth: {} }));
    assert.equal(error.details.code, 'AUTH_TOKEN_MISSING');
    assert.match(error.message, /Control UI settings/);
  });

  it('password mode asks for the password', async () => {
    await using gateway = await startDeviceGateway({ auth: { mode: 'password', password: 'open sesame' } });
    const wrong = await gateway.open();
    assert.equal((await wrong.connect({ auth: { password: 'shut' } })).error.details.code, 'AUTH_PASSWORD_MISMATCH');
    const right = await gateway.open();
    assert.equal((await right.connect({ auth: { password: 'open sesame' } })).ok, true);
  });

  it('the insecure flag lets a browser in with the secret alone', async () => {
    await using gateway = await startDeviceGateway({
      services: { gateway: { controlUi: { allowInsecureAuth: true } } },
    });
    const client = await gateway.open();
    assert.equal((await client.connect({ client: web })).ok, true);
    const bare = await gateway.open();
    assert.equal((await bare.connect({ client: web, auth: {} })).ok, false);
  });

  it('pages of other sites are turned away, listed ones are not', async () => {
    await using gateway = await startDeviceGateway({
      services: { gateway: { controlUi: { allowedOrigins: ['https://ui.example'] } } },
    });
    for (const [origin, ok] of [
      ['https://evil.example', false],
      ['null', false],
      ['https://ui.example', true],
      [gateway.url.replace('ws', 'http'), true],
    ] as const) {
      const client = await gateway.open({ origin });
      const answer = await client.connect();
      assert.equal(answer.ok, ok, origin);
      if (!ok) assert.equal(answer.error.details.code, 'CONTROL_UI_ORIGIN_NOT_ALLOWED');
    }
  });

  it('guessing from elsewhere is slowed down', async () => {
    const clock = createFakeClock();
    await using gateway = await startDeviceGateway({ clock });
    const attempt = async (token: string) =>
      (await (await gateway.open(remote)).connect({ auth: { token } })).error?.details.code;
    for (let i = 0; i < 10; i += 1) assert.equal(await attempt(`guess-${i}`), 'AUTH_TOKEN_MISMATCH');
    assert.equal(await attempt(TOKEN), 'AUTH_RATE_LIMITED');
    await clock.advance(5 * 60_000);
    assert.equal(await attempt(TOKEN), undefined);
  });

  it('guessing the token of a device is slowed down as well', async () => {
    await using gateway = await startDeviceGateway();
    const attempt = async (auth: object) => {
      const client = await gateway.open(remote);
      return (await client.request('connect', await deviceParams(client, { auth }))).error?.details.code;
    };
    for (let i = 0; i < 10; i += 1)
      assert.equal(await attempt({ deviceToken: `guess-${i}` }), 'AUTH_DEVICE_TOKEN_MISMATCH');
    assert.equal(await attempt({ token: TOKEN }), 'AUTH_RATE_LIMITED');
  });
});
