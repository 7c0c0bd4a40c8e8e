/** `nodes …` and `devices qr` on the command line, against a fake gateway. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Run } from '../../cli/command.ts';
import { fakeTerminal, type Answers } from '../../cli/fake.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { devicesQr } from '../devices/commands.ts';
import * as nodes from './commands.ts';

interface Written {
  readonly args?: readonly string[];
  readonly flags?: Readonly<Record<string, string | number | true>>;
  readonly answers: Answers;
}

async function run(command: Run, { args = [], flags = {}, answers }: Written) {
  const io = fakeTerminal({ answers });
  const gateway = await io.connect({ env: io.env(), timeoutMs: 1 });
  const of = <T>(name: string, kind: string): T | undefined =>
    typeof flags[name] === kind ? (flags[name] as T) : undefined;
  await command({
    args: [...args],
    flags: {
      has: (name) => name in flags,
      text: (name) => of(name, 'string'),
      number: (name) => of(name, 'number'),
      list: () => [],
    },
    io,
    gateway: async () => gateway,
  });
  return {
    requests: io.requests as { method: string; params: any }[],
    out: io.lines.join('\n'),
    err: io.errors.join('\n'),
  };
}

const phone = {
  nodeId: 'abcdef0123456789',
  displayName: 'Phone\u001b[31m',
  platform: 'web',
  caps: ['camera'],
  commands: ['camera.snap'],
  unavailable: { 'location.get': 'LOCATION_DISABLED: off' },
  inUse: [{ what: 'camera', by: 'telegram 4711', sinceMs: 0 }],
  approvalState: 'pending-reapproval',
  requestId: 'r1',
  paired: true,
  connected: true,
};

test('status, describe and pending show who, what and how to approve, without control characters', async () => {
  const status = await run(nodes.nodesStatus, { answers: { 'node.list': { nodes: [phone] } } });
  assert.match(status.out, /abcdef012345 +Phone.* +web +connected +offers more +camera/);
  assert.match(status.out, /waits for approval: .*nodes approve r1/);
  assert.ok(!status.out.includes('\u001b'));
  const none = await run(nodes.nodesStatus, { answers: { 'node.list': { nodes: [] } } });
  assert.equal(none.out, 'No nodes.');
  const described = await run(nodes.nodesDescribe, { args: ['phone'], answers: { 'node.describe': phone } });
  assert.deepEqual(described.requests[0]?.params, { nodeId: 'phone' });
  assert.match(described.out, /in use +camera, for telegram 4711\nnot offered location\.get: LOCATION_DISABLED: off$/);
  const request = { ...phone, requiredApproveScopes: ['operator.pairing'], isRepair: false, ts: 0 };
  const pending = await run(nodes.nodesPending, { answers: { 'node.pair.list': { pending: [request], paired: [] } } });
  assert.match(
    pending.out,
    /code +abcdef012345\n {2}offers +camera\.snap\n {2}needs +operator\.pairing\n.*approve r1$/s,
  );
});

test('nothing a node says of itself or answers reaches the terminal as a command to it', async () => {
  const evil = 'x\u001b[2J\u009b31m\u202e\u2066';
  const node = {
    ...phone,
    displayName: evil,
    platform: evil,
    version: evil,
    remoteIp: evil,
    caps: [evil],
    commands: [evil],
  };
  const all = { ...node, unavailable: { [evil]: evil }, inUse: [{ what: 'camera', by: evil, sinceMs: 0 }] };
  const request = { ...all, requiredApproveScopes: ['operator.pairing'], isRepair: false, ts: 0 };
  const place = { lat: evil, lon: evil, accuracyMeters: evil, source: evil, timestamp: evil };
  const outs = [
    await run(nodes.nodesStatus, { answers: { 'node.list': { nodes: [all] } } }),
    await run(nodes.nodesDescribe, { args: ['p'], answers: { 'node.describe': all } }),
    await run(nodes.nodesPending, { answers: { 'node.pair.list': { pending: [request], paired: [] } } }),
    await run(nodes.nodesLocation, { args: ['p'], answers: { 'node.invoke': { payload: place } } }),
    await run(nodes.nodesLocation, {
      args: ['p'],
      flags: { json: true },
      answers: { 'node.invoke': { payload: place } },
    }),
    await run(nodes.nodesInvoke, {
      args: ['p', 'device.info'],
      answers: { 'node.invoke': { payload: { [evil]: evil } } },
    }),
  ];
  for (const { out } of outs) assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  assert.deepEqual(JSON.parse(outs.at(-1)!.out), { [evil]: evil }, 'and JSON is what it was');
});

test('approve, reject, rename and remove name what they decide', async () => {
  const answers = { 'node.pair.approve': {}, 'node.pair.reject': {}, 'node.rename': {}, 'node.pair.remove': {} };
  const done = async (command: Run, ...args: string[]) => (await run(command, { args, answers })).requests[0];
  assert.deepEqual(await done(nodes.nodesApprove, 'r1'), { method: 'node.pair.approve', params: { requestId: 'r1' } });
  assert.deepEqual(await done(nodes.nodesReject, 'r1'), { method: 'node.pair.reject', params: { requestId: 'r1' } });
  assert.deepEqual((await done(nodes.nodesRename, 'p', 'Kitchen'))?.params, { nodeId: 'p', displayName: 'Kitchen' });
  assert.deepEqual(await done(nodes.nodesRemove, 'p'), { method: 'node.pair.remove', params: { nodeId: 'p' } });
});

test('invoke, notify, location, snap and record call the node, and save what they got', async () => {
  await using dir = await tempDir('nodes-cli');
  const invoke = (payload: unknown): Answers => ({ 'node.invoke': { payload } });
  const which = await run(nodes.nodesInvoke, {
    args: ['desk', 'system.which'],
    flags: { params: '{"bins":["git"]}', timeout: 9 },
    answers: invoke({ bins: {} }),
  });
  const { idempotencyKey, ...params } = which.requests[0]!.params;
  assert.match(idempotencyKey, /^[0-9a-f-]{36}$/);
  assert.deepEqual(params, { nodeId: 'desk', command: 'system.which', params: { bins: ['git'] }, timeoutMs: 9 });
  for (const wrong of ['[]', '{', 'null'])
    await assert.rejects(
      run(nodes.nodesInvoke, { args: ['d', 'c'], flags: { params: wrong }, answers: {} }),
      /--params/,
    );
  const note = await run(nodes.nodesNotify, { args: ['desk', 'hello'], answers: invoke({ ok: true }) });
  assert.deepEqual(note.requests[0]?.params.params, { body: 'hello' });
  const place = { lat: 1, lon: 2, accuracyMeters: 5, source: 'gps', timestamp: 't' };
  assert.equal((await run(nodes.nodesLocation, { args: ['d'], answers: invoke(place) })).out, '1, 2 (±5 m, gps, t)');
  const out = join(dir.path, 'a.jpg');
  const base64 = Buffer.from('picture').toString('base64');
  await run(nodes.nodesSnap, {
    args: ['d'],
    flags: { out, facing: 'back' },
    answers: invoke({ format: 'jpg', base64 }),
  });
  assert.equal(await readFile(out, 'utf8'), 'picture');
  const clip = await run(nodes.nodesRecord, {
    args: ['d'],
    flags: { out, camera: true, seconds: 2 },
    answers: invoke({ format: 'mp4', base64 }),
  });
  assert.deepEqual(
    [clip.requests[0]?.params.command, clip.requests[0]?.params.params],
    ['camera.clip', { format: 'mp4', durationMs: 2000 }],
  );
  const share = await run(nodes.nodesInvoke, {
    args: ['d', 'screen.snapshot'],
    flags: { out },
    answers: invoke({ format: 'png', base64: Buffer.from('screen').toString('base64') }),
  });
  assert.deepEqual([share.out, await readFile(out, 'utf8')], [`Wrote ${out}.`, 'screen']);
  const odd = await run(nodes.nodesInvoke, { args: ['d', 'x'], answers: invoke({ format: '../../x', base64 }) });
  assert.deepEqual(JSON.parse(odd.out), { format: '../../x', base64 });
  for (const payload of [null, {}, { format: '../x', base64 }, { format: 'jpg', base64: 5 }])
    await assert.rejects(
      run(nodes.nodesSnap, { args: ['d'], answers: invoke(payload) }),
      /invalid camera\.snap payload/,
    );
});

test('devices qr shows the address with the secret behind #, and what does not work at it', async () => {
  const invite = (addresses: readonly object[] = []): Answers => ({
    'device.pair.invite': { secret: 'a1b2', expiresAtMs: 1, addresses },
  });
  const own = await run(devicesQr, { answers: invite() });
  assert.match(own.out, /[█▄▀]{5}[^]*http:\/\/[^ ]+\/node\/#a1b2\n/);
  assert.match(own.err, /reached on this machine only\. Serve the gateway over HTTPS/);
  const lan = await run(devicesQr, { answers: invite([{ url: 'http://192.168.1.5:18789/', secure: false }]) });
  assert.match(lan.err, /over plain HTTP browsers give no page a camera/);
  const secure = { flags: { address: 'https://desk.ts.net/base', json: true }, answers: invite() } as const;
  const given = await run(devicesQr, secure);
  assert.deepEqual(JSON.parse(given.out), { url: 'https://desk.ts.net/base/node/#a1b2', expiresAtMs: 1 });
  assert.equal(given.err, '');
  for (const address of ['desk', 'ftp://x/', 'https://a:b@c/'])
    await assert.rejects(run(devicesQr, { flags: { address }, answers: invite() }), /--address: write an http/);
});
