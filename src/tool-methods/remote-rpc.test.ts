/**
 * Calls to other gateways: only loopback addresses or the configured remote, only with the token for them, only methods
 * that tools may call.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../core/present.ts';
import type { Right } from '../core/principal.ts';
import type { Turn } from '../core/turn.ts';
import { connectGateway, type ConnectOptions, type GatewayConnection } from '../gateway/client.ts';
import { settingRules } from '../testing/whole-schema.ts';
import { startDeviceGateway } from '../features/devices/harness.ts';
import { TOKEN } from '../testing/ws-gateway.ts';
import { createRemoteRpc, whichGateway, type Known } from './remote-rpc.ts';
import { peopleAuthority } from '../testing/sample-authority.ts';

const REMOTE = 'wss://gate.example:8443/ws';
const KNOWN: Known = { remote: { url: REMOTE, token: 'remote-token', password: 'remote-password' }, ownPort: 18_789 };

/** What looks like this machine or the remote to somebody, and must not be connected to. */
const HOSTILE: readonly string[] = [
  // another host that begins or ends like a good one
  'ws://127.0.0.1.evil.com:1',
  'ws://localhost.evil.com',
  'ws://evil.com/127.0.0.1',
  'ws://evil-localhost',
  'ws://localhostx',
  'ws://xlocalhost',
  'ws://127.0.0.1evil.com',
  'ws://evil.com:80#127.0.0.1',
  'ws://evil.com?127.0.0.1',
  'wss://gate.example.evil.com:8443/ws',
  'wss://evilgate.example:8443/ws',
  // somebody else behind the sign
  'ws://localhost@evil.com',
  'ws://127.0.0.1:80@evil.com',
  'ws://evil.com@127.0.0.1',
  'ws://user:pw@localhost:1',
  'ws://@localhost',
  'ws://localhost:@evil.com',
  'ws://127.0.0.1%40evil.com',
  'wss://x@gate.example:8443/ws',
  'wss://gate.example:8443@evil.com/ws',
  // other spellings of an address
  'ws://0x7f.1',
  'ws://0x7f000001',
  'ws://2130706433',
  'ws://127.1',
  'ws://127.0.1',
  'ws://0177.0.0.1',
  'ws://127.0.0.01',
  'ws://127.00.0.1',
  'ws://127.0.0.1.',
  'ws://localhost.',
  'ws://[::ffff:7f00:1]',
  'ws://[::ffff:127.0.0.1]',
  'ws://[0:0:0:0:0:0:0:1]',
  'ws://[::1%25lo]',
  'ws://[::]',
  'ws://0.0.0.0',
  'ws://0',
  'ws://128.0.0.1',
  'ws://127.0.0.256',
  // letters that only look like it, and characters a parser drops
  'ws://ⓛocalhost',
  'ws://127。0。0。1',
  'ws://１２７.0.0.1',
  'ws://loc\u00adalhost',
  'ws://local\thost',
  'ws://local\nhost',
  ' ws://localhost',
  'ws://localhost ',
  'ws://localhost\0',
  'ws:\\\\localhost',
  'ws:/localhost',
  'ws:localhost',
  'ws:///localhost',
  'ws://localhost\\@evil.com',
  'ws://localhost\\.evil.com',
  'ws://l%6fcalhost',
  'ws://%6c%6f%63alhost',
  // other schemes and parts
  'http://localhost:1',
  'https://gate.example:8443/ws',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'wsx://localhost',
  '//localhost',
  'localhost:1',
  '',
  'ws://',
  'ws://localhost:1?token=x',
  'ws://localhost:1#x',
  'ws://localhost:99999',
  'ws://localhost:-1',
  'ws://localhost:1/../x',
  'ws://localhost:1/./x',
  'ws://localhost:1/%2e%2e/x',
  'ws://localhost:1/;x',
  // almost the remote
  'ws://gate.example:8443/ws',
  'wss://gate.example/ws',
  'wss://gate.example:8444/ws',
  'wss://gate.example:8443',
  'wss://gate.example:8443/ws/',
  'wss://gate.example:8443/ws/../admin',
  'wss://gate.example:8443/WS',
  'wss://gate.example:8443/ws?x=1',
  'wss://gate.example.:8443/ws',
  'wss://10.0.0.1:8443/ws',
];

