// Connecting to a server: errors say what is wrong, and nothing is left behind.
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { dial } from './dial.ts';

const alive = new AbortController().signal;

test('a port nobody listens on, a server without TLS and one that says nothing are told apart', async () => {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('this is no TLS\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const to = { host: '127.0.0.1', port, timeoutMs: 10_000, signal: alive };
  const plain = await dial(to);
  plain.destroy();
  await assert.rejects(dial({ ...to, tls: {} }), { code: 'unavailable', message: /does not speak TLS/ });
  await assert.rejects(dial({ ...to, tls: { caFile: '/nowhere.pem' } }), { code: 'invalid', message: /nowhere\.pem/ });
  await assert.rejects(dial({ ...to, signal: AbortSignal.abort() }), { name: 'AbortError' });
  sockets.forEach((socket) => socket.destroy());
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(dial(to), { code: 'unavailable', message: /cannot be reached \(ECONNREFUSED\)/ });
});
