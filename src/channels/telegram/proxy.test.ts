/** Telegram through an HTTP proxy: calls, polls and files go through it, and nothing goes around it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { AppError } from '../../core/errors.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { openHarness } from '../../testing/channel-contract/harness.ts';
import { startFakeTelegram } from './fake.ts';
import telegram from './index.ts';

/** Passes requests on, plain and through tunnels, and says which. */
async function startProxy() {
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url!);
    seen.push(pathname);
    const onward = request(incoming.url!, { method: incoming.method!, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', ({ url = '' }, socket) => {
    seen.push(`CONNECT ${url}`);
    const [host, port] = url.split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const one of [socket, onward]) one.on('error', () => one.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('calls, polls and files go through the proxy', async () => {
  await using proxy = await startProxy();
  const ann = { kind: 'direct', id: '501' } as const;
  await using on = await openHarness({
    plugin: telegram,
    async start() {
      const platform = await startFakeTelegram();
      return Object.create(platform, {
        config: { value: { ...platform.config, proxy: proxy.url } },
      }) as typeof platform;
    },
    chats: { direct: ann, group: { kind: 'group', id: '-1001' } },
    people: { ann: '501', bob: '502' },
  });
  const file = { name: 'p.txt', mime: 'text/plain', data: Buffer.from('through the proxy') };
  await on.platform.write({ chat: ann, by: '501', text: 'look', file });
  const { attachments } = await on.heard((message) => message.attachments.length > 0);
  const limits = { maxBytes: 1000, signal: AbortSignal.timeout(10_000) };
  const { data } = await on.connection.download!(attachments[0]!.ref!, limits);
  assert.equal(Buffer.from(data).toString(), 'through the proxy');
  await on.say(ann, { text: 'thanks' });
  const went = proxy.seen.join(' ');
  for (const part of ['getMe', 'getUpdates', 'sendMessage', 'getFile', 'CONNECT 127.0.0.1:'])
    assert.ok(went.includes(part), `${part} in ${went}`);
});

test('a proxy that is not there is an error of the connection', async () => {
  await using platform = await startFakeTelegram();
  const proxy = 'http://127.0.0.1:1';
  const { config, credentials } = platform;
  await using fixture = await testAccount(telegram, { config: { ...config, proxy }, credentials });
  await assert.rejects(fixture.connect(), (error: AppError) => error.retryable);
});