describe('an address', () => {
  it(`(1.4) refused: ${HOSTILE.length} that are not what they look like`, () => {
    for (const url of HOSTILE)
      assert.throws(
        () => whichGateway(url, KNOWN),
        { code: 'denied', message: /gatewayUrl may be .* gateway\.remote\.url/ },
        JSON.stringify(url),
      );
  });

  it('(1.4) of this machine is taken as it is; the name is not looked up again', () => {
    for (const [url, taken] of [
      ['ws://127.0.0.1:4000', 'ws://127.0.0.1:4000/'],
      ['ws://127.8.9.254:4000/ws', 'ws://127.8.9.254:4000/ws'],
      ['ws://[::1]:4000', 'ws://[::1]:4000/'],
      ['WS://LOCALHOST:4000', 'ws://127.0.0.1:4000/'],
      ['wss://localhost:4000', 'wss://localhost:4000/'],
      ['ws://localhost', 'ws://127.0.0.1/'],
    ] as const)
      assert.deepEqual(whichGateway(url, KNOWN), { kind: 'loopback', url: taken }, url);
  });

  it('of this gateway is this gateway, by every name it has', () => {
    for (const url of [
      'ws://127.0.0.1:18789',
      'ws://localhost:18789/',
      'ws://[::1]:18789',
      'ws://127.0.0.2:18789/x',
      'wss://localhost:18789',
    ])
      assert.deepEqual(whichGateway(url, KNOWN), { kind: 'own' }, url);
    assert.deepEqual(whichGateway('ws://localhost', { ...KNOWN, ownPort: 80 }), { kind: 'own' });
  });

  it('of the remote is exactly the configured one; where none is, none is', () => {
    for (const url of [REMOTE, 'WSS://Gate.Example:8443/ws'])
      assert.deepEqual(
        whichGateway(url, KNOWN),
        { kind: 'remote', url: REMOTE, token: 'remote-token', password: 'remote-password' },
        url,
      );
    assert.deepEqual(whichGateway('wss://gate.example', { remote: { url: 'wss://gate.example:443/' }, ownPort: 1 }), {
      kind: 'remote',
      url: 'wss://gate.example/',
    });
    assert.throws(() => whichGateway(REMOTE, { remote: {}, ownPort: 1 }), { code: 'denied', message: /is not set/ });
    for (const url of ['wss://x@gate.example', 'https://gate.example', 'nonsense'])
      assert.throws(
        () => whichGateway(url, { remote: { url }, ownPort: 1 }),
        { code: 'denied' },
        'a remote that is no plain address is none',
      );
  });
});

function harness({
  rights = ['configure'],
  over = {},
  known = KNOWN,
}: {
  rights?: readonly Right[];
  over?: Partial<Turn>;
  known?: Known;
} = {}) {
  const own: unknown[] = [];
  const connected: ConnectOptions[] = [];
  const called: unknown[] = [];
  const rpc = createRemoteRpc({
    rules: settingRules,
    turn: {
      origin: 'message',
      authority: peopleAuthority({ rights, hands: over.trigger || over.system ? ['somebody'] : [] }),
      ...over,
    } as Turn,
    config: () => ({ remote: known.remote }),
    ownPort: () => known.ownPort,
    goesElsewhere: (method) => method === 'toy.look',
    own: async (method, params) => {
      own.push([method, params]);
      return 'here';
    },
    async connect(options) {
      connected.push(options);
      return {
        call: async (method: string, params: unknown, { timeoutMs }: { timeoutMs: number }) => {
          called.push([method, params]);
          assert.ok(timeoutMs >= 1 && timeoutMs <= options.timeoutMs!);
          return 'there';
        },
        [Symbol.asyncDispose]: async () => undefined,
      } as unknown as GatewayConnection;
    },
  });
  return { rpc, own, connected, called };
}

