import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { openTransport } from './transport.ts';

test('what arrives together is handed on one by one: between two, whoever waited for the first has run', async () => {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  sockets.on('connection', (socket, { socket: raw }) => {
    socket.once('message', () => {
      raw.cork(); // so that all of them arrive in one chunk
      for (let id = 0; id < 20; id++) socket.send(JSON.stringify({ id }));
      raw.uncork();
    });
  });
  const { port } = http.address() as AddressInfo;
  const { transport, closed } = await openTransport(`ws://127.0.0.1:${port}/`, new AbortController().signal);
  const order: string[] = [];
  const all = Promise.withResolvers<void>();
  transport.onmessage = (message) => {
    const { id } = message as { readonly id: number };
    order.push(`message ${id}`);
    // As many promise ticks after the message as the driver needs.
    let turn = Promise.resolve();
    for (let step = 0; step < 10; step++) turn = turn.then(() => undefined);
    void turn.then(() => {
      order.push(`heard ${id}`);
      if (id === 19) all.resolve();
    });
  };
  transport.send({ ready: true });
  await all.promise;
  transport.close();
  await closed;
  sockets.close();
  http.close();
  const heard = order.filter((one) => one.startsWith('message')).map((one) => one.replace('message', 'heard'));
  assert.deepEqual(
    order,
    heard.flatMap((one) => [one.replace('heard', 'message'), one]),
  );
});
