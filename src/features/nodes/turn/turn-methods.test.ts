// Node access of a turn: requester, allowed commands, approvals, and late results.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Authority } from '../../../core/authority.ts';
import type { ElsewhereCommand, ElsewherePermit } from '../../../core/shell.ts';
import type { Turn } from '../../../core/turn.ts';
import { gatewayAuthority, delegatedVia } from '../../../core/authority.ts';
import { peopleAuthority, surfaceAuthority } from '../../../testing/sample-authority.ts';
import { nodesConfigSchema } from '../config.ts';
import { connectFakeNode } from '../fake.ts';
import { startNodeGateway, type NodeGateway } from '../harness.ts';
import { createNodeCommands } from './commands-of-nodes.ts';
import { createTurnMethods } from './turn-methods.ts';

const owner = surfaceAuthority();
const member = peopleAuthority();

function methodsOf(
  gateway: NodeGateway,
  { authority = owner, permit = { kind: 'allowed', approved: true } as ElsewherePermit } = {} as {
    authority?: Authority;
    permit?: ElsewherePermit;
  },
) {
  const asked: ElsewhereCommand[] = [];
  const turn = {
    id: 'turn-1',
    route: { agentId: 'main', sessionKey: 'agent:main:main', matchedBy: 'session', replyTo: authority.home.address },
    authority,
    options: {},
  } as unknown as Turn;
  const methods = createTurnMethods({
    turn,
    keep: undefined,
    nodes: gateway.nodes,
    now: () => 1,
    config: () => nodesConfigSchema.parse({ allowCommands: ['sms.send'] }),
    agents: {
      async permitElsewhere(_turn, command) {
        asked.push(command);
        return permit;
      },
    },
  });
  const call = (method: string, params: unknown = {}): Promise<any> =>
    methods[method]!(params as never, { signal: new AbortController().signal, progress: () => undefined });
  return { call, asked };
}

const invoke = (nodeId: string, command: string) => ({ nodeId, command, params: {}, idempotencyKey: command });