describe('a call', () => {
  it('without an address, or with our own, stays here, in the bounds of its turn and without any token', async () => {
    const s = harness({ rights: [] });
    for (const at of [
      undefined,
      {},
      { timeoutMs: 5 },
      { token: 'guessed' },
      { url: 'ws://127.0.0.1:18789', token: 'guessed' },
      { url: 'ws://localhost:18789' },
    ])
      assert.equal(await s.rpc('config.patch', { raw: '{}' }, at), 'here');
    assert.equal(s.own.length, 6);
    assert.deepEqual(s.connected, []);
  });

  it('goes with the token that was given, to the remote with its own, and never with ours', async () => {
    const s = harness();
    await s.rpc('config.get', {}, { url: 'ws://127.0.0.1:4000' });
    await s.rpc('config.get', {}, { url: 'ws://127.0.0.1:4000', token: 'given' });
    await s.rpc('config.get', {}, { url: REMOTE });
    await s.rpc('config.get', {}, { url: REMOTE, token: 'given' });
    assert.deepEqual(
      s.connected.map(({ url, token, password }) => [url, token, password]),
      [
        ['ws://127.0.0.1:4000/', undefined, undefined],
        ['ws://127.0.0.1:4000/', 'given', undefined],
        [REMOTE, 'remote-token', 'remote-password'],
        [REMOTE, 'given', undefined],
      ],
    );
    for (const { client } of s.connected)
      assert.deepEqual(client, { id: 'gateway-client', mode: 'backend', displayName: 'agent' });
  });

  it('is for turns of the owner that he wrote', async () => {
    for (const given of [
      { rights: [] },
      { rights: ['approve', 'elevate'] as const },
      { over: { trigger: { origin: 'webhook', hook: 'h' }, origin: 'webhook' } as const },
      { over: { system: true } as const },
    ]) {
      const s = harness(given);
      for (const url of ['ws://127.0.0.1:4000', REMOTE])
        await assert.rejects(s.rpc('config.get', {}, { url, token: 't' }), { code: 'denied', message: /owner/ });
      assert.deepEqual(s.connected, []);
    }
  });

  it('is one of those tools make, by its name on the wire', async () => {
    const s = harness();
    await s.rpc('gateway.restart', { delayMs: 1 }, { url: REMOTE });
    await s.rpc('config.schema', undefined, { url: REMOTE });
    await s.rpc('toy.look', { a: 1 }, { url: REMOTE }); // a feature says so
    assert.deepEqual(s.called, [
      ['gateway.restart.request', { delayMs: 1 }],
      ['config.schema', {}],
      ['toy.look', { a: 1 }],
    ]);
    for (const method of [
      'toy.other',
      'config.set',
      'config.apply',
      'sessions.patch',
      'message.send',
      'exec.approval.resolve',
      'device.pair.approve',
      'node.invoke',
      'agent',
      'chat.send',
      'process.write',
      'tools.invoke',
      'constructor',
      '__proto__',
      'toString',
      '',
    ])
      await assert.rejects(s.rpc(method, {}, { url: REMOTE }), { code: 'denied' }, method);
    assert.equal(s.called.length, 3);
  });

  it('changes no guard there either', async () => {
    const s = harness();
    await s.rpc('config.patch', { raw: '{ messages: { responsePrefix: "x" } }', baseHash: 'h' }, { url: REMOTE });
    for (const raw of [
      '{ tools: null }',
      '{ tools: { exec: { ask: "off" } } }',
      '{ agent: { elevated: {} } }',
      '{ gateway: { auth: { token: "x" } } }',
      '{ channels: { telegram: { textChunkLimit: 1 } } }',
      '{ unknown: 1 }',
    ])
      await assert.rejects(s.rpc('config.patch', { raw, baseHash: 'h' }, { url: REMOTE }), { code: 'denied' }, raw);
    for (const params of [undefined, { raw: 7 }, { raw: '[]' }, { raw: '{' }])
      await assert.rejects(s.rpc('config.patch', params, { url: REMOTE }), { code: 'invalid' });
    assert.equal(s.called.length, 1);
  });

  for (const [given, timeout] of [
    [undefined, 10_000],
    [0, 1],
    [-7, 1],
    [1.9, 1],
    [NaN, 10_000],
    [30_000, 30_000],
    [Infinity, 2 ** 31 - 1],
  ] as const)
    it(`(1.4) waits ${timeout} ms when told ${given}`, async () => {
      const s = harness();
      await s.rpc('config.get', {}, present({ url: REMOTE, timeoutMs: given })).catch(() => undefined);
      assert.equal(s.connected[0]!.timeoutMs, timeout);
    });
});

describe('a real gateway', () => {
  it('answers with its token and refuses without; where nobody listens it is said', async () => {
    await using there = await startDeviceGateway();
    const url = `ws://127.0.0.1:${there.port}`;
    const rpc = createRemoteRpc({
      rules: settingRules,
      turn: { origin: 'message', authority: peopleAuthority({ rights: ['configure'] }) } as unknown as Turn,
      config: () => ({ remote: {} }),
      ownPort: () => 1,
      goesElsewhere: () => false,
      own: () => Promise.reject(new Error('not here')),
      connect: connectGateway,
    });
    const seen = (await rpc('config.get', {}, { url, token: TOKEN })) as { path: string };
    assert.equal(seen.path, '/fake/clawdbot.json');
    await assert.rejects(rpc('config.get', {}, { url, token: 'wrong' }), { code: 'auth' });
    await assert.rejects(rpc('config.get', {}, { url }), { code: 'auth' });
    await assert.rejects(rpc('config.get', {}, { url: 'ws://127.0.0.1:9' }), { code: 'network' });
  });
});
