import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyUrl, userProxy } from './user-proxy.ts';

const https = { protocol: 'https:', hostname: 'a.example', port: 443 };
const http = { protocol: 'http:', hostname: 'a.example', port: 80 };

test('the configured proxy comes before those of the environment, lower case before upper case', () => {
  const vars = {
    HTTP_PROXY: 'http://upper',
    http_proxy: 'http://lower',
    HTTPS_PROXY: 'http://secure',
    ALL_PROXY: 'socks5://all',
  };
  assert.equal(userProxy({ vars })(http), 'http://lower');
  assert.equal(userProxy({ vars })(https), 'http://secure');
  assert.equal(userProxy({ vars: { ALL_PROXY: 'socks5://all', HTTPS_PROXY: '' } })(https), 'socks5://all');
  assert.equal(userProxy({ vars, configured: 'http://mine' })(https), 'http://mine');
  assert.equal(userProxy({ vars: {} })(https), undefined);
});

test('NO_PROXY: names with what is below them, ports, addresses, ranges, everything', () => {
  const direct = (list: string, hostname: string, port = 443) =>
    userProxy({ vars: { NO_PROXY: list }, configured: 'http://p' })({ protocol: 'https:', hostname, port }) ===
    undefined;
  for (const [list, host] of [
    ['*', 'x.example'],
    ['example.com', 'example.com'],
    ['example.com', 'A.example.com'],
    ['.example.com', 'a.example.com'],
    ['*.example.com', 'a.example.com'],
    ['x, 10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8', '10.9.9.9'],
    ['::1', '[::1]'],
    ['a b example.com:443', 'example.com'],
  ] as const)
    assert.ok(direct(list, host), `${list} ${host}`);
  for (const [list, host] of [
    ['', 'x.example'],
    ['example.com', 'badexample.com'],
    ['example.com', 'example.com.evil'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['example.com:80', 'example.com'],
    ['0.0.1', '10.0.0.1'],
  ] as const)
    assert.ok(!direct(list, host), `${list} ${host}`);
});

test('a proxy may be written without a scheme; what cannot be used is an error without its text', () => {
  assert.equal(readProxyUrl('proxy.example:3128').href, 'http://proxy.example:3128/');
  assert.equal(readProxyUrl('socks5h://u:p@proxy.example:1080').hostname, 'proxy.example');
  for (const text of ['ftp://me:hidden@x', 'http://me:hidden@', ''])
    assert.throws(
      () => readProxyUrl(text),
      (error: Error) => /cannot be used/.test(error.message) && !error.message.includes('hidden'),
    );
});
