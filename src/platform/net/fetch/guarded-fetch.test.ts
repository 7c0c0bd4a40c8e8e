import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import type { AppError } from '../../../core/errors.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { http, listening, parrot, tcp } from '../fake.ts';
import { createNetGuard } from '../guard/guard.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { fetcher, failsWith } from '../fake.ts';

test('a file comes with what headers and URL say about it and where it came from', async (t) => {
  let seen: unknown;
  const port = await http(t, (request, response) => {
    seen = {
      host: request.headers.host,
      agent: request.headers['user-agent'],
      accept: request.headers.accept,
      mine: request.headers['x-mine'],
    };
    response.writeHead(200, { 'Content-Type': 'text/HTML; charset="ISO-8859-1"', 'X-Other': 'a' }).end('hello');
  });
  const file = await fetcher()(`http://page.example:${port}/a/b%20c.html?x=1`, {
    accept: 'text/html',
    headers: { 'X-Mine': '1' },
  });
  assert.deepEqual(seen, { host: `page.example:${port}`, agent: 'test/1', accept: 'text/html', mine: '1' });
  assert.equal(file.body.toString(), 'hello');
  assert.deepEqual(
    [file.url, file.status, file.mime, file.charset, file.fileName, file.headers['x-other']],
    [`http://page.example:${port}/a/b%20c.html?x=1`, 200, 'text/html', 'iso-8859-1', 'b c.html', 'a'],
  );
  assert.deepEqual(file.reached, [{ host: 'page.example', port, address: '127.0.0.1' }]);
});

test('the connection goes to the address that was checked; a name that changes its answer is not asked again', async (t) => {
  const port = await http(t, (_, response) => void response.end('vetted'));
  const given = ['127.0.0.1', '127.0.0.2'];
  let asked = 0;
  const get = fetcher({ resolve: async () => [{ address: given[asked++]!, family: 4 }] });
  assert.equal((await get(`http://rebound.example:${port}/`)).body.toString(), 'vetted');
  assert.equal(asked, 1);
  await assert.rejects(get(`http://rebound.example:${port}/`), failsWith('denied', /127\.0\.0\.2, which is loopback/));
});

test('TLS is spoken with the name of the URL, over the checked address', async (t) => {
  const names: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, callback) => {
      names.push(name);
      callback(new Error('no certificate here'));
    },
  });
  server.on('tlsClientError', () => undefined);
  const port = await listening(t, server);
  await assert.rejects(fetcher()(`https://secure.example:${port}/`), failsWith('network', /secure\.example/));
  assert.equal(names[0], 'secure.example');
});

test('the guard refuses before anything is connected', async () => {
  for (const url of [
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://localhost/',
    'http://2130706434/',
    'ftp://example.com/',
    'http://u:p@example.com/',
  ])
    await assert.rejects(fetcher()(url), failsWith('denied', /./), url);
  await assert.rejects(fetcher()('nonsense'), failsWith('invalid', /not a URL/));
});

test('a redirect to a private address, a metadata address or another protocol is refused', async (t) => {
  for (const location of [
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:7f00:2]/',
    'http://localhost:1/',
    'file:///etc/passwd',
    'http://u:p@page.example/',
  ]) {
    const port = await http(t, (_, response) => void response.writeHead(302, { location }).end());
    await assert.rejects(fetcher()(`http://page.example:${port}/`), (error) => {
      failsWith('denied', /The address is not allowed/)(error);
      const reached = (error as AppError).details?.['reached'] as { blocked?: string }[];
      assert.ok(reached.length === 2 && reached[1]!.blocked, location);
      return true;
    });
  }
});

