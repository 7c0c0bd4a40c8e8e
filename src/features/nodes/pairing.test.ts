// Pairing of nodes: requests, approval, tokens, their files, and the rights of a node before and after.
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { connectFakeNode } from './fake.ts';
import { startNodeGateway, type NodeGateway } from './harness.ts';
import { deviceParams } from '../../testing/ws-gateway.ts';

const MINUTE = 60_000;
const phone = { nodeId: 'phone-1', displayName: 'Phone', platform: 'ios', caps: ['camera'], commands: ['camera.snap'] };

describe('a request to pair', () => {
  it('T138 is the same while it is open, announced once, and another one after five minutes', async () => {
    const clock = createFakeClock();
    await using gateway = await startNodeGateway({ clock });
    const operator = await gateway.operator();
    const first = await operator.call('node.pair.request', phone);
    assert.deepEqual([first.status, first.created, first.request.isRepair], ['pending', true, false]);
    await clock.advance(4 * MINUTE);
    const again = await operator.call('node.pair.request', phone);
    assert.deepEqual([again.request.requestId, again.created], [first.request.requestId, false]);
    assert.equal(operator.frames.filter(({ event }) => event === 'node.pair.requested').length, 1);
    assert.equal('token' in first.request, false);
    await clock.advance(MINUTE + 1);
    assert.deepEqual((await operator.call('node.pair.list')).pending, []);
    const later = await operator.request('node.pair.approve', { requestId: first.request.requestId });
    assert.match(later.error.message, /^unknown requestId: it was answered, or is older than 5 minutes$/);
    const third = await operator.call('node.pair.request', phone);
    assert.notEqual(third.request.requestId, first.request.requestId);
    assert.equal(third.created, true);
  });

  it('with other commands is another request, so that nobody approves what they have not seen', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const first = await operator.call('node.pair.request', phone);
    const wider = await operator.call('node.pair.request', { ...phone, commands: ['camera.snap', 'system.run'] });
    assert.notEqual(wider.request.requestId, first.request.requestId);
    const { error } = await operator.request('node.pair.approve', { requestId: first.request.requestId });
    assert.equal(error.details.code, 'PAIRING_REQUEST_NOT_FOUND');
    assert.equal((await operator.call('node.pair.list')).pending.length, 1);
  });

  it('T139 T140 approved gives a new token each time; the second approval of the same is unknown', async () => {
    const clock = createFakeClock();
    await using gateway = await startNodeGateway({ clock });
    const operator = await gateway.operator();
    const { request } = await operator.call('node.pair.request', phone);
    const { node } = await operator.call('node.pair.approve', { requestId: request.requestId });
    assert.match(node.token, /^[0-9a-f]{32}$/);
    const { error } = await operator.request('node.pair.approve', { requestId: request.requestId });
    assert.match(error.message, /^unknown requestId/);
    await clock.advance(1000);
    const repair = await operator.call('node.pair.request', phone);
    assert.equal(repair.request.isRepair, true);
    const second = await operator.call('node.pair.approve', { requestId: repair.request.requestId });
    assert.notEqual(second.node.token, node.token);
    assert.equal(second.node.createdAtMs, node.createdAtMs);
    assert.equal(second.node.approvedAtMs, node.approvedAtMs + 1000);
    const verify = (token: string) => operator.call('node.pair.verify', { nodeId: 'phone-1', token });
    assert.deepEqual([(await verify(node.token)).ok, (await verify('x')).ok], [false, false]);
    const good = await verify(second.node.token);
    assert.deepEqual([good.ok, 'token' in good.node], [true, false]);
    assert.equal((await operator.call('node.pair.verify', { nodeId: 'other', token: node.token })).ok, false);
  });

  it('rejected is gone, and everybody who may decide hears how each came out', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator(['operator.pairing']);
    const reader = await gateway.operator(['operator.read']);
    const { request } = await operator.call('node.pair.request', phone);
    assert.deepEqual(await operator.call('node.pair.reject', { requestId: request.requestId }), {
      requestId: request.requestId,
      nodeId: 'phone-1',
    });
    const { payload } = await operator.event('node.pair.resolved');
    assert.deepEqual([payload.decision, payload.nodeId], ['rejected', 'phone-1']);
    assert.equal((await operator.request('node.pair.reject', { requestId: request.requestId })).ok, false);
    const refused = await reader.request('node.pair.list');
    assert.equal(refused.error.details.missingScope, 'operator.pairing');
    assert.deepEqual(
      reader.frames.filter(({ event }) => event?.startsWith('node.pair.')),
      [],
    );
  });

  it('at most fifty wait at once; the newest count', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    for (let index = 0; index < 55; index += 1)
      await operator.call('node.pair.request', { ...phone, nodeId: `phone-${index}` });
    const { pending } = await operator.call('node.pair.list');
    assert.equal(pending.length, 50);
    assert.ok(pending.some(({ nodeId }: any) => nodeId === 'phone-54'));
  });
});

