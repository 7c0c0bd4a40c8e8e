import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listDir } from '../../../platform/files.ts';
import { commandLineOf } from '../platform/port-listener.ts';
import { fails, openHarness, type Harness } from '../harness.ts';

/** Fake browser programs, each with a failure that real browsers show. */
describe('a browser that does not come up', { skip: process.platform !== 'linux' && 'shell scripts and /proc' }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
  });
  after(() => h[Symbol.asyncDispose]());

  const pretend = async (script: string): Promise<void> => {
    const path = join(h.folder, 'pretender');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    h.configure({ executablePath: path });
  };
  const left = async (): Promise<readonly string[]> => {
    const found = await Promise.all(
      (await listDir('/proc')).map(
        async ({ name }) => (await commandLineOf(Number(name)).catch(() => undefined)) ?? [],
      ),
    );
    return found.flat().filter((word) => word.includes(h.folder));
  };

  test('one that ends says what it wrote, after a second try, and leaves nothing', async () => {
    await pretend(`echo try >> ${h.folder}/tries; echo "libnss3.so: cannot open shared object file" >&2; exit 127`);
    await assert.rejects(
      h.call('POST', '/start'),
      fails('unavailable', /did not start\. It ended with exit code 127\. Its last output:\n.*libnss3\.so/),
    );
    assert.equal(
      (await listDir(h.folder)).some(({ name }) => name === 'tries'),
      true,
    );
    assert.deepEqual(await left(), []);
  });

  test('one whose DevTools take no connection is ended', async () => {
    await pretend('echo "DevTools listening on ws://127.0.0.1:1/devtools/browser/x" >&2; exec sleep 60');
    await assert.rejects(h.call('POST', '/start'), fails('network', /127\.0\.0\.1:1 takes no connection/));
    assert.deepEqual(await left(), []);
  });

  test('one whose DevTools never answer is waited for as long as its caller waits, and ended then', async () => {
    const { WebSocketServer } = await import('ws');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = Promise.withResolvers<void>();
    const sockets = new WebSocketServer({ server }).on('connection', (socket) => {
      socket.once('message', () => asked.resolve());
    });
    const { port } = server.address() as AddressInfo;
    await pretend(`echo "DevTools listening on ws://127.0.0.1:${port}/devtools/browser/x" >&2; exec sleep 60`);
    const caller = new AbortController();
    const start = h.call('POST', '/start', {}, { signal: caller.signal });
    await asked.promise;
    caller.abort();
    await assert.rejects(start, fails('aborted', /no longer waits for the browser/));
    assert.deepEqual(await left(), []);
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });

  test('one that breaks the connection while it is set up is tried once more', async () => {
    const { WebSocketServer } = await import('ws');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    let connections = 0;
    new WebSocketServer({ server }).on('connection', (socket) => {
      connections++;
      socket.once('message', () => socket.terminate());
    });
    const { port } = server.address() as AddressInfo;
    await pretend(`echo "DevTools listening on ws://127.0.0.1:${port}/devtools/browser/x" >&2; exec sleep 60`);
    await assert.rejects(h.call('POST', '/start'), fails('network', /ended the connection|closed/));
    assert.equal(connections, 2);
    server.close();
  });
});
