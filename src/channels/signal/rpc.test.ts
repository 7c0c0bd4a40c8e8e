/** Answers of a daemon that are no JSON-RPC, or whose error has another form: an outcome that is named. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { createRpc } from './rpc.ts';

const error = (value: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: '1', error: value });

test('an answer of another form is an error of ours, of which nobody knows what became of the request', async () => {
  const answers: string[] = [];
  const server = createServer((_, response) => void response.end(answers.shift()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused: string[] = [];
  const rpc = createRpc({ url, account: '+15550000001', onAuthError: ({ code }) => void refused.push(code) });
  try {
    for (const [text, code] of [
      ['no json', 'network'],
      ['', 'network'],
      ['null', 'network'],
      ['7', 'network'],
      ['[]', 'network'],
      ['{}', 'network'],
      [error(7), 'invalid'],
      [error({}), 'invalid'],
      [error({ message: {}, data: 7 }), 'invalid'],
      [error({ code: -4, data: null }), 'denied'],
      [error({ message: 'x', data: { response: { results: 'none' } } }), 'invalid'],
      [error({ message: 'x', data: { response: { results: [null, { type: 'IDENTITY_FAILURE' }] } } }), 'denied'],
    ] as const) {
      answers.push(text);
      await assert.rejects(rpc.call('send'), (thrown) => {
        assert.ok(thrown instanceof AppError, `${text}: ${String(thrown)}`);
        assert.equal(thrown.code, code, text);
        return true;
      });
    }
    assert.deepEqual(refused, [], 'none of them says that the account is gone');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
