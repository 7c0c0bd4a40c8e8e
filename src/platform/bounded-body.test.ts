/** Bounded bodies: limited to the byte, after decompression; the connection is closed if there is more. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readAtMost, readBody } from './bounded-body.ts';

const tooLarge = (bytes: number | undefined): Error => new Error(`too large: ${bytes ?? 'counted'}`);

async function serve(
  answer: (response: ServerResponse) => void,
): Promise<AsyncDisposable & { url: string; server: Server }> {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function* pieces(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size).fill(size);
}

describe('the first bytes of a source', () => {
  for (const [sizes, limit, kept, whole] of [
    [[], 0, 0, true],
    [[1], 0, 0, false],
    [[3, 3], 6, 6, true],
    [[3, 3], 5, 5, false],
    [[3, 3, 3], 6, 6, false],
    [[10], 3, 3, false],
  ] as const)
    it(`${sizes.join('+') || 'nothing'} with a limit of ${limit}`, async () => {
      const read = await readAtMost(pieces(...sizes), limit);
      assert.deepEqual([read.bytes.length, read.whole], [kept, whole]);
    });

  it('are none where there is no body', async () => {
    assert.deepEqual(await readAtMost(null, 10), { bytes: Buffer.alloc(0), whole: true });
  });

  it('are all that is taken from a source without an end', async () => {
    const source = { closed: false };
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(10);
      } finally {
        source.closed = true;
      }
    }
    assert.equal((await readAtMost(endless(), 25)).bytes.length, 25);
    assert.equal(source.closed, true);
  });
});

describe('the body of an answer', () => {
  it('is read up to its limit, to the byte', async () => {
    await using at = await serve((response) => response.end('x'.repeat(1000)));
    assert.equal((await readBody(await fetch(at.url), { maxBytes: 1000, tooLarge })).length, 1000);
    await assert.rejects(readBody(await fetch(at.url), { maxBytes: 999, tooLarge }), /too large: 1000/);
  });

  it('is not begun where a larger one is announced, and the connection is closed', async () => {
    const gone = Promise.withResolvers<void>();
    await using at = await serve((response) => {
      response.once('close', () => gone.resolve());
      response.writeHead(200, { 'content-length': '5000' }).write('x');
    });
    await assert.rejects(readBody(await fetch(at.url), { maxBytes: 100, tooLarge }), /too large: 5000/);
    await gone.promise;
  });

  it('is counted where nothing is announced, and the connection is closed', async () => {
    const gone = Promise.withResolvers<void>();
    await using at = await serve((response) => {
      const more = (): boolean => response.write('x'.repeat(64), () => response.destroyed || more());
      response.once('close', () => gone.resolve());
      response.writeHead(200);
      more();
    });
    await assert.rejects(readBody(await fetch(at.url), { maxBytes: 1000, tooLarge }), /too large: counted/);
    await gone.promise;
  });

  it('counts what it unpacks to, not what came', async () => {
    const packed = gzipSync(Buffer.alloc(100_000));
    await using at = await serve((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
    assert.ok(packed.length < 1000);
    await assert.rejects(readBody(await fetch(at.url), { maxBytes: 50_000, tooLarge }), /too large: counted/);
    assert.equal((await readBody(await fetch(at.url), { maxBytes: 100_000, tooLarge })).length, 100_000);
  });

  it('fails like its connection', async () => {
    await using at = await serve((response) => {
      response.writeHead(200, { 'content-length': '50' }).write('x');
      setImmediate(() => response.destroy());
    });
    await assert.rejects(readBody(await fetch(at.url), { maxBytes: 100, tooLarge }), TypeError);
  });
});