test('three redirects are followed, a fourth is not', async (t) => {
  const port = await http(t, (request, response) => {
    const left = Number(request.url!.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead([301, 302, 303, 307, 308][left]!, { location: `/${left - 1}` }).end('moved');
  });
  const file = await fetcher()(`http://page.example:${port}/3`);
  assert.deepEqual(
    [file.body.toString(), file.url, file.reached.length],
    ['there', `http://page.example:${port}/0`, 4],
  );
  await assert.rejects(fetcher()(`http://page.example:${port}/4`), failsWith('bad_response', /more than 3 times/));
  await assert.rejects(
    fetcher()(`http://page.example:${port}/1`, { maxRedirects: 0 }),
    failsWith('bad_response', /more than 0 times/),
  );
});

test('a server that redirects for ever is left', async (t) => {
  const port = await http(t, (_, response) => void response.writeHead(302, { location: '/again' }).end());
  await assert.rejects(fetcher()(`http://page.example:${port}/`), failsWith('bad_response', /redirects/));
});

test('secrets stay with the origin they were meant for, also on the way back', async (t) => {
  const seen: Record<string, unknown>[] = [];
  const note: RequestListener = (request) =>
    void seen.push({
      url: request.url,
      auth: request.headers.authorization,
      cookie: request.headers.cookie,
      key: request.headers['x-api-key'],
      language: request.headers['accept-language'],
    });
  const first: { port: number } = { port: 0 };
  const second = await http(t, (request, response) => {
    note(request, response);
    response.writeHead(302, { location: `http://page.example:${first.port}/back` }).end();
  });
  first.port = await http(t, (request, response) => {
    note(request, response);
    if (request.url === '/back') response.end('done');
    else
      response
        .writeHead(302, { location: request.url === '/' ? '/same' : `http://page.example:${second}/other` })
        .end();
  });
  await fetcher()(`http://page.example:${first.port}/`, {
    headers: { Authorization: 'a', Cookie: 'c', 'X-Api-Key': 'k', 'Accept-Language': 'de' },
  });
  const reported = { auth: 'a', cookie: 'c', key: 'k', language: 'de' };
  const kept = { auth: undefined, cookie: undefined, key: undefined, language: 'de' };
  assert.deepEqual(seen, [
    { url: '/', ...reported },
    { url: '/same', ...reported },
    { url: '/other', ...kept },
    { url: '/back', ...kept },
  ]);
});

test('a status of 400 and more is an error that names it; 304 is not', async (t) => {
  const port = await http(t, (request, response) => void response.writeHead(Number(request.url!.slice(1))).end());
  for (const status of [400, 404, 429, 500, 503])
    await assert.rejects(
      fetcher()(`http://page.example:${port}/${status}`),
      failsWith('bad_response', new RegExp(`status ${status}`)),
    );
  assert.equal(
    (await fetcher()(`http://page.example:${port}/304`, { headers: { 'if-none-match': '"1"' } })).status,
    304,
  );
});

test('what is not HTTP is told so', async (t) => {
  const port = await parrot(t, 'SSH-2.0-OpenSSH_9.2\r\n');
  await assert.rejects(fetcher()(`http://page.example:${port}/`), failsWith('bad_response', /invalid HTTP/));
});

test('a connection that fails is tried again, three times, with growing pauses', async (t) => {
  let tries = 0;
  const port = await tcp(t, (socket) => {
    tries++;
    if (tries < 4) return void socket.resetAndDestroy();
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nback'));
  });
  const slept: number[] = [];
  assert.equal((await fetcher({ slept })(`http://page.example:${port}/`)).body.toString(), 'back');
  assert.deepEqual([tries, slept], [4, [750, 1250, 1750]]);
  tries = -10;
  await assert.rejects(fetcher({ slept: [] })(`http://page.example:${port}/`), failsWith('network', /page\.example/));
  assert.equal(tries, -6);
});

test('an answer is never asked for twice, whatever it is', async (t) => {
  let asked = 0;
  const port = await http(t, (_, response) => {
    asked++;
    response.writeHead(503).end();
  });
  await assert.rejects(fetcher()(`http://page.example:${port}/`), failsWith('bad_response', /503/));
  assert.equal(asked, 1);
});

test('the next address is tried when the first does not answer', async (t) => {
  const port = await http(t, (_, response) => void response.end('second'));
  const guard = createNetGuard({
    rules: () => ({ allowHosts: [], allowRanges: ['127.0.0.0/8'] }),
    resolve: async () => [
      { address: '127.0.0.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  });
  const file = await createGuardedFetch({ guard, userAgent: 'test/1' }).fetch(`http://page.example:${port}/`, {
    maxBytes: 100,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  assert.deepEqual(
    [file.body.toString(), file.reached],
    ['second', [{ host: 'page.example', port, address: '127.0.0.1' }]],
  );
});

test('a pause between tries counts against the time limit', async (t) => {
  const clock = createFakeClock();
  const first = Promise.withResolvers<void>();
  const port = await tcp(t, (socket) => {
    socket.resetAndDestroy();
    first.resolve();
  });
  const fetching = assert.rejects(
    fetcher({ clock })(`http://page.example:${port}/`, { timeoutMs: 400 }),
    failsWith('timeout', /0\.4 s/),
  );
  await first.promise;
  await clock.advance(400);
  await fetching;
});
