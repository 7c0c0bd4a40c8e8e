/**
 * Replays the recorded conversation of the published node host against our gateway: all 31 requests of its side. Left
 * out are the 24 connections of its own command line, which are those of an operator, and events of features that are
 * not ours (heartbeat, voice wake).
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { statIfExists } from '../../platform/files.ts';
import { createDeviceIdentity, type DeviceIdentity } from '../../gateway/devices/identity.ts';
import { deviceParams, type RawClient } from '../../testing/ws-gateway.ts';
import { startNodeGateway, type NodeGateway } from './harness.ts';

const RECORDED = join(import.meta.dirname, '../../../../shared/conformance/openclaw/node-frames.jsonl');
const isThere = (await statIfExists(RECORDED)) !== undefined;

interface Line {
  readonly gateway: string;
  readonly side: string;
  readonly dir: string;
  readonly conn: number;
  readonly frame?: any;
}

const lines: readonly Line[] = isThere
  ? (await readFile(RECORDED, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];
const sent = (fits: (frame: any, line: Line) => boolean): any =>
  lines.find((line) => line.gateway === 'peer' && line.frame && fits(line.frame, line))!.frame;
const requests = (method: string): readonly any[] =>
  lines.filter(({ gateway, side, frame }) => gateway === 'peer' && side === 'node' && frame?.method === method);
const resultOf = (command: string): any => {
  const { payload } = sent((frame) => frame.event === 'node.invoke.request' && frame.payload.command === command);
  return sent((frame) => frame.method === 'node.invoke.result' && frame.params.id === payload.id).params;
};

/** Its `connect` as recorded, signed by another key for our challenge. */
async function connect(client: RawClient, identity: DeviceIdentity, auth?: object): Promise<any> {
  const { device: _device, ...params } = sent(
    (frame) => frame.method === 'connect' && frame.params.role === 'node',
  ).params;
  const given = { ...params, auth: auth ?? { token: 'test-token' } };
  return client.request('connect', await deviceParams(client, given, { identity }));
}

/** Answers the next invoke as the host answered it. */
async function answers(client: RawClient, nodeId: string, command: string): Promise<any> {
  const { payload } = await client.frame(
    (frame) => frame.event === 'node.invoke.request' && frame.payload.command === command,
  );
  const answer = await client.call('node.invoke.result', { ...resultOf(command), id: payload.id, nodeId });
  assert.deepEqual(answer, { ok: true });
  return payload;
}

async function paired(gateway: NodeGateway, identity: DeviceIdentity, operator: RawClient): Promise<RawClient> {
  const first = await gateway.open();
  const refused = await connect(first, identity);
  assert.equal(refused.ok, false);
  const { code, details } = refused.error;
  assert.deepEqual(
    [code, details.code, details.reason, details.requestedRole],
    ['NOT_PAIRED', 'PAIRING_REQUIRED', 'not-paired', 'node'],
  );
  const closed = await first.closed;
  assert.equal(closed.code, 1008);
  assert.match(closed.reason, /^pairing required: device is not approved yet \(requestId: [0-9a-f-]{36}\)$/);
  await operator.call('device.pair.approve', { requestId: details.requestId });
  const second = await gateway.open();
  const hello = await connect(second, identity);
  assert.equal(hello.ok, true, JSON.stringify(hello.error));
  assert.deepEqual([hello.payload.protocol, hello.payload.auth.role, hello.payload.auth.scopes], [4, 'node', []]);
  return second;
}