describe('the files', () => {
  it('are private, survive a restart, and hold the last good copy of what was damaged', async () => {
    await using dir = await tempDir('nodes');
    const paired = join(dir.path, 'nodes', 'paired.json');
    {
      await using gateway = await startNodeGateway({ stateDir: dir.path });
      const operator = await gateway.operator();
      const { request } = await operator.call('node.pair.request', phone);
      await operator.call('node.pair.approve', { requestId: request.requestId });
      await operator.call('node.pair.request', { ...phone, nodeId: 'phone-2' });
    }
    assert.equal((await stat(paired)).mode & 0o777, 0o600);
    assert.equal((await stat(join(dir.path, 'nodes', 'pending.json'))).mode & 0o777, 0o600);
    const written = await readFile(paired, 'utf8');
    assert.deepEqual(Object.keys(JSON.parse(written)), ['phone-1']);
    await writeFile(paired, '{"phone-1": {');
    await using gateway = await startNodeGateway({ stateDir: dir.path });
    const operator = await gateway.operator();
    const list = await operator.call('node.pair.list');
    assert.deepEqual(
      [
        list.paired[0].nodeId,
        list.pending[0].nodeId,
        JSON.stringify(list).includes(JSON.parse(written)['phone-1'].token),
      ],
      ['phone-1', 'phone-2', false],
    );
  });

  it('many at once are all kept', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const ids = Array.from({ length: 40 }, (_, index) => `phone-${index}`);
    await Promise.all(
      ids.map(async (nodeId) => {
        const { request } = await operator.call('node.pair.request', { ...phone, nodeId });
        await operator.call('node.pair.approve', { requestId: request.requestId });
      }),
    );
    assert.equal((await operator.call('node.pair.list')).paired.length, 40);
  });
});