describe('who may', () => {
  it('the owner and who works for the owner; nobody else sees or uses a node', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({ commands: { 'camera.snap': () => ({}) } });
    for (const authority of [
      owner,
      delegatedVia(owner, 'job:1'),
      gatewayAuthority(owner.home),
      surfaceAuthority({ scopes: ['operator.write'] }),
    ])
      assert.equal((await methodsOf(gateway, { authority }).call('node.list')).nodes.length, 1);
    for (const authority of [
      member,
      peopleAuthority({ commands: false }),
      surfaceAuthority({ scopes: ['operator.read'] }),
    ])
      for (const [method, params] of [
        ['node.list', {}],
        ['node.describe', { nodeId: node.nodeId }],
        ['node.pair.list', {}],
        ['node.invoke', invoke(node.nodeId, 'camera.snap')],
        ['node.run', { node: node.nodeId, command: ['id'] }],
        ['node.pair.approve', { requestId: 'x' }],
        ['node.pair.reject', { requestId: 'x' }],
      ] as const)
        await assert.rejects(methodsOf(gateway, { authority }).call(method, params), { code: 'denied' }, method);
    assert.deepEqual(node.invokes, []);
  });

  it('what another feature asks of a node has the same rights, and is recorded', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({
      name: 'Den',
      caps: ['requester'],
      commands: { 'browser.proxy': ({ path }) => ({ result: { path } }) },
    });
    const commands = createNodeCommands(gateway.nodes);
    assert.deepEqual(commands.offering('browser.proxy'), [{ id: node.nodeId, name: 'Den' }]);
    assert.deepEqual(commands.offering('camera.snap'), []);
    const kept: boolean[] = [];
    const call = (authority: Authority, signal = new AbortController().signal) =>
      commands.call({
        turn: { authority } as Turn,
        keep: (_turn, { ok }) => void kept.push(ok),
        node: 'den',
        command: 'browser.proxy',
        params: { path: '/tabs' },
        timeoutMs: 5000,
        signal,
      });
    assert.deepEqual(await call(owner), { result: { path: '/tabs' } });
    for (const authority of [member, surfaceAuthority({ scopes: ['operator.read'] })])
      await assert.rejects(call(authority), { code: 'denied' });
    await assert.rejects(call(owner, AbortSignal.abort()), { code: 'aborted' });
    assert.deepEqual([node.invokes.length, kept], [1, [true, true]]);
  });

  it('an invoke carries who asked', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({ caps: ['requester'], commands: { 'camera.snap': () => ({}) } });
    const telegram = peopleAuthority({
      ids: ['4711'],
      rights: ['configure'],
      home: { address: { channel: 'telegram', accountId: 'default', chat: { kind: 'direct', id: '4711' } } },
    });
    await methodsOf(gateway, { authority: telegram }).call('node.invoke', invoke(node.nodeId, 'camera.snap'));
    const jobs = delegatedVia(telegram, 'job:tea');
    await methodsOf(gateway, { authority: jobs }).call('node.invoke', {
      ...invoke(node.nodeId, 'camera.snap'),
      idempotencyKey: '2',
    });
    assert.deepEqual(
      node.invokes.map(({ requester }) => requester),
      ['telegram 4711', 'telegram 4711, through job:tea'],
    );
  });

  it('commands that run programs are not invoked by name, whatever is allowed; others may be', async () => {
    await using gateway = await startNodeGateway({ config: { allowCommands: ['sms.send', 'contacts.add'] } });
    const commands = ['system.run', 'system.run.prepare', 'terminal.upload', 'browser.proxy', 'mcp.tools.call.v1'];
    const fine = () => ({ ok: true });
    const node = await gateway.node({
      commands: Object.fromEntries(
        [...commands, 'sms.send', 'contacts.add', 'camera.snap'].map((name) => [name, fine]),
      ),
    });
    const { call } = methodsOf(gateway);
    for (const command of [...commands, 'system.execApprovals.set', 'contacts.add'])
      await assert.rejects(call('node.invoke', invoke(node.nodeId, command)), {
        code: 'denied',
        message: /Agents may not invoke/,
      });
    for (const command of ['sms.send', 'camera.snap'])
      assert.deepEqual((await call('node.invoke', invoke(node.nodeId, command))).payload, { ok: true });
  });

  it('pairing: the owner in person; what runs programs only a person approves', async () => {
    await using gateway = await startNodeGateway();
    await connectFakeNode(gateway, { name: 'Phone', platform: 'ios', commands: { 'camera.snap': () => ({}) } });
    await connectFakeNode(gateway, { name: 'Server', commands: { 'system.run': () => ({}) } });
    const { call } = methodsOf(gateway);
    const list = await call('node.pair.list');
    assert.doesNotMatch(JSON.stringify(list), /token/i);
    const of = (name: string) => list.pending.find((one: any) => one.displayName === name).requestId;
    await assert.rejects(
      methodsOf(gateway, { authority: delegatedVia(owner, 'job:1') }).call('node.pair.approve', {
        requestId: of('Phone'),
      }),
      {
        code: 'denied',
      },
    );
    await assert.rejects(call('node.pair.approve', { requestId: of('Server') }), {
      message: /only a person approves that/,
    });
    assert.deepEqual((await call('node.pair.approve', { requestId: of('Phone') })).commands, ['camera.snap']);
    await call('node.pair.reject', { requestId: of('Server') });
    await assert.rejects(call('node.pair.reject', { requestId: of('Server') }), { code: 'not_found' });
    await assert.rejects(call('node.describe', { nodeId: 7 }), { code: 'invalid', message: /nodeId/ });
  });
});

