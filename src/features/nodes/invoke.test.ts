// Commands of nodes: policy, results in one or more parts, errors, timeouts, disconnects, and rights of other clients.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import type { RawClient } from '../../testing/ws-gateway.ts';
import { until } from '../../testing/until.ts';
import { FakeNodeError } from './fake.ts';
import { startNodeGateway } from './harness.ts';

const hangs = (): Promise<never> => new Promise(() => undefined);
const snap = () => ({ format: 'jpg', base64: 'AA==', width: 1, height: 1 });
const invoke = (client: RawClient, nodeId: string, command: string, more: object = {}): Promise<any> =>
  client.request('node.invoke', { nodeId, command, idempotencyKey: randomUUID(), ...more });

describe('a command of a node', () => {
  it('T137 is refused unless usual or allowed, not denied, and declared', async () => {
    await using gateway = await startNodeGateway({
      config: { allowCommands: ['sms.send', 'camera.list'], denyCommands: ['camera.list'] },
    });
    const operator = await gateway.operator();
    const node = await gateway.node({
      platform: 'android',
      commands: {
        'camera.snap': snap,
        'camera.list': () => [],
        'sms.send': () => ({ ok: true }),
        'contacts.add': () => ({}),
      },
    });
    const silent = await gateway.node({ name: 'Silent' });
    const of = async (nodeId: string, command: string) => {
      const { ok, error } = await invoke(operator, nodeId, command);
      return ok ? 'ok' : [error.code, error.details.reason];
    };
    assert.equal(await of(node.nodeId, 'camera.snap'), 'ok');
    assert.equal(await of(node.nodeId, 'sms.send'), 'ok');
    assert.deepEqual(await of(node.nodeId, 'camera.list'), ['INVALID_REQUEST', 'command not allowlisted']);
    assert.deepEqual(await of(node.nodeId, 'contacts.add'), ['INVALID_REQUEST', 'command not allowlisted']);
    assert.deepEqual(await of(node.nodeId, 'system.run'), ['INVALID_REQUEST', 'command not allowlisted']);
    assert.deepEqual(await of(node.nodeId, 'camera.clip'), ['INVALID_REQUEST', 'command not declared by node']);
    assert.deepEqual(await of(silent.nodeId, 'camera.snap'), ['INVALID_REQUEST', 'node did not declare commands']);
    const { error } = await invoke(operator, node.nodeId, 'camera.list');
    assert.match(error.message, /gateway\.nodes\.denyCommands/);
  });

  it('that runs programs needs an administrator', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({ commands: { 'system.run': () => ({ exitCode: 0 }), 'camera.snap': snap } });
    const writer = await gateway.operator(['operator.write']);
    assert.equal((await invoke(writer, node.nodeId, 'system.run')).error.details.missingScope, 'operator.admin');
    assert.equal((await invoke(writer, node.nodeId, 'camera.snap')).ok, true);
    const reader = await gateway.operator(['operator.read']);
    assert.equal((await invoke(reader, node.nodeId, 'camera.snap')).error.details.missingScope, 'operator.write');
    assert.deepEqual(
      node.invokes.map(({ command }) => command),
      ['camera.snap'],
    );
  });

  it('carries its parameters, its time and who asked, to nodes that show it', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const plain = await gateway.node({ commands: { 'camera.snap': snap } });
    const ours = await gateway.node({ name: 'Ours', caps: ['requester'], commands: { 'camera.snap': snap } });
    await invoke(operator, plain.nodeId, 'camera.snap', { params: { facing: 'front', delayMs: 3000 } });
    await invoke(operator, ours.nodeId, 'camera.snap', { timeoutMs: 1234 });
    const [request] = plain.invokes;
    assert.deepEqual(
      [JSON.parse(request.paramsJSON), request.timeoutMs, 'requester' in request],
      [{ facing: 'front', delayMs: 3000 }, 33_000, false],
    );
    assert.deepEqual([ours.invokes[0].timeoutMs, 'paramsJSON' in ours.invokes[0]], [1234, false]);
    assert.match(ours.invokes[0].requester, /^operator /);
    assert.equal(gateway.published.fault('NodeInvokeRequestEvent', request), undefined);
  });

  it("T144 ends with the node's own error and code", async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({
      commands: {
        'camera.snap': () => {
          throw new FakeNodeError('NODE_BACKGROUND_UNAVAILABLE', 'camera needs the app in the foreground');
        },
      },
    });
    const { error } = await invoke(operator, node.nodeId, 'camera.snap');
    assert.deepEqual(
      [error.code, error.message, error.details.code, error.details.nodeError.code],
      [
        'UNAVAILABLE',
        'NODE_BACKGROUND_UNAVAILABLE: camera needs the app in the foreground',
        'NODE_BACKGROUND_UNAVAILABLE',
        'NODE_BACKGROUND_UNAVAILABLE',
      ],
    );
  });

  it('T142 ends when the node disconnects, and says so of one that is not there', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { 'camera.snap': hangs } });
    const asked = invoke(operator, node.nodeId, 'camera.snap');
    await node.client.event('node.invoke.request');
    node.client.socket.terminate();
    const { error } = await asked;
    assert.deepEqual(
      [error.code, error.message, error.details.code],
      ['UNAVAILABLE', 'node disconnected (camera.snap)', 'NODE_DISCONNECTED'],
    );
    const gone = await invoke(operator, node.nodeId, 'camera.snap');
    assert.deepEqual([gone.error.code, gone.error.details.code], ['UNAVAILABLE', 'NOT_CONNECTED']);
  });

  it('T136 T143 is given the time it was asked to take; a result that comes later is ignored', async () => {
    const clock = createFakeClock();
    await using gateway = await startNodeGateway({ clock });
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { 'camera.clip': hangs, 'system.which': hangs } });
    const late = invoke(operator, node.nodeId, 'system.which');
    const clip = invoke(operator, node.nodeId, 'camera.clip', { params: { durationMs: 60_000 } });
    const { payload: first } = await node.client.event('node.invoke.request', (one) => one.command === 'system.which');
    const { payload: second } = await node.client.event('node.invoke.request', (one) => one.command === 'camera.clip');
    assert.deepEqual([first.timeoutMs, second.timeoutMs], [30_000, 90_000]);
    await clock.advance(30_001);
    const { error } = await late;
    assert.match(error.message, /^node invoke timed out \(system\.which, 30000 ms\)$/);
    assert.equal(error.details.code, 'TIMEOUT');
    assert.equal((await node.client.event('node.invoke.cancel')).payload.id, first.id);
    const answer = await node.client.call('node.invoke.result', { id: first.id, nodeId: node.nodeId, ok: true });
    assert.deepEqual(answer, { ok: true, ignored: true });
    await clock.advance(30_000);
    await node.client.call('node.invoke.result', { id: second.id, nodeId: node.nodeId, ok: true, payload: { a: 1 } });
    assert.deepEqual((await clip).payload.payload, { a: 1 });
  });

  it('takes no result from another node, under its own id or that of the other', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { 'system.which': hangs } });
    const other = await gateway.node({ name: 'Other' });
    const asked = invoke(operator, node.nodeId, 'system.which');
    const { id } = (await node.client.event('node.invoke.request')).payload;
    for (const nodeId of [node.nodeId, other.nodeId]) {
      const { error } = await other.client.request('node.invoke.result', { id, nodeId, ok: true, payload: 'theirs' });
      assert.match(error.message, /^nodeId mismatch/, nodeId);
      const piece = { invokeId: id, nodeId, seq: 0, chunk: 'x' };
      assert.match((await other.client.request('node.invoke.progress', piece)).error.message, /^nodeId mismatch/);
    }
    await node.client.call('node.invoke.result', { id, nodeId: node.nodeId, ok: true, payload: 'own' });
    assert.equal((await asked).payload.payload, 'own');
  });

  it('is given up when whoever asked is gone', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { 'system.which': hangs } });
    void invoke(operator, node.nodeId, 'system.which').catch(() => undefined);
    const { id } = (await node.client.event('node.invoke.request')).payload;
    operator.socket.terminate();
    assert.equal((await node.client.event('node.invoke.cancel')).payload.id, id);
    await until(() => gateway.nodes.invoker.active().length === 0);
  });

  it('with the same key is sent once, and with that key for another command refused', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    let times = 0;
    const node = await gateway.node({
      commands: { 'system.which': () => ({ times: (times += 1) }), 'camera.snap': snap },
    });
    const key = { idempotencyKey: 'same' };
    const [one, two] = await Promise.all([
      invoke(operator, node.nodeId, 'system.which', key),
      invoke(operator, node.nodeId, 'system.which', key),
    ]);
    const third = await invoke(operator, node.nodeId, 'system.which', key);
    assert.deepEqual(
      [one.payload.payload, two.payload.payload, third.payload.payload],
      [1, 1, 1].map((times) => ({ times })),
    );
    const { error } = await invoke(operator, node.nodeId, 'camera.snap', key);
    assert.equal(error.details.reason, 'conflict');
    assert.equal(node.invokes.length, 1);
  });

  it('at most thirty-two are under way on one node', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { 'system.which': hangs } });
    const service = gateway.nodes;
    const many = Array.from({ length: 33 }, () =>
      service
        .invoke({ node: node.nodeId, command: 'system.which', requester: 'test' })
        .catch((error: any) => error.details.code),
    );
    assert.equal(await Promise.race(many), 'NODE_BUSY');
    node.client.socket.terminate();
    assert.deepEqual(new Set(await Promise.all(many)), new Set(['NODE_BUSY', 'NODE_DISCONNECTED']));
    assert.equal((await operator.call('node.list')).nodes[0].connected, false);
  });

  it('shows which sensor is in use, and for whom', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { 'camera.clip': hangs } });
    const asked = invoke(operator, node.nodeId, 'camera.clip');
    const { id } = (await node.client.event('node.invoke.request')).payload;
    const reader = await gateway.operator(['operator.read']);
    const { inUse } = await reader.call('node.describe', { nodeId: node.nodeId });
    assert.deepEqual([inUse[0].what, inUse[0].by.startsWith('operator ')], ['camera', true]);
    await node.client.call('node.invoke.result', { id, nodeId: node.nodeId, ok: true });
    await asked;
    assert.deepEqual((await reader.call('node.describe', { nodeId: node.nodeId })).inUse, []);
  });
});

