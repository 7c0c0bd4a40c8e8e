/** Nodes and `kill -9` of gateway or node, during a command and during pairing. Nothing happens twice. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeNodeHostFile } from '../../src/config/node-host-file.ts';
import { connectGateway, type GatewayConnection } from '../../src/gateway/client.ts';
import { readTextIfExists } from '../../src/platform/files.ts';
import { built } from '../../src/testing/built.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { ownHome, type OwnGateway } from '../../src/testing/own-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

interface Host extends AsyncDisposable {
  readonly dir: string;
  start(gateway: OwnGateway): void;
  kill(): Promise<void>;
}

/** The host as a process of its own; its folder outlives it. */
async function nodeHost(): Promise<Host> {
  const dir = await tempDir('crash-node');
  const state = join(dir.path, '.clawdbot');
  await mkdir(state);
  await writeNodeHostFile(state, { name: 'Desk' });
  const now: { child?: ReturnType<typeof spawn>; ended?: Promise<unknown> } = {};
  const kill = async (): Promise<void> => {
    now.child?.kill('SIGKILL');
    await now.ended;
  };
  return {
    dir: dir.path,
    start({ port, token }) {
      const args = [built('src/main.ts'), 'node', 'run', '--url', `ws://127.0.0.1:${port}`, '--token', token];
      const env = { ...compileCache, HOME: dir.path, PATH: process.env['PATH'] };
      now.child = spawn(process.execPath, args, { env, stdio: 'ignore' });
      now.ended = once(now.child, 'exit');
    },
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const operator = ({ port, token }: OwnGateway): Promise<GatewayConnection> =>
  connectGateway({ url: `ws://127.0.0.1:${port}`, token });
const nodesOf = async (link: GatewayConnection): Promise<any[]> => (await link.call<any>('node.list')).nodes;
const connected = (link: GatewayConnection): Promise<any> =>
  until(async () => (await nodesOf(link)).find((node) => node.connected), 'the node');

async function approve(link: GatewayConnection): Promise<string> {
  const request = await until(async () => (await link.call<any>('node.pair.list')).pending[0], 'a request');
  await link.call('node.pair.approve', { requestId: request.requestId });
  return request.nodeId;
}

describe('kill -9', () => {
  it('of the gateway during a command: asked for again under its key, it has run once', async () => {
    await using home = await ownHome();
    await using host = await nodeHost();
    const first = await home.start();
    host.start(first);
    const before = await operator(first);
    const nodeId = await approve(before);
    const count = join(host.dir, 'count');
    const asked = {
      nodeId,
      command: 'system.run',
      params: { command: ['sh', '-c', `echo x >> ${count}; sleep 1; echo done`], approved: true },
      idempotencyKey: 'the same',
    };
    const lost = before.call('node.invoke', asked).catch((error: Error) => error.message);
    await until(() => readTextIfExists(count), 'the command');
    await first[Symbol.asyncDispose]();
    assert.match(String(await lost), /the gateway closed the connection/);
    await using second = await home.start(first.port);
    await using after = await operator(second);
    await connected(after);
    const { payload } = await after.call<any>('node.invoke', asked);
    assert.deepEqual([payload.stdout, await readFile(count, 'utf8')], ['done\n', 'x\n']);
    assert.deepEqual((await after.call<any>('node.pair.list')).pending, []);
  });

  it('of the gateway during pairing: a request is there once, and an approval that was answered holds', async () => {
    await using home = await ownHome();
    await using host = await nodeHost();
    const first = await home.start();
    host.start(first);
    const before = await operator(first);
    const asked = await until(async () => (await before.call<any>('node.pair.list')).pending[0], 'a request');
    await first[Symbol.asyncDispose]();
    const second = await home.start(first.port);
    const between = await operator(second);
    await connected(between);
    const { pending, paired } = await between.call<any>('node.pair.list');
    assert.deepEqual([pending.map(({ requestId }: any) => requestId), paired], [[asked.requestId], []]);
    await approve(between);
    await second[Symbol.asyncDispose]();
    await using third = await home.start(first.port);
    await using after = await operator(third);
    const node = await connected(after);
    assert.deepEqual([node.approvalState, (await nodesOf(after)).length], ['approved', 1]);
    assert.deepEqual((await after.call<any>('node.pair.list')).pending, []);
  });

  it('of the node during a command: it ends at once with a reason, and the node comes back approved', async () => {
    await using home = await ownHome();
    await using host = await nodeHost();
    await using gateway = await home.start();
    host.start(gateway);
    await using link = await operator(gateway);
    const nodeId = await approve(link);
    const asked = link
      .call('node.invoke', {
        nodeId,
        command: 'system.run',
        params: { command: ['sh', '-c', `echo x > ${join(host.dir, 'begun')}; sleep 60`], approved: true },
        idempotencyKey: '1',
      })
      .catch((error: Error) => error.message);
    await until(() => readTextIfExists(join(host.dir, 'begun')), 'the command');
    await host.kill();
    assert.equal(await asked, 'node disconnected (system.run)');
    host.start(gateway);
    const node = await connected(link);
    assert.deepEqual([node.nodeId, node.approvalState, node.inUse], [nodeId, 'approved', []]);
  });
});
