/** The link cache: revalidated instead of downloaded again, private, bounded, and harmless when it fails. */
import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { fakeSite, runLinkUnderstand } from './fake.ts';
import { createLinkCache } from './link-cache.ts';

test('a second call asks whether it changed and prints what was kept', async () => {
  await using dir = await tempDir('link-cache');
  let version = 1;
  await using site = await fakeSite({
    '/x': (request, response) => {
      const etag = `"v${version}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else
        response
          .writeHead(200, { 'content-type': 'text/plain; charset=windows-1252', etag })
          .end(Buffer.from(`caf\u00e9 ${version}`, 'latin1'));
    },
  });
  const run = async (): Promise<string> =>
    (await runLinkUnderstand(['--url', `${site.origin}/x`, '--cache', dir.path])).out;
  assert.equal(await run(), 'café 1\n');
  assert.equal(await run(), 'café 1\n');
  assert.deepEqual(
    site.requests.map(({ headers }) => headers['if-none-match']),
    [undefined, '"v1"'],
  );
  version = 2;
  assert.equal(await run(), 'café 2\n');
  const [file, ...others] = readdirSync(dir.path);
  assert.match(file!, /^[0-9a-f]{64}\.page$/);
  assert.deepEqual(others, []);
  assert.equal(statSync(join(dir.path, file!)).mode & 0o777, 0o600);
  writeFileSync(join(dir.path, file!), 'damaged');
  assert.equal(await run(), 'café 2\n');
});

const download = (url: string, headers: Record<string, string>, body = 'x') => ({
  url,
  status: 200,
  headers,
  mime: 'text/plain',
  body: Buffer.from(body),
  reached: [],
});

test('what has no version, or must not be stored, is not kept', async () => {
  await using dir = await tempDir('link-cache');
  const cache = createLinkCache(dir.path);
  await cache.keep('http://a.example/', download('http://a.example/', {}));
  await cache.keep(
    'http://b.example/',
    download('http://b.example/', { etag: '"1"', 'cache-control': 'private, no-store' }),
  );
  assert.deepEqual(readdirSync(dir.path), []);
  await cache.keep(
    'http://c.example/',
    download('http://c.example/to', { 'last-modified': 'Mon, 02 Feb 2026 10:00:00 GMT' }),
  );
  assert.deepEqual(await cache.find('http://c.example/'), {
    ask: { 'if-modified-since': 'Mon, 02 Feb 2026 10:00:00 GMT' },
    file: { url: 'http://c.example/to', mime: 'text/plain', body: Buffer.from('x') },
  });
  await cache.keep('http://c.example/', download('http://c.example/to', {}));
  assert.equal(await cache.find('http://c.example/'), undefined);
});

test('the oldest go when there are more than 200', async () => {
  await using dir = await tempDir('link-cache');
  const cache = createLinkCache(dir.path);
  for (let index = 0; index < 203; index++)
    await cache.keep(`http://a.example/${index}`, download(`http://a.example/${index}`, { etag: '"1"' }));
  assert.equal(readdirSync(dir.path).length, 200);
  assert.notEqual(await cache.find('http://a.example/202'), undefined);
});

test('a directory that cannot be used costs a line, not the answer', async () => {
  await using dir = await tempDir('link-cache');
  writeFileSync(join(dir.path, 'file'), 'in the way');
  await using site = await fakeSite({
    '/x': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/plain', etag: '"1"' }).end('text'),
  });
  const { code, out, err } = await runLinkUnderstand([
    '--url',
    `${site.origin}/x`,
    '--cache',
    join(dir.path, 'file', 'deep'),
  ]);
  assert.deepEqual([code, out], [0, 'text\n']);
  assert.match(err, /the cache is not used/);
});