describe('a result', () => {
  const withNode = async (
    send: (client: RawClient, invoke: { id: string; nodeId: string }) => Promise<unknown>,
    command = 'system.which',
  ) => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ commands: { [command]: hangs } });
    const asked = invoke(operator, node.nodeId, command);
    const { id } = (await node.client.event('node.invoke.request')).payload;
    await send(node.client, { id, nodeId: node.nodeId });
    return await asked;
  };

  it('may come in pieces', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(100_000) });
    const { payload } = await withNode(async (client, { id, nodeId }) => {
      for (let seq = 0; seq * 16_384 < text.length; seq += 1)
        await client.call('node.invoke.progress', {
          invokeId: id,
          nodeId,
          seq,
          chunk: text.slice(seq * 16_384, (seq + 1) * 16_384),
        });
      await client.call('node.invoke.result', { id, nodeId, ok: true });
    });
    assert.equal(payload.payloadJSON, text);
  });

  const wrong: [string, (client: RawClient, ids: { id: string; nodeId: string }) => Promise<unknown>, RegExp][] = [
    [
      'with a gap',
      (client, { id, nodeId }) => client.call('node.invoke.progress', { invokeId: id, nodeId, seq: 1, chunk: 'x' }),
      /piece 1 of its result where 0 was due/,
    ],
    [
      'that is not JSON',
      (client, { id, nodeId }) => client.call('node.invoke.result', { id, nodeId, ok: true, payloadJSON: '{"a"' }),
      /a result that is not JSON/,
    ],
    [
      'that is too large',
      (client, { id, nodeId }) =>
        client.call('node.invoke.result', { id, nodeId, ok: true, payloadJSON: `"${'x'.repeat(2 * 1024 * 1024)}"` }),
      /the result of system\.which has more than 2097152 bytes/,
    ],
    [
      'that is too large in pieces',
      async (client, { id, nodeId }) => {
        const piece = (seq: number) =>
          client.call('node.invoke.progress', { invokeId: id, nodeId, seq, chunk: 'x'.repeat(16_384) });
        for (let seq = 0; seq <= 128; seq++) assert.deepEqual(await piece(seq), { ok: true });
        // Whatever comes behind its end counts for nothing, in pieces or as a result.
        for (let seq = 129; seq < 140; seq++) assert.deepEqual(await piece(seq), { ok: true, ignored: true });
        const late = await client.call('node.invoke.result', { id, nodeId, ok: true, payload: 'late' });
        assert.deepEqual(late, { ok: true, ignored: true });
      },
      /the result has more than 2097152 bytes/,
    ],
    [
      'that is too large as an object',
      (client, { id, nodeId }) =>
        client.call('node.invoke.result', { id, nodeId, ok: true, payload: { a: ['x'.repeat(2 * 1024 * 1024)] } }),
      /the result of system\.which has more than 2097152 bytes/,
    ],
    [
      'that is too large by its names',
      (client, { id, nodeId }) =>
        client.call('node.invoke.result', { id, nodeId, ok: true, payload: { ['x'.repeat(2 * 1024 * 1024)]: 1 } }),
      /has more than 2097152 bytes/,
    ],
    [
      'that is nested too deeply',
      (client, { id, nodeId }) =>
        client.call('node.invoke.result', {
          id,
          nodeId,
          ok: true,
          payloadJSON: `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
        }),
      /nested more than a hundred deep/,
    ],
    [
      'that failed without a word',
      (client, { id, nodeId }) => client.call('node.invoke.result', { id, nodeId, ok: false }),
      /^UNAVAILABLE: the node gave no reason$/,
    ],
  ];
  for (const [what, send, says] of wrong)
    it(`${what} is an error`, async () => {
      const { ok, error } = await withNode(send);
      assert.equal(ok, false);
      assert.match(error.message, says);
    });

  it('of a camera may be as large as a frame; parameters of results are checked', async () => {
    const big = `"${'x'.repeat(5 * 1024 * 1024)}"`;
    const { payload } = await withNode(
      (client, { id, nodeId }) => client.call('node.invoke.result', { id, nodeId, ok: true, payloadJSON: big }),
      'camera.clip',
    );
    assert.equal(payload.payloadJSON.length, big.length);
    const answer = await withNode(async (client, { id, nodeId }) => {
      for (const bad of [
        { id, ok: true },
        { id, nodeId, ok: 'yes' },
        { id, nodeId, ok: true, more: 1 },
      ])
        assert.equal((await client.request('node.invoke.result', bad)).ok, false);
      const piece = { invokeId: id, nodeId, seq: 0, chunk: 'x'.repeat(16_385) };
      assert.match((await client.request('node.invoke.progress', piece)).error.message, /chunk/);
      await client.call('node.invoke.result', { id, nodeId, ok: true, payload: null });
    });
    assert.equal(answer.payload.payload, null);
  });
});

describe('which node is meant', () => {
  it('T141 by id, address, name with other punctuation, and six characters of the id; others are named', async () => {
    await using gateway = await startNodeGateway();
    const operator = await gateway.operator();
    const node = await gateway.node({ name: "Peter's iPad" });
    await gateway.node({ name: 'Desk' });
    await gateway.node({ name: 'desk' });
    const found = async (nodeId: string) => (await operator.request('node.describe', { nodeId })).payload?.nodeId;
    const failed = async (nodeId: string) => (await operator.request('node.describe', { nodeId })).error.message;
    for (const query of [node.nodeId, 'peter s-IPAD', 'PETER_S_IPAD', node.nodeId.slice(0, 6)])
      assert.equal(await found(query), node.nodeId, query);
    assert.match(await failed(node.nodeId.slice(0, 5)), /^unknown node: .{5} \(known: .*Peter's iPad/);
    assert.match(await failed('desk'), /^ambiguous node: desk \(matches: Desk [0-9a-f]{12}, desk [0-9a-f]{12}\)$/i);
    assert.match(await failed('nowhere'), /^unknown node: nowhere/);
    assert.match(await failed('127.0.0.1'), /^ambiguous node/);
  });
});
