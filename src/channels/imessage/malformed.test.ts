/** Answers of imsg and BlueBubbles of another form than they have: an outcome that is named, and nothing else. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { createBlueApi } from './blue-api.ts';
import { openImsgRpc } from './imsg-rpc.ts';

const isOurs = (text: string, codes: readonly string[]) => (thrown: unknown) => {
  assert.ok(thrown instanceof AppError, `${text}: ${String(thrown)}`);
  assert.ok(codes.includes(thrown.code), `${text}: ${thrown.code}`);
  return true;
};

/** Writes the next line for each request, with the number of the request in it. */
const PROGRAM = `
const lines = JSON.parse(process.argv[1]);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(lines.shift().replace('ID', JSON.parse(line).id));
});`;

test('errors of imsg of any form are told, and the next answer is heard', async () => {
  const errors = ['7', '{}', '{"data":null}', '{"message":{},"data":7}', '{"code":"x","data":{"retry_safe":"yes"}}'];
  const lines = errors.map((error) => `{"jsonrpc":"2.0","id":"ID","error":${error}}`);
  const last = '{"jsonrpc":"2.0","id":"ID","result":{"ok":true}}';
  const malformed: number[] = [];
  await using rpc = await openImsgRpc(
    { command: process.execPath, args: ['-e', PROGRAM, JSON.stringify([...lines, `null\n7\n[]\n"x"\n${last}`])] },
    { onNotification: () => undefined, onAlive: () => undefined, onMalformed: (size) => void malformed.push(size) },
  );
  for (const error of errors) await assert.rejects(rpc.call('send'), isOurs(error, ['network', 'invalid']));
  assert.deepEqual(await rpc.call('status'), { ok: true });
  assert.ok(malformed.length >= 2, 'what is no message is counted');
});

test('answers of BlueBubbles of any form are told', async () => {
  const answers: { readonly status: number; readonly body: string }[] = [];
  const server = createServer((_, response) => {
    const { status, body } = answers.shift()!;
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = createBlueApi({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    password: 'blue-password',
    onAuthError: () => assert.fail('the password is not refused'),
  });
  try {
    for (const status of [200, 400, 500])
      for (const body of ['', 'no json', 'null', '7', '"x"', '{"message":{},"error":7}', '{"error":null}']) {
        if (status === 200 && body.startsWith('{')) continue; // an answer without data
        answers.push({ status, body });
        await assert.rejects(api.call('message/text'), isOurs(`${status} ${body}`, ['network', 'invalid']));
      }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
