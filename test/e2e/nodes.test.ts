/** Nodes in the whole product: a real gateway, the headless node host, and the tool of the agent. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AppError } from '../../src/core/errors.ts';
import { runNode } from '../../src/node-host/run-node.ts';
import { findProgram } from '../../src/platform/exec.ts';
import { readEnv } from '../../src/platform/env.ts';
import { startGateway, type Chat } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { approveNode as approve, startHost, TOKEN } from './node-harness.ts';

const hasFfmpeg = (await findProgram('ffmpeg', process.env['PATH'])) !== undefined;

const tool = async (chat: Chat, args: object): Promise<any> => chat.call('tools.invoke', { name: 'nodes', args });
const textOf = (answer: any): string => JSON.stringify(answer);

describe('the headless node host', () => {
  it('offers what works, says why not, and its programs run after a person approved them', async () => {
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using host = await startHost(gateway, { location: { lat: 52.52, lon: 13.4, accuracyMeters: 20 } });
    await approve(chat);
    const { nodes } = await chat.call('node.list');
    const [node] = nodes;
    assert.deepEqual(node.commands, ['location.get', 'system.run', 'system.run.prepare', 'system.which']);
    await until(async () => (await chat.call('node.describe', { nodeId: 'Desk' })).unavailable !== undefined);
    const { unavailable } = await chat.call('node.describe', { nodeId: 'Desk' });
    assert.match(unavailable['camera.snap'], /^CAMERA_DISABLED: the camera is not switched on/);
    assert.match(unavailable['screen.record'], /^SCREEN_DISABLED/);
    assert.match(unavailable['system.notify'], /^NOTIFICATIONS_UNAVAILABLE: the node has no session bus/);

    const place = await tool(chat, { action: 'location_get', node: 'desk' });
    assert.match(textOf(place), /manual/);
    const refused = await tool(chat, { action: 'camera_snap', node: 'desk', facing: 'front' }).catch((error) => error);
    assert.match(textOf(refused) + String(refused.message), /CAMERA_DISABLED/);

    const ran = tool(chat, {
      action: 'run',
      node: 'desk',
      command: ['sh', '-c', 'echo "$A" on node; exit 3'],
      env: ['A=hi'],
    });
    ran.catch(() => undefined);
    await until(async () => (await chat.call('exec.approval.list')).length > 0);
    const [asked] = await chat.call('exec.approval.list');
    const request = asked.request ?? asked;
    assert.equal(request.host, 'node');
    assert.match(request.command, /^sh -c 'echo "\$A" on node; exit 3'$/);
    await chat.call('exec.approval.resolve', { id: asked.id, decision: 'allow-once' });
    const outcome = await ran.catch((error: unknown) => error);
    assert.match(textOf(outcome) + String((outcome as Error).message), /hi on node/);
    assert.ok(
      host.lines.some((line) => line.startsWith('system.run for operator')),
      host.lines.join('\n'),
    );
  });

  it('runs what bash is given where the settings say so, after a person approved it and the node showed it', async () => {
    await using gateway = await startGateway({ config: { tools: { exec: { host: 'node' } } }, token: TOKEN });
    await using chat = await gateway.connect();
    const bash = (args: object): Promise<any> => chat.call('tools.invoke', { name: 'bash', args }).catch((e) => e);
    const nobody = await bash({ command: 'id' });
    assert.match(textOf(nobody) + String(nobody.message), /no connected node runs commands/);
    await using host = await startHost(gateway, {});
    await approve(chat);
    for (const [decision, says] of [
      ['deny', /user-denied/],
      ['allow-once', /a b on desk(?:\\n|\n)faint(?:\\n|\n){2}exited with code 7/],
    ] as const) {
      const ran = bash({ command: 'echo "$A" on desk; echo faint >&2; exit 7', env: ['A=a b'] });
      const [asked] = await until(async () => {
        const open = await chat.call('exec.approval.list');
        return open.length > 0 && open;
      });
      const { host: place, command, reasons } = asked.request ?? asked;
      assert.equal(place, 'node');
      assert.equal(command, `/bin/sh -lc 'echo "$A" on desk; echo faint >&2; exit 7'`);
      assert.match(textOf(reasons), /the node Desk/);
      await chat.call('exec.approval.resolve', { id: asked.id, decision });
      const outcome = await ran;
      assert.match(textOf(outcome) + String(outcome.message), says);
    }
    const shown = host.lines.filter((line) => line.startsWith('system.run for operator'));
    assert.equal(shown.length, 1, host.lines.join('\n'));
  });

  it('takes pictures and records clips and screens the agent sees (test source of ffmpeg)', {
    skip: !hasFfmpeg,
  }, async () => {
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using _host = await startHost(gateway, { camera: 'test', screen: 'test' });
    const nodeId = await approve(chat);
    const cameras = await chat.call('node.invoke', { nodeId, command: 'camera.list', idempotencyKey: 'l' });
    assert.equal(cameras.payload.devices[0].name, 'ffmpeg test source');
    await tool(chat, { action: 'camera_snap', node: 'desk', maxWidth: 320, outPath: 'snap.jpg' });
    await tool(chat, { action: 'camera_clip', node: 'desk', duration: '1s', outPath: 'clip.mp4' });
    await tool(chat, { action: 'screen_record', node: 'desk', duration: '500ms', fps: 5, outPath: 'screen.mp4' });
    const { workspace } = (await chat.call('agents.list')).agents[0] ?? {};
    const folder = workspace ?? join(gateway.stateDir, '..', 'clawd');
    const snap = await readFile(join(folder, 'snap.jpg'));
    assert.deepEqual([...snap.subarray(0, 3)], [0xff, 0xd8, 0xff]);
    for (const file of ['clip.mp4', 'screen.mp4'])
      assert.equal((await readFile(join(folder, file))).subarray(4, 8).toString(), 'ftyp', file);
    const wrong = await chat
      .call('node.invoke', { nodeId, command: 'camera.snap', params: { deviceId: 'no' }, idempotencyKey: 'w' })
      .catch((error: AppError) => error);
    assert.match(wrong.message, /INVALID_REQUEST: deviceId: there is no camera no; cameras: test/);
  });

  it('comes back after the gateway restarted, with its own token and without a new approval', async () => {
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using first = await gateway.connect();
    await using host = await startHost(gateway, {});
    const nodeId = await approve(first);
    const { port } = gateway.instance;
    const cut = first.call('node.invoke', {
      nodeId,
      command: 'system.run',
      params: { command: ['sleep', '600'], approved: true },
      idempotencyKey: 'cut',
    });
    await until(() => host.lines.some((line) => line.startsWith('system.run')));
    await Promise.all([assert.rejects(cut, /service restart/), gateway.restart({ port })]);
    await using chat = await gateway.connect();
    await until(async () => (await chat.call('node.list')).nodes[0]?.connected === true);
    const which = await chat.call('node.invoke', {
      nodeId,
      command: 'system.which',
      params: { bins: ['sh', 'no-such-program'] },
      idempotencyKey: '1',
    });
    assert.deepEqual(Object.keys(which.payload.bins), ['sh']);
    assert.deepEqual((await chat.call('node.pair.list')).pending, []);
    // The host writes it down after it was let in: the gateway may have answered before.
    const status = await until(async () => {
      const written = JSON.parse(await readFile(join(host.stateDir, 'node', 'status.json'), 'utf8'));
      return written.connected && written;
    }, 'the host to say that it is connected');
    assert.deepEqual([status.nodeId, status.pid], [nodeId, process.pid]);
    host.stop();
    assert.equal(await host.ended, 0);
  });

  it('ends with a reason where it can never get in', async () => {
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    const dir = await tempDir('node-host');
    const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, PATH: process.env['PATH']! });
    const lines: string[] = [];
    const code = await runNode({
      env,
      version: '1.2.3',
      url: `ws://127.0.0.1:${gateway.instance.port}`,
      token: 'not-the-token',
      signal: new AbortController().signal,
      out: (line) => void lines.push(line),
    });
    assert.equal(code, 1);
    assert.match(lines.at(-1)!, /does not let this node in: unauthorized: gateway token mismatch/);
    await dir[Symbol.asyncDispose]();
  });

  it('runs nothing that no person approved, and refuses what would change programs', async () => {
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using _host = await startHost(gateway, {});
    const nodeId = await approve(chat);
    const run = (params: object): Promise<any> =>
      chat
        .call('node.invoke', { nodeId, command: 'system.run', params, idempotencyKey: JSON.stringify(params) })
        .catch((e) => e);
    assert.match((await run({ command: ['id'] })).message, /SYSTEM_RUN_DENIED: approval required/);
    const bad: [object, RegExp][] = [
      [{ command: ['id'], approved: true, env: { LD_PRELOAD: '/x' } }, /LD_PRELOAD may not be set/],
      [{ command: ['id'], approved: true, env: { PATH: '/evil' } }, /PATH must end with/],
      [{ command: ['id'], approved: true, cwd: '/no/such' }, /is no folder of the node/],
      [{ command: ['id'], approved: true, systemRunPlan: { argv: ['rm'] } }, /not the one of its plan/],
      [{ command: [], approved: true }, /command/],
      [{ command: ['no-such-program-here'], approved: true }, /was not found/],
    ];
    for (const [params, says] of bad) assert.match((await run(params)).message, says);
    const slow = await run({ command: ['sleep', '60'], approved: true, timeoutMs: 200 });
    assert.deepEqual([slow.payload.timedOut, slow.payload.success], [true, false]);
    const big = await run({ command: ['sh', '-c', 'head -c 3000000 /dev/zero | tr "\\0" x'], approved: true });
    assert.match(big.payload.stdout.slice(0, 60), /^\[… 2800000 characters cut\]/);
  });
});
