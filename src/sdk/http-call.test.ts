/** The outcome of a request: done, refused, not sent, or unknown. No error contains the URL. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { AppError } from '../core/errors.ts';
import { httpCall } from './http-call.ts';

test('answers come with any status; what fails says whether it was ever sent', async () => {
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/cut')) return void request.socket.destroy();
    if (request.url!.startsWith('/silent')) return;
    response.writeHead(418, { 'content-type': 'application/json' }).end('{"a":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = (path: string, more: object = {}) =>
    httpCall({ service: 'it', url: `${url}${path}?password=secret`, timeoutMs: 5000, ...more });
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: AppError) => (error.message.includes('secret') ? 'shown' : error.code),
    );
  const answer = await call('/');
  assert.deepEqual([answer.status, answer.json()], [418, { a: 1 }]);
  const stop = new AbortController();
  const stopped = codeOf(call('/silent', { signal: stop.signal }));
  stop.abort();
  assert.deepEqual(
    await Promise.all([
      codeOf(call('/cut')),
      codeOf(call('/silent', { timeoutMs: 20 })),
      stopped,
      codeOf(call('/', { maxBytes: 3 })),
    ]),
    ['network', 'timeout', 'aborted', 'too_large'],
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('where nobody listens, it was never sent', async () => {
  // Never called before: a connection kept open could still look alive.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(httpCall({ service: 'it', url: `http://127.0.0.1:${port}/?password=secret`, timeoutMs: 5000 }), {
    code: 'unavailable',
    message: /^(?!.*secret)/,
  });
});
