// What is posted without Node's `fetch` is answered, refused and broken off as `fetch` would.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { lightFetch } from './light-fetch.ts';

const TEXT = `data: {"a":"grüße"}\n\n${'x'.repeat(200_000)}\n`;

/** What a server may do with a request, by its path. */
const ACTS: Readonly<Record<string, (req: IncomingMessage, res: ServerResponse) => void>> = {
  '/plain': (_req, res) => void res.writeHead(200, 'Fine', { 'x-of': ['a', 'b'] }).end(TEXT),
  '/gzip': (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(TEXT)),
  '/deflate': (_req, res) => void res.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(TEXT)),
  '/br': (_req, res) => void res.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(TEXT)),
  '/garbage': (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
  '/refused': (_req, res) => void res.writeHead(429, { 'retry-after': '7' }).end('{"error":"slow down"}'),
  '/nothing': (_req, res) => void res.writeHead(204).end(),
  '/echo': (req, res) => void req.pipe(res.writeHead(200, { 'x-kind': req.headers['content-type'] ?? '' })),
  '/hang-up': (_req, res) => void res.destroy(),
  '/break': (_req, res) => {
    res.writeHead(200, { 'content-length': TEXT.length * 2 });
    res.write(TEXT, () => res.destroy());
  },
  '/elsewhere': (_req, res) => void res.writeHead(307, { location: '/plain' }).end(),
  '/never': () => undefined,
  '/never-ends': (_req, res) => void res.writeHead(200).write('begun'),
};
const POST = { method: 'POST', body: '{"käse":1}', headers: { 'Content-Type': 'application/json' } };
const lightly: typeof fetch = async (input, init) => {
  const answer = await lightFetch(input, init, { watch: () => () => undefined });
  assert.ok(answer, 'it was of its kind');
  return answer;
};

describe('a text that is posted', () => {
  const server = createServer((req, res) => ACTS[req.url!]!(req, res));
  const at = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** All that a reader of `fetch` can see of an answer, or of its failure. */
  async function seen(by: typeof fetch, path: string): Promise<unknown> {
    try {
      const response = await by(at(path), POST);
      const { status, statusText, ok, url } = response;
      const headers = ['x-of', 'x-kind', 'retry-after'].map((name) => response.headers.get(name));
      const body = await response.text().catch((error: Error) => `${error.name}: ${error.message}`);
      return { status, statusText, ok, url, headers, body };
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  }

  for (const path of Object.keys(ACTS).filter((name) => !/never|elsewhere|garbage/.test(name)))
    it(`to ${path} looks the same to its reader`, async () => {
      assert.deepEqual(await seen(lightly, path), await seen(fetch, path));
    });

  it('fails where nobody listens, with the code of the system', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    await assert.rejects(lightly(`http://127.0.0.1:${port}/`, POST), (error: Error) => {
      assert.equal(error.message, 'fetch failed');
      assert.equal((error.cause as NodeJS.ErrnoException).code, 'ECONNREFUSED');
      return true;
    });
  });

  it('whose answer is packed and cannot be unpacked fails for its reader', async () => {
    const response = await lightly(at('/garbage'), POST);
    await assert.rejects(response.text(), { name: 'TypeError', message: 'terminated' });
  });

  it('ends with the reason of its signal, before the answer and within it', async () => {
    const why = new Error('enough');
    for (const path of ['/never', '/never-ends']) {
      const stop = new AbortController();
      const answer = lightly(at(path), { ...POST, signal: stop.signal }).then((response) => response.text());
      await once(server, 'request');
      stop.abort(why);
      await assert.rejects(answer, (error) => error === why);
    }
    await assert.rejects(lightly(at('/plain'), { ...POST, signal: AbortSignal.abort(why) }), (error) => error === why);
  });

  it('stops where the watch throws, and its server hears of that', async () => {
    const gone = once(server, 'request').then(([, res]) => once(res as ServerResponse, 'close'));
    const watch = () => () => {
      throw new RangeError('too much');
    };
    const response = await lightFetch(at('/never-ends'), POST, { watch });
    await assert.rejects(response!.text(), RangeError);
    await gone;
  });

  it('waits for a reader that is slow', async () => {
    const pieces: number[] = [];
    const endless = createServer((_req, res) => {
      const more = (): void => {
        while (res.write('x'.repeat(65_536)));
        res.once('drain', more);
      };
      more();
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const response = await lightFetch(`http://127.0.0.1:${port}/`, POST, {
      watch: () => (piece) => void pieces.push(piece.byteLength),
    });
    const reader = response!.body!.getReader();
    await reader.read();
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(pieces.reduce((sum, bytes) => sum + bytes, 0) < 1024 * 1024, `${pieces.length} pieces were taken`);
    await reader.cancel();
    endless.closeAllConnections();
    endless.close();
  });

  it('is left to `fetch` where it is of another kind, or wanted elsewhere', async () => {
    const of = (init: RequestInit, path = '/plain') => lightFetch(at(path), init, { watch: () => () => undefined });
    assert.equal(await of({ ...POST, method: 'PUT' }), undefined);
    assert.equal(await of({ ...POST, body: new FormData() }), undefined);
    assert.equal(await of({ ...POST, redirect: 'error' }), undefined);
    assert.equal(await of(POST, '/elsewhere'), undefined);
    assert.equal(await lightFetch(new Request(at('/plain'), POST), POST, { watch: () => () => undefined }), undefined);
  });
});
