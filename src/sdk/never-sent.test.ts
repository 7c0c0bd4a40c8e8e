/** Failures before sending are distinguished from those after it, with real failures. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { it } from 'node:test';
import { neverSent } from './never-sent.ts';

async function codeOf(url: string): Promise<unknown> {
  const failed = await fetch(url).then(
    () => assert.fail('it was answered'),
    (error: Error) => error.cause as { code?: unknown },
  );
  return failed.code;
}

it('a port nobody listens on was never reached; a connection that broke may have carried it', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  assert.equal(neverSent(await codeOf(url)), false);
  server.close();
  await once(server, 'close');
  assert.equal(neverSent(await codeOf(url)), true);
});

it('what is unknown may have left', () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', '', undefined, 7])
    assert.equal(neverSent(code), false);
});
