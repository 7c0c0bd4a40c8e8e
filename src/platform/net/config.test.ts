import assert from 'node:assert/strict';
import { test } from 'node:test';
import { securityConfigSchema } from './config.ts';

const issues = (fetch: unknown) =>
  securityConfigSchema.safeParse({ fetch }).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ??
  [];

test('without a word nothing private is open', () => {
  assert.deepEqual(securityConfigSchema.parse(undefined).fetch, { allowHosts: [], allowRanges: [] });
});

test('ranges are checked when they are read', () => {
  assert.deepEqual(
    issues({ allowRanges: ['10.20.0.0/16', '192.168.1.5/32', 'fd12:3456::/32', 'fc00::/7', '127.0.0.0/8'] }),
    [],
  );
  for (const range of [
    '10.20.0.0',
    '10.20.0.0/33',
    '10.20/16',
    '300.0.0.0/8',
    'fd00::/129',
    'fe80::1%eth0/64',
    'wiki.corp',
    '/8',
    '010.0.0.0/8',
    '10.0.0.0/8 ',
  ])
    assert.match(
      issues({ allowRanges: [range] })[0]!,
      /^fetch\.allowRanges\.0: .* is not a range in CIDR notation; write/,
      range,
    );
  for (const range of ['0.0.0.0/0', '0.0.0.0/7', '::/0', 'c000::/2'])
    assert.match(issues({ allowRanges: [range] })[0]!, /too wide for an exception/, range);
});

test('host names are checked when they are read', () => {
  assert.deepEqual(issues({ allowHosts: ['wiki.corp', '*.corp.example', 'localhost', 'bücher.example'] }), []);
  assert.match(issues({ allowHosts: ['10.0.0.1'] })[0]!, /belong in `allowRanges`/);
  assert.match(issues({ allowHosts: ['::1'] })[0]!, /belong in `allowRanges`/);
  for (const host of [
    '*',
    '*.',
    'http://wiki.corp',
    'wiki.corp/path',
    'wiki.corp:80',
    'a b',
    '*.*.corp',
    'me@wiki.corp',
  ])
    assert.match(issues({ allowHosts: [host] })[0]!, /is not a host name/, host);
});

test('the fake-IP range is the one there is, and a proxy speaks a protocol we speak', () => {
  assert.deepEqual(issues({ fakeIpRange: '198.18.0.0/15', proxy: 'socks5h://127.0.0.1:1080' }), []);
  assert.equal(issues({ fakeIpRange: '10.0.0.0/8' }).length, 1);
  assert.equal(issues({ proxy: 'ftp://proxy.example' }).length, 1);
});