describe('a command on a node', () => {
  const plan = (argv: readonly string[]) => ({
    argv,
    cwd: '/srv',
    commandText: argv.join(' '),
    policySnapshot: { security: 'full' },
  });

  it('is shown to a person as the node will run it, and runs by that plan', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({
      name: 'Desk',
      commands: {
        'system.run.prepare': ({ command }) => ({ plan: plan(command) }),
        'system.run': () => ({ exitCode: 0, success: true, stdout: 'x' }),
      },
    });
    const { call, asked } = methodsOf(gateway);
    const ran = await call('node.run', {
      node: 'desk',
      command: ['uname', '-a'],
      env: { A: '1' },
      commandTimeoutMs: 7000,
    });
    assert.deepEqual(ran, { exitCode: 0, success: true, stdout: 'x' });
    assert.deepEqual(asked, [
      {
        argv: ['uname', '-a'],
        command: 'uname -a',
        cwd: '/srv',
        env: { A: '1' },
        where: 'the node Desk',
        stricter: {},
      },
    ]);
    const [prepare, run] = node.invokes.map(({ paramsJSON, timeoutMs }) => ({ ...JSON.parse(paramsJSON), timeoutMs }));
    assert.deepEqual(
      [prepare.rawCommand, prepare.sessionKey, prepare.agentId],
      ['uname -a', 'agent:main:main', 'main'],
    );
    assert.deepEqual(
      [run.systemRunPlan, run.approved, run.approvalDecision, run.env],
      [plan(['uname', '-a']), true, 'allow-once', { A: '1' }],
    );
    assert.equal(run.timeoutMs, 12_000);
    assert.deepEqual(gateway.nodes.runs.find(run.runId, node.nodeId)?.awaited, false);
  });

  it('runs without a plan where the node makes none, its words quoted for the person', async () => {
    await using gateway = await startNodeGateway();
    const node = await gateway.node({ commands: { 'system.run': () => ({ exitCode: 0 }) } });
    const { call, asked } = methodsOf(gateway);
    await call('node.run', { node: node.nodeId, command: ['sh', '-c', "echo 'a b'"] });
    assert.equal(asked[0]!.command, `sh -c 'echo '\\''a b'\\'''`);
    assert.equal('systemRunPlan' in JSON.parse(node.invokes[0].paramsJSON), false);
  });

  it('a line is for the shell of the node, and without a name for the only node that runs programs', async () => {
    await using gateway = await startNodeGateway();
    const { call, asked } = methodsOf(gateway);
    await assert.rejects(call('node.run', { line: 'id' }), { code: 'unavailable', message: /no connected node/ });
    const node = await gateway.node({ commands: { 'system.run': () => ({ exitCode: 0 }) } });
    await call('node.run', { line: 'id; pwd', ask: 'always' });
    assert.deepEqual(JSON.parse(node.invokes[0].paramsJSON).command, ['/bin/sh', '-lc', 'id; pwd']);
    assert.equal(asked[0]!.command, "/bin/sh -lc 'id; pwd'");
    assert.deepEqual(asked[0]!.stricter, { ask: 'always' });
    for (const params of [{}, { line: 'id', command: ['id'] }, { line: '' }])
      await assert.rejects(call('node.run', params), { code: 'invalid' });
    await gateway.node({ commands: { 'system.run': () => ({ exitCode: 0 }) } });
    await assert.rejects(call('node.run', { line: 'id' }), { code: 'invalid', message: /several nodes run commands/ });
    assert.equal(node.invokes.length, 1);
  });

  it('does not run when it is denied, planned otherwise, or cannot be planned', async () => {
    await using gateway = await startNodeGateway();
    const answers: { prepare: unknown } = { prepare: { plan: plan(['uname']) } };
    const node = await gateway.node({
      commands: { 'system.run.prepare': () => answers.prepare, 'system.run': () => ({ exitCode: 0 }) },
    });
    const denied = methodsOf(gateway, { permit: { kind: 'refused', code: 'user-denied', message: 'Exec denied.' } });
    await assert.rejects(denied.call('node.run', { node: node.nodeId, command: ['uname'] }), {
      code: 'denied',
      message: 'Exec denied.',
    });
    const { call, asked } = methodsOf(gateway);
    await assert.rejects(call('node.run', { node: node.nodeId, command: ['uname', '-a'] }), {
      message: /another command than it was given/,
    });
    answers.prepare = { plan: 'none' };
    await assert.rejects(call('node.run', { node: node.nodeId, command: ['uname'] }), { message: /sent no plan/ });
    await assert.rejects(call('node.run', { node: node.nodeId, command: [] }), { code: 'invalid', message: /command/ });
    assert.deepEqual(asked, []);
    assert.ok(node.invokes.every(({ command }) => command === 'system.run.prepare'));
  });
});