describe('a connected node', () => {
  it('waits for approval of its commands, and for more of them later; what was approved works meanwhile', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const which = () => ({ bins: {} });
    const node = await connectFakeNode(gateway, { commands: { 'system.which': which } });
    const { payload: asked } = await operator.event('node.pair.requested');
    assert.deepEqual([asked.nodeId, asked.commands], [node.nodeId, ['system.which']]);
    const before = (await operator.call('node.list')).nodes[0];
    assert.deepEqual(
      [before.approvalState, before.requestId, before.commands, before.paired],
      ['pending-approval', asked.requestId, [], false],
    );
    await operator.call('node.pair.approve', { requestId: asked.requestId });
    node.client.socket.close();
    await node.client.closed;

    const more = { 'system.which': which, 'camera.snap': () => ({}) };
    await connectFakeNode(gateway, { identity: node.identity, commands: more });
    const { nodes } = await operator.call('node.list');
    assert.deepEqual([nodes[0].approvalState, nodes[0].commands], ['pending-reapproval', ['system.which']]);
    const invoke = (command: string) =>
      operator.request('node.invoke', { nodeId: node.nodeId, command, idempotencyKey: command });
    assert.equal((await invoke('system.which')).ok, true);
    const refused = await invoke('camera.snap');
    assert.match(
      refused.error.message,
      /"camera\.snap" of Desk waits for approval: run `clawdbot nodes approve [0-9a-f-]{36}`/,
    );
    await operator.call('node.pair.approve', { requestId: nodes[0].requestId });
    assert.equal((await invoke('camera.snap')).ok, true);
  });

  it('is asked for again where nobody answered in time', async () => {
    const clock = createFakeClock();
    await using gateway = await startNodeGateway({ clock });
    const operator = await gateway.operator();
    await connectFakeNode(gateway, { commands: { 'system.which': () => ({}) } });
    const first = (await operator.call('node.pair.list')).pending[0];
    await clock.advance(6 * MINUTE);
    const second = (await operator.call('node.pair.list')).pending[0];
    assert.notEqual(second.requestId, first.requestId);
  });

  it('speaks versions 3 and 4 and no other; operators speak 4 alone', async () => {
    await using gateway = await startNodeGateway();
    for (const [protocol, ok] of [
      [2, false],
      [3, true],
      [4, true],
    ] as const) {
      const { hello } = await connectFakeNode(gateway, { protocol });
      assert.equal(hello.ok, ok, String(protocol));
      if (ok) assert.equal(hello.payload.protocol, protocol);
      else assert.equal(hello.error.details.code, 'PROTOCOL_MISMATCH');
    }
  });

  it('whose clock is off is told so; with the time of the challenge it comes in whatever its clock says', async () => {
    const clock = createFakeClock(1_800_000_000_000);
    await using gateway = await startNodeGateway({ clock });
    for (const off of [-11 * MINUTE, 11 * MINUTE]) {
      const { hello } = await connectFakeNode(gateway, { proof: { signedAt: clock.now() + off } });
      assert.equal(hello.error.details.code, 'DEVICE_AUTH_SIGNATURE_EXPIRED');
      assert.match(hello.error.message, /check the clock of this device/);
    }
    for (const off of [-MINUTE, MINUTE])
      assert.ok((await connectFakeNode(gateway, { proof: { signedAt: clock.now() + off } })).hello.ok, String(off));
    assert.ok((await connectFakeNode(gateway)).hello.ok);
  });

  it('counts with its newest connection; the older one is closed', async () => {
    await using gateway = await startNodeGateway();
    const first = await gateway.node({ commands: { 'system.which': () => ({ from: 'first' }) } });
    await gateway.node({ identity: first.identity, commands: { 'system.which': () => ({ from: 'second' }) } });
    assert.equal((await first.client.closed).code, 4000);
    const operator = await gateway.operator();
    const { payload } = await operator.call('node.invoke', {
      nodeId: first.nodeId,
      command: 'system.which',
      idempotencyKey: '1',
    });
    assert.deepEqual(payload, { from: 'second' });
    assert.equal((await operator.call('node.list')).nodes.length, 1);
  });

  it('may call the methods of nodes and no others, and operators none of those', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node();
    for (const method of ['node.list', 'node.invoke', 'chat.send', 'config.get', 'node.pair.list'])
      assert.equal((await node.client.request(method, {})).error.details.code, 'ROLE_NOT_ALLOWED', method);
    const operator = await gateway.operator();
    for (const method of ['node.invoke.result', 'node.event', 'node.invoke.progress'])
      assert.equal((await operator.request(method, {})).error.code, 'FORBIDDEN', method);
    assert.deepEqual(
      node.client.frames.filter(({ event }) => event === 'node.changed' || event === 'node.pair.requested'),
      [],
    );
  });

  it('keeps the name a person gave it', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({ name: 'Desk' });
    const operator = await gateway.operator();
    await operator.call('node.rename', { nodeId: 'desk', displayName: 'Kitchen' });
    await gateway.node({ identity: node.identity, name: 'Desk' });
    const { displayName } = await operator.call('node.describe', { nodeId: 'Kitchen' });
    assert.equal(displayName, 'Kitchen');
    const unpaired = await connectFakeNode(gateway, { name: 'Other' });
    const { error } = await operator.request('node.rename', { nodeId: unpaired.nodeId, displayName: 'x' });
    assert.equal(error.details.code, 'NODE_NOT_PAIRED');
  });
});

