import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { http, parrot, tcp } from '../fake.ts';
import { fetcher, failsWith } from '../fake.ts';

test('a body over the limit is left, whether its length is told, hidden or a lie', async (t) => {
  const reported = await http(
    t,
    (_, response) => void response.writeHead(200, { 'content-length': 1e9 }).flushHeaders(),
  );
  const hidden = await http(t, (_, response) => void response.end('x'.repeat(1001)));
  for (const port of [reported, hidden])
    await assert.rejects(
      fetcher()(`http://page.example:${port}/`, { maxBytes: 1000 }),
      failsWith('too_large', /larger than 1000 bytes/),
    );
  const fits = await http(t, (_, response) => void response.end('x'.repeat(1000)));
  assert.equal((await fetcher()(`http://page.example:${fits}/`, { maxBytes: 1000 })).body.length, 1000);
  const shorter = await parrot(t, 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort');
  await assert.rejects(fetcher()(`http://page.example:${shorter}/`), failsWith('network', /failed/));
  const longer = await parrot(t, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nokAND MORE');
  assert.equal((await fetcher()(`http://page.example:${longer}/`)).body.toString(), 'ok');
});

test('a body without end is left at the limit', async (t) => {
  const port = await http(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  });
  await assert.rejects(
    fetcher()(`http://page.example:${port}/`, { maxBytes: 1_000_000 }),
    failsWith('too_large', /1000000/),
  );
});

test('a gzip bomb is left at the limit of what it unpacks to, with bounded memory', async (t) => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  const port = await http(
    t,
    (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end(bomb),
  );
  const held = () => process.memoryUsage().arrayBuffers;
  const before = held();
  let max = before;
  const watch = setInterval(() => (max = Math.max(max, held())), 1);
  await assert.rejects(
    fetcher()(`http://page.example:${port}/`, { maxBytes: 1_000_000 }),
    failsWith('too_large', /1000000/),
  );
  clearInterval(watch);
  const grown = Math.max(max, held()) - before;
  t.diagnostic(
    `a gzip bomb of ${bomb.length} bytes for 200 MiB: at most ${Math.round(grown / 1024)} KiB of buffers at a time`,
  );
  assert.ok(grown < 32 * 1024 * 1024);
});

test('compressed text arrives unpacked', async (t) => {
  const port = await http(
    t,
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain again')),
  );
  assert.equal((await fetcher()(`http://page.example:${port}/`)).body.toString(), 'plain again');
  const broken = await http(
    t,
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip'),
  );
  await assert.rejects(fetcher()(`http://page.example:${broken}/`), failsWith('bad_response', /page\.example/));
});

test('the time limit covers silence, a body that drips, and the wait for a name', async (t) => {
  const silent = await tcp(t, () => undefined);
  const drip = await http(t, (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 5);
    response.once('close', () => clearInterval(timer));
  });
  const slowName = fetcher({ resolve: () => new Promise(() => undefined) });
  for (const get of [
    () => fetcher()(`http://page.example:${silent}/`, { timeoutMs: 60 }),
    () => fetcher()(`http://page.example:${drip}/`, { timeoutMs: 60 }),
    () => slowName('http://page.example/', { timeoutMs: 60 }),
  ]) {
    await assert.rejects(get(), failsWith('timeout', /longer than 0\.06 s/));
  }
});

test('whoever asked may stop it', async (t) => {
  const controller = new AbortController();
  const port = await http(t, (_, response) => {
    response.write('begun');
    controller.abort();
  });
  await assert.rejects(
    fetcher()(`http://page.example:${port}/`, { signal: controller.signal }),
    failsWith('aborted', /stopped/),
  );
});
