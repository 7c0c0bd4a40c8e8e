import assert from 'node:assert/strict';
import { test } from 'node:test';
import { http, httpProxy, parrot, socksProxy } from '../fake.ts';
import { fetcher, failsWith } from '../fake.ts';

test(
  'through an HTTP proxy: plain requests are forwarded with the whole URL, TLS is tunnelled, the guard comes ' +
    'first',
  async (t) => {
    const proxy = await httpProxy(t);
    const port = await http(
      t,
      (request, response) =>
        void response.end(`${request.headers.host} ${request.url} ${request.headers['proxy-authorization']}`),
    );
    const get = fetcher({ proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` });
    const file = await get(`http://page.example:${port}/x`);
    assert.equal(file.body.toString(), `page.example:${port} /x undefined`);
    assert.deepEqual(file.reached, [{ host: 'page.example', port }]);
    await assert.rejects(get(`https://page.example:${port}/`), failsWith('network', /page\.example/));
    await assert.rejects(get('http://169.254.169.254/'), failsWith('denied', /credentials/));
    await assert.rejects(get('http://localhost/'), failsWith('denied', /localhost/));
    assert.deepEqual(proxy.asked.slice(0, 2), [`GET http://page.example:${port}/x`, `CONNECT page.example:${port}`]);
    assert.deepEqual(new Set(proxy.credentials), new Set([`Basic ${Buffer.from('me:p@ss').toString('base64')}`]));
  },
);

test('through a SOCKS proxy: socks5 is handed the checked address, socks5h the name', async (t) => {
  const port = await http(t, (_, response) => void response.end('through'));
  const plain = await socksProxy(t);
  const file = await fetcher({ proxy: `socks5://127.0.0.1:${plain.port}` })(`http://page.example:${port}/`);
  assert.deepEqual(
    [file.body.toString(), file.reached],
    ['through', [{ host: 'page.example', port, address: '127.0.0.1' }]],
  );
  const login = await socksProxy(t, { login: true });
  assert.equal(
    (
      await fetcher({ proxy: `socks5h://me:pass@127.0.0.1:${login.port}` })(`http://page.example:${port}/`)
    ).body.toString(),
    'through',
  );
  assert.deepEqual([plain.asked, login.asked], [[`SOCKS 127.0.0.1:${port}`], [`SOCKS page.example:${port}`]]);
});

test('a proxy that does not do its part is named, its password is not', async (t) => {
  const refusing = await httpProxy(t, { refuses: true });
  const locked = await socksProxy(t, { login: true });
  const stuck = await socksProxy(t, { status: 5 });
  const cases: [string, RegExp][] = [
    [`http://me:hidden@127.0.0.1:${refusing.port}`, /it answered 403/],
    [`socks5://me:hidden@127.0.0.1:${locked.port}`, /rejected the user name and password/],
    [`socks5://127.0.0.1:${stuck.port}`, /connection refused/],
    [`socks5://127.0.0.1:${await parrot(t, 'HTTP/1.1 400\r\n\r\n')}`, /The proxy 127\.0\.0\.1/],
  ];
  for (const [proxy, message] of cases) {
    await assert.rejects(
      fetcher({ proxy })('https://page.example/'),
      (error) => failsWith('network', message)(error) && !String(error).includes('hidden'),
    );
  }
  await assert.rejects(
    fetcher({ proxy: 'quic://me:hidden@x' })('http://page.example/'),
    (error) => failsWith('invalid', /cannot be used/)(error) && !String(error).includes('hidden'),
  );
});
