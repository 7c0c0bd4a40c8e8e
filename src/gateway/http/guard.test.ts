/** Which requests the guard accepts and which it refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRequest, hostName, type GuardRules } from './guard.ts';

const loopback: GuardRules = { loopbackOnly: true, hostNames: [], allowedOrigins: ['https://ui.example.com'] };
const lan: GuardRules = { loopbackOnly: false, hostNames: ['den', 'den.local'], allowedOrigins: [] };
const refused = (headers: { host?: string; origin?: string }, rules = loopback, query = ''): string | undefined => {
  try {
    checkRequest({ query, headers }, rules);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('on loopback only local and configured names are believed in Host', () => {
  for (const host of [
    'localhost',
    'localhost:18789',
    'LOCALHOST:1',
    '127.0.0.1:18789',
    '127.0.0.1',
    '[::1]:18789',
    '[::1]',
    'ui.example.com',
    'ui.example.com:443',
  ])
    assert.equal(refused({ host }), undefined, host);
  for (const host of [
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:x',
    '[::1]evil',
    '192.168.1.5',
    'den',
    'x@localhost',
    'localhost.',
    '0x7f.1',
  ])
    assert.equal(refused(host === undefined ? {} : { host }), 'denied', host);
});

test('on a LAN addresses and the machine name are believed, other names are not', () => {
  for (const host of ['192.168.1.5:18789', '[fe80::1]:1', 'den:18789', 'den.local', 'localhost'])
    assert.equal(refused({ host }, lan), undefined, host);
  for (const host of ['evil.example', 'den.evil.example']) assert.equal(refused({ host }, lan), 'denied', host);
});

test('a page of another site is refused, our own and allowed ones are not', () => {
  const host = '127.0.0.1:18789';
  for (const origin of [undefined, 'http://127.0.0.1:18789', 'https://127.0.0.1:18789', 'https://ui.example.com'])
    assert.equal(refused(origin === undefined ? { host } : { host, origin }), undefined, origin);
  for (const origin of [
    'null',
    'http://evil.example',
    'http://127.0.0.1:9',
    'http://localhost:18789',
    'https://ui.example.com.evil.example',
    'http://ui.example.com',
    '',
  ])
    assert.equal(refused({ host, origin }), 'denied', origin);
});

test('a secret in the address is refused, whatever its spelling', () => {
  const host = 'localhost';
  for (const query of ['token=x', 'a=1&TOKEN=x', '%74oken=x', 'access_token', 'password=', '+token=1', 'api_key=1'])
    assert.equal(refused({ host }, loopback, query), 'invalid', query);
  for (const query of ['tokens=1', 'q=token', 'meta=1', '%zz=1'])
    assert.equal(refused({ host }, loopback, query), undefined, query);
});

test('host names are read without their port', () => {
  assert.deepEqual(['a.b:1', 'A', '[::1]:2', 'a:b:c', ':1', ''].map(hostName), [
    'a.b',
    'a',
    '::1',
    undefined,
    undefined,
    undefined,
  ]);
});