describe('the published node host', { skip: isThere ? false : `${RECORDED} is not here` }, () => {
  it('is paired, first the device, then its commands, and runs what was approved', async () => {
    await using gateway = await startNodeGateway({ remote: true });
    const operator = await gateway.operator();
    const identity = createDeviceIdentity();
    const nodeId = identity.deviceId;
    const host = await paired(gateway, identity, operator);

    // what it tells of itself, before anybody approved its commands
    for (const method of ['node.event', 'node.runnerInventory.update', 'node.skills.update', 'node.pluginTools.update'])
      assert.ok(await host.call(method, requests(method)[0].frame.params), method);
    const early = await operator.request('node.invoke', invokeOf(nodeId, 'system.which'));
    assert.deepEqual(
      [early.error.code, early.error.details.code, /waits for approval/.test(early.error.message)],
      ['UNAVAILABLE', 'APPROVAL_REQUIRED', true],
    );

    const recorded = sent((frame) => frame.payload?.pending?.length === 1).payload.pending[0];
    const { pending } = await operator.call('node.pair.list');
    assert.deepEqual(pending[0].commands, recorded.commands, 'what it may be asked for, as its own gateway shows it');
    assert.deepEqual(pending[0].requiredApproveScopes, recorded.requiredApproveScopes);
    const lesser = await gateway.operator(['operator.pairing']);
    const denied = await lesser.request('node.pair.approve', { requestId: pending[0].requestId });
    assert.equal(denied.error.details.missingScope, 'operator.admin');
    const approved = await operator.call('node.pair.approve', { requestId: pending[0].requestId });
    assert.equal(approved.node.nodeId, nodeId);
    assert.equal('token' in approved.node, false);
    assert.equal((await host.event('node.pair.resolved')).payload.decision, 'approved');

    const stats = requests('node.event').find(({ frame }) => frame.params.event === 'node.host.stats').frame.params;
    assert.deepEqual(await host.call('node.event', stats), {
      ok: true,
      event: 'node.host.stats',
      handled: true,
      reason: 'updated',
    });
    const { nodes } = await operator.call('node.list');
    assert.deepEqual(nodes[0].commands, recorded.commands);
    assert.deepEqual([nodes[0].approvalState, nodes[0].connected, nodes[0].hostStats.cpuCount], ['approved', true, 2]);

    const asked = operator.call('node.invoke', {
      ...invokeOf(nodeId, 'system.which'),
      params: { bins: ['uname', 'nope'] },
    });
    const request = await answers(host, nodeId, 'system.which');
    assert.equal(request.paramsJSON, '{"bins":["uname","nope"]}');
    assert.deepEqual((await asked).payload, { bins: { uname: '/usr/bin/uname' } });

    for (const [command, reason] of [
      ['system.execApprovals.get', undefined],
      ['dir.list', 'command not allowlisted'],
      ['no.such', 'command not allowlisted'],
      ['system.notify', 'command not declared by node'],
    ] as const) {
      const theirs = sent((frame) => frame.error?.details?.command === command).error;
      const { error } = await operator.request('node.invoke', invokeOf(nodeId, command));
      assert.deepEqual(
        [error.code, error.details.reason === 'invalid' ? undefined : error.details.reason],
        [theirs.code, reason],
      );
    }

    const file = operator.call('exec.approvals.node.get', { nodeId });
    await answers(host, nodeId, 'system.execApprovals.get');
    assert.equal((await file).file.version, 1);
    assert.deepEqual(await operator.call('node.rename', { nodeId, displayName: 'renamed' }), {
      nodeId,
      displayName: 'renamed',
    });
  });

  it('prepares a command, runs its plan, tells of its end, comes back and is removed', async () => {
    await using gateway = await startNodeGateway({ remote: true });
    const operator = await gateway.operator();
    const identity = createDeviceIdentity();
    const nodeId = identity.deviceId;
    const host = await paired(gateway, identity, operator);
    const { pending } = await operator.call('node.pair.list');
    await operator.call('node.pair.approve', { requestId: pending[0].requestId });
    await operator.call('node.rename', { nodeId, displayName: 'renamed' });

    const planned = operator.call('node.invoke', invokeOf('renamed', 'system.run.prepare'));
    await answers(host, nodeId, 'system.run.prepare');
    const { plan } = (await planned).payload;
    assert.deepEqual(plan.argv, ['/bin/sh', '-lc', 'uname -a']);
    const ran = operator.call('node.invoke', {
      ...invokeOf(nodeId, 'system.run'),
      params: { command: plan.argv, systemRunPlan: plan, timeoutMs: 1_800_000 },
    });
    const answer = requests('node.event').find(({ frame }) => frame.params.event === 'exec.finished').frame.params;
    assert.deepEqual(await host.call('node.event', answer), {
      ok: true,
      event: 'exec.finished',
      handled: false,
      reason: 'unknown run',
    });
    const run = await answers(host, nodeId, 'system.run');
    assert.equal(run.timeoutMs, 1_805_000, 'as long as the command may take, and a little more');
    assert.equal((await ran).payload.exitCode, 0);
    assert.deepEqual(gateway.notified, [], 'a command no turn asked for reaches no conversation');

    const { deviceToken } = host.frames.find((frame) => frame.payload?.type === 'hello-ok').payload.auth;
    host.socket.close();
    await host.closed;
    const third = await gateway.open();
    assert.equal((await connect(third, identity, { deviceToken })).ok, true);
    const { nodes } = await operator.call('node.list');
    assert.deepEqual([nodes[0].displayName, nodes[0].approvalState, nodes[0].connected], ['renamed', 'approved', true]);

    assert.deepEqual(await operator.call('node.pair.remove', { nodeId }), { nodeId });
    assert.deepEqual(await third.closed, { code: 4001, reason: 'device removed' });
    const fourth = await gateway.open();
    const gone = await connect(fourth, identity, { deviceToken });
    assert.equal(gone.error.details.code, 'AUTH_DEVICE_TOKEN_MISMATCH');
    assert.equal((await fourth.closed).code, 1008);
  });

  it('is answered to each of its 31 requests as by its own gateway, or sooner', async () => {
    await using gateway = await startNodeGateway({ remote: true });
    const operator = await gateway.operator();
    const identity = createDeviceIdentity();
    const nodeId = identity.deviceId;
    const own = lines.filter(({ gateway: whose, side, frame }) => whose === 'peer' && side === 'node' && frame);
    const asked = own.filter(({ dir, frame }) => dir === 'c>s' && frame.type === 'req');
    const theirs = new Map(own.filter(({ frame }) => frame.type === 'res').map(({ frame }) => [frame.id, frame]));
    const invoked = new Map(
      own.flatMap(({ frame: { event, payload } }) => (event === 'node.invoke.request' ? [[payload.id, payload]] : [])),
    );
    const tally = { same: 0, sooner: [] as string[] };
    const now: { host?: RawClient; token?: string; approved?: boolean } = {};

    const comes = async (): Promise<any> => {
      now.host?.socket.close();
      await now.host?.closed;
      // The last time it comes it has been removed.
      if (at === asked.at(-1)) await operator.call('node.pair.remove', { nodeId });
      now.host = await gateway.open();
      const answer = await connect(now.host, identity, now.token ? { deviceToken: now.token } : undefined);
      now.token ??= answer.payload?.auth.deviceToken;
      if (answer.error?.details.requestId)
        await operator.call('device.pair.approve', { requestId: answer.error.details.requestId });
      return answer;
    };
    const result = async (params: any): Promise<any> => {
      if (!now.approved) {
        const [request] = (await operator.call('node.pair.list')).pending;
        await operator.call('node.pair.approve', { requestId: request.requestId });
        now.approved = true;
      }
      const { command } = invoked.get(params.id);
      const waiting = command.startsWith('system.execApprovals.')
        ? operator.request('exec.approvals.node.get', { nodeId })
        : operator.request('node.invoke', invokeOf(nodeId, command));
      const { payload } = await now.host!.frame(
        (frame) => frame.event === 'node.invoke.request' && frame.payload.command === command,
      );
      const answer = await now.host!.request('node.invoke.result', { ...params, id: payload.id, nodeId });
      assert.equal((await waiting).ok, params.ok);
      return answer;
    };

    let at = asked[0]!;
    for (at of asked) {
      const { id, method, params } = at.frame;
      const answer =
        method === 'connect'
          ? await comes()
          : method === 'node.invoke.result'
            ? await result(params)
            : await now.host!.request(method, params);
      const expected = theirs.get(id);
      if (answer.ok === expected.ok) {
        tally.same += 1;
        if (!answer.ok) assert.equal(answer.error.details.code, expected.error.details.code, method);
      } else {
        assert.ok(answer.ok, `${method}: ${JSON.stringify(answer.error)}`);
        tally.sooner.push(method);
      }
    }
    // Its gateway sends it away while an approval is open or has just come; ours takes what it tells of itself.
    assert.deepEqual([asked.length, tally.same, tally.sooner.length], [31, 18, 13]);
    assert.deepEqual(
      [...new Set(tally.sooner)],
      ['node.event', 'node.runnerInventory.update', 'node.pluginTools.update'],
    );
  });
});

const invokeOf = (nodeId: string, command: string): Record<string, unknown> => ({
  nodeId,
  command,
  params: {},
  idempotencyKey: `${command}-1`,
});
