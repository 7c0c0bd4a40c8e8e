// A thousand idle clients and 120 that read nothing: their cost in bytes, frames, memory and CPU time. Part of `npm run
// test:full`.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { connectGateway } from '../../src/gateway/client.ts';
import { CAP_PRESENCE_CHANGES } from '../../src/protocol/client-info.ts';
import { ownHome, type OwnGateway } from '../../src/testing/own-gateway.ts';

const MiB = 1024 * 1024;
const CLIENTS = Number(process.env['CLIENTS'] ?? 1000);
const DEAF = 120;
const IDLE_MS = 20_000;

async function start(before: (state: string) => Promise<void> = async () => undefined): Promise<OwnGateway> {
  const home = await ownHome();
  await before(home.state);
  const gateway = await home.start();
  return {
    ...gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

interface Client {
  readonly socket: WebSocket;
  bytes: number;
  frames: number;
}

async function enter({ port, token }: OwnGateway, name: string, caps: readonly string[]): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  const self: Client = { socket, bytes: 0, frames: 0 };
  const hello = Promise.withResolvers<void>();
  socket.on('error', hello.reject).on('close', () => hello.reject(new Error('closed')));
  socket.on('message', (data: Buffer) => {
    self.bytes += data.length;
    self.frames += 1;
    if (self.frames === 1)
      socket.send(
        JSON.stringify({
          type: 'req',
          id: 'hello',
          method: 'connect',
          params: {
            minProtocol: 4,
            maxProtocol: 4,
            client: { id: 'gateway-client', version: '1.0.0', platform: 'linux', mode: 'backend', instanceId: name },
            role: 'operator',
            scopes: ['operator.admin'],
            caps,
            auth: { token },
          },
        }),
      );
    else hello.resolve();
  });
  await hello.promise;
  return self;
}

const total = (clients: readonly Client[]): { bytes: number; frames: number } =>
  clients.reduce((sum, { bytes, frames }) => ({ bytes: sum.bytes + bytes, frames: sum.frames + frames }), {
    bytes: 0,
    frames: 0,
  });
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

describe('many clients', () => {
  for (const caps of [[], [CAP_PRESENCE_CHANGES]]) {
    it(`${CLIENTS} idle ones that take ${caps.length > 0 ? 'differences' : 'whole lists'}`, async (t) => {
      await using gateway = await start();
      const before = gateway.cost();
      const clients: Client[] = [];
      for (let index = 0; index < CLIENTS; index++) clients.push(await enter(gateway, `c-${index}`, caps));
      const arrived = total(clients);
      const there = gateway.cost();
      await sleep(IDLE_MS);
      const idle = total(clients);
      const after = gateway.cost();
      t.diagnostic(
        `arriving: ${mb(arrived.bytes)} MB in ${arrived.frames} frames, ${there.cpuMs - before.cpuMs} ms of CPU, ${mb(there.rss - before.rss)} MB of memory`,
      );
      t.diagnostic(
        `${IDLE_MS / 1000} s idle: ${mb(idle.bytes - arrived.bytes)} MB in ${idle.frames - arrived.frames} frames, ${after.cpuMs - there.cpuMs} ms of CPU, ${mb(after.rss - there.rss)} MB of memory`,
      );
      assert.ok(arrived.bytes < CLIENTS * 110_000, 'a greeting, and few lists, each');
      assert.ok(idle.bytes - arrived.bytes < IDLE_MS * 1000 + CLIENTS * 130_000, 'a bounded rate');
      for (const { socket } of clients) socket.terminate();
    });
  }

  it(`${DEAF} that ask for a history of 6 MB each and read nothing`, async (t) => {
    await using gateway = await start(async (state) => {
      const folder = join(state, 'agents', 'main', 'sessions');
      await mkdir(folder, { recursive: true });
      const sessionId = '6f0e1c52-7d3c-4f0c-9a53-2f0f3a1b8c77';
      const line = (id: number): string =>
        JSON.stringify({
          type: 'message',
          id: `m${id}`,
          timestamp: '2026-01-01T00:00:00.000Z',
          message: { role: 'user', content: [{ type: 'text', text: 'x'.repeat(60_000) }], timestamp: 1 },
        });
      await writeFile(
        join(folder, `${sessionId}.jsonl`),
        `${[JSON.stringify({ type: 'session', version: 3, id: sessionId, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/', sessionKey: 'agent:main:main' }), ...Array.from({ length: 95 }, (_, id) => line(id))].join('\n')}\n`,
      );
      await writeFile(
        join(folder, 'sessions.json'),
        JSON.stringify({ 'agent:main:main': { sessionId, updatedAt: 1 } }),
      );
    });
    await using owner = await connectGateway({ url: `ws://127.0.0.1:${gateway.port}`, token: gateway.token });
    await owner.call('chat.history', { sessionKey: 'main' });
    const before = gateway.cost().rss;
    const clients: Client[] = [];
    let max = 0;
    for (let index = 0; index < DEAF; index++) {
      const one = await enter(gateway, `d-${index}`, []);
      one.socket.pause();
      for (let asked = 0; asked < 5; asked++)
        one.socket.send(
          JSON.stringify({ type: 'req', id: `h${asked}`, method: 'chat.history', params: { sessionKey: 'main' } }),
        );
      clients.push(one);
      max = Math.max(max, (await owner.call<{ unreadBytes: number }>('status')).unreadBytes);
    }
    const served = await owner.call<{ messages: readonly unknown[] }>('chat.history', { sessionKey: 'main' });
    const peak = gateway.cost().rss - before;
    await sleep(IDLE_MS);
    t.diagnostic(
      `${DEAF * 5} histories asked for: at most ${mb(max)} MB unread, ${mb(peak)} MB of memory more, ${mb(gateway.cost().rss - before)} after ${IDLE_MS / 1000} s; the owner got ${served.messages.length} messages`,
    );
    assert.ok(max < 55 * MiB);
    assert.equal(served.messages.length, 95);
    for (const { socket } of clients) socket.terminate();
  });
});