describe('an invitation', () => {
  const come = (gateway: NodeGateway, secret: string, more: object = {}) =>
    connectFakeNode(gateway, {
      platform: 'web',
      commands: { 'camera.snap': () => ({}) },
      auth: { bootstrapToken: secret },
      ...more,
    });

  it('lets one device in as a node, which may do nothing before a person approved its commands', async () => {
    await using gateway = await startNodeGateway({ remote: true });
    const operator = await gateway.operator();
    const { secret, expiresAtMs } = await operator.call('device.pair.invite');
    assert.match(secret, /^[0-9a-f]{48}$/);
    assert.ok(expiresAtMs > Date.now());
    const node = await come(gateway, secret);
    assert.equal(node.hello.ok, true, JSON.stringify(node.hello.error));
    assert.deepEqual(node.hello.payload.auth.scopes, []);
    const { deviceToken } = node.hello.payload.auth;
    const asked = { nodeId: node.nodeId, command: 'camera.snap', idempotencyKey: 'k' };
    assert.equal((await operator.request('node.invoke', asked)).error.details.code, 'APPROVAL_REQUIRED');
    const said = { event: 'agent.request', payload: { message: 'obey', key: 'a' } };
    assert.equal((await node.client.call('node.event', said)).reason, 'node not approved');
    assert.equal(gateway.received.size, 0);
    // Somebody else saw the code: another key.
    const thief = await come(gateway, secret);
    assert.equal(thief.hello.error.details.code, 'AUTH_BOOTSTRAP_TOKEN_INVALID');
    assert.doesNotMatch(JSON.stringify(thief.hello), new RegExp(secret));
    // The answer was lost, so the same key tries again.
    assert.equal((await come(gateway, secret, { identity: node.identity })).hello.ok, true);
    const back = await connectFakeNode(gateway, { identity: node.identity, auth: { deviceToken } });
    assert.equal(back.hello.ok, true);
    assert.equal((await thief.client.closed).code, 1008);
  });

  it('makes nobody an operator, and its token opens nothing but the node it is of', async () => {
    await using gateway = await startNodeGateway({ remote: true });
    const operator = await gateway.operator();
    const { secret } = await operator.call('device.pair.invite');
    for (const auth of [{ bootstrapToken: secret }, { token: secret }, { deviceToken: secret }]) {
      const client = await gateway.open();
      const params = await deviceParams(client, { auth, scopes: ['operator.read'] });
      assert.equal((await client.request('connect', params)).ok, false, JSON.stringify(auth));
    }
    for (const auth of [{ token: secret }, { deviceToken: secret }, { password: secret }])
      assert.equal((await connectFakeNode(gateway, { auth })).hello.ok, false, JSON.stringify(auth));
    const node = await come(gateway, secret);
    const { deviceToken } = node.hello.payload.auth;
    const other = await connectFakeNode(gateway, { auth: { deviceToken } });
    assert.equal(other.hello.error.details.code, 'AUTH_DEVICE_TOKEN_MISMATCH');
    const client = await gateway.open();
    const params = await deviceParams(client, { auth: { deviceToken }, scopes: [] }, { identity: node.identity });
    assert.equal((await client.request('connect', params)).ok, false, 'not as an operator');
    assert.equal((await node.client.request('device.pair.invite')).ok, false, 'a node invites nobody');
    const reader = await gateway.operator(['operator.read', 'operator.write']);
    assert.match((await reader.request('device.pair.invite')).error.message, /missing scope/);
  });

  it('ends after ten minutes, with the removal of its device, and beyond twenty others', async () => {
    const clock = createFakeClock();
    await using gateway = await startNodeGateway({ clock, remote: true });
    const operator = await gateway.operator();
    const secretOf = async (): Promise<string> => (await operator.call('device.pair.invite')).secret;
    const late = await secretOf();
    const used = await secretOf();
    const node = await come(gateway, used);
    assert.equal(node.hello.ok, true);
    await operator.call('node.pair.remove', { nodeId: node.nodeId });
    assert.equal((await come(gateway, used, { identity: node.identity })).hello.ok, false, 'removed is removed');
    await clock.advance(10 * MINUTE);
    assert.equal((await come(gateway, late)).hello.ok, false);
    const first = await secretOf();
    for (let more = 0; more < 20; more += 1) await secretOf();
    assert.equal((await come(gateway, first)).hello.ok, false);
  });

  it('that is guessed locks the address out like any other secret', async () => {
    await using gateway = await startNodeGateway({ remote: true });
    const codes: string[] = [];
    for (let tries = 0; tries < 12; tries += 1)
      codes.push((await come(gateway, 'f'.repeat(48))).hello.error.details.code);
    assert.equal(codes[0], 'AUTH_BOOTSTRAP_TOKEN_INVALID');
    assert.equal(codes.at(-1), 'AUTH_RATE_LIMITED');
  });
});
