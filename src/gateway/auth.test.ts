// Which callers are authenticated, and which count as local.
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createGatewayAuth } from './auth.ts';
import { gatewayConfigSchema } from './config.ts';

function request(remoteAddress: string, headers: Record<string, string>): IncomingMessage {
  const req = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
  Object.assign(req.headers, headers);
  return req;
}

describe('gateway auth', () => {
  const auth = createGatewayAuth({
    mode: 'token',
    token: 'secret',
    devices: {
      principalOf: (token) => (token === 'dev' ? { kind: 'operator', id: 'd1', scopes: ['operator.read'] } : undefined),
    },
  });

  it('takes the shared token as owner and a device token with its own scopes', () => {
    assert.deepEqual(auth.checkBearer('secret'), { ok: true, principal: { kind: 'owner' }, method: 'token' });
    assert.deepEqual(auth.checkBearer('dev'), {
      ok: true,
      principal: { kind: 'operator', id: 'd1', scopes: ['operator.read'] },
      method: 'device-token',
    });
  });

  it('tells a missing secret from a wrong one', () => {
    assert.deepEqual(auth.checkBearer(undefined), { ok: false, reason: 'missing' });
    assert.deepEqual(auth.checkBearer(''), { ok: false, reason: 'missing' });
    assert.deepEqual(auth.checkBearer('secre'), { ok: false, reason: 'mismatch' });
    assert.deepEqual(auth.checkShared({ password: 'secret' }), { ok: false, reason: 'missing' });
  });

  it('accepts nothing when no secret is set', () => {
    const open = createGatewayAuth({ mode: 'password' });
    assert.deepEqual(open.checkShared({ password: '' }), { ok: false, reason: 'missing' });
    assert.deepEqual(open.checkBearer('undefined'), { ok: false, reason: 'mismatch' });
  });
});

describe('client address', () => {
  const auth = createGatewayAuth({ mode: 'token', token: 'x', trustedProxies: ['127.0.0.1', '10.0.0.2'] });
  const strict = createGatewayAuth({ mode: 'token', token: 'x' });
  const cases: [string, typeof auth, string, Record<string, string>, { ip: string; local: boolean }][] = [
    [
      'loopback with a local Host is local',
      strict,
      '127.0.0.1',
      { host: 'localhost:18789' },
      { ip: '127.0.0.1', local: true },
    ],
    [
      'mapped IPv4 loopback is loopback',
      strict,
      '::ffff:127.0.0.1',
      { host: '127.0.0.1:1' },
      { ip: '127.0.0.1', local: true },
    ],
    ['IPv6 loopback with brackets', strict, '::1', { host: '[::1]:18789' }, { ip: '::1', local: true }],
    [
      'a foreign Host on loopback is remote',
      strict,
      '127.0.0.1',
      { host: 'evil.example' },
      { ip: '127.0.0.1', local: false },
    ],
    [
      'a name that only begins like loopback is remote',
      strict,
      '127.0.0.1',
      { host: '127.0.0.1.evil.example' },
      { ip: '127.0.0.1', local: false },
    ],
    ['no Host is remote', strict, '127.0.0.1', {}, { ip: '127.0.0.1', local: false }],
    [
      'proxy headers from an unknown peer are remote',
      strict,
      '127.0.0.1',
      { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
      { ip: '127.0.0.1', local: false },
    ],
    [
      'a trusted proxy names the client',
      auth,
      '10.0.0.2',
      { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
      { ip: '203.0.113.9', local: false },
    ],
    [
      'the nearest untrusted hop counts, not what the client claimed',
      auth,
      '127.0.0.1',
      { host: 'localhost', 'x-forwarded-for': '127.0.0.5, 203.0.113.9, 10.0.0.2' },
      { ip: '203.0.113.9', local: false },
    ],
    [
      'a trusted proxy without a client address is remote',
      auth,
      '127.0.0.1',
      { host: 'localhost', 'x-forwarded-proto': 'https' },
      { ip: '127.0.0.1', local: false },
    ],
  ];
  for (const [name, subject, peer, headers, expected] of cases)
    it(name, () => assert.deepEqual(subject.clientAddress(request(peer, headers)), expected));
});

describe('gateway config', () => {
  it('is closed by default', () => {
    const config = gatewayConfigSchema.parse(undefined);
    assert.equal(config.bind, 'loopback');
    assert.equal(config.auth.mode, 'token');
  });

  it('refuses a custom bind without a usable address', () => {
    for (const customBindHost of [undefined, 'all', '300.1.1.1'])
      assert.equal(
        gatewayConfigSchema.safeParse({ bind: 'custom', customBindHost }).success,
        false,
        String(customBindHost),
      );
    assert.equal(gatewayConfigSchema.safeParse({ bind: 'custom', customBindHost: '192.168.1.4' }).success, true);
  });
});
