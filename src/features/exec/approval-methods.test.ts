// Approvals over the wire: who hears of them, who may answer, what the file of permissions shows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleQuestion } from './fake-approvals.ts';
import { startExecGateway, type ExecGateway } from './harness.ts';

const ask = (gateway: ExecGateway, patch = {}) => {
  const asked = gateway.approvals.ask(sampleQuestion(patch), {
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  assert.ok(!('problem' in asked));
  return asked;
};

describe('a command that waits', () => {
  it('is sent in full to approvers only, and resolved once', async () => {
    await using gateway = await startExecGateway();
    const [evaluate, reader, other] = await Promise.all([
      gateway.client({ scopes: ['operator.approvals'] }),
      gateway.client({ scopes: ['operator.read', 'operator.write', 'operator.pairing'] }),
      gateway.client(),
    ]);
    const command = `printf '${'x'.repeat(20_000)}'\n\u001b[2K rm -rf ~`;
    const { request, decided } = ask(gateway, { command });
    const { payload: event } = await evaluate.event('exec.approval.requested');
    assert.deepEqual(event, {
      id: request.id,
      slug: request.slug,
      createdAtMs: request.createdAt,
      expiresAtMs: request.expiresAt,
      request: {
        command,
        cwd: '/home/ada/clawd',
        env: { STAGE: 'prod' },
        host: 'gateway',
        agentId: 'main',
        sessionKey: 'agent:main:main',
        reasons: ['/usr/bin/git is not in the allowlist.'],
        rememberable: true,
        elevated: false,
        steps: [
          {
            words: ['git', 'push', 'origin', null],
            path: '/usr/bin/git',
            why: '/usr/bin/git is not in the allowlist.',
          },
        ],
      },
    });
    assert.deepEqual(await evaluate.call('exec.approval.list'), [event]);
    assert.deepEqual(await evaluate.call('exec.approval.get', { id: request.id }), event);
    assert.deepEqual(await evaluate.call('exec.approval.resolve', { id: request.slug, decision: 'deny' }), {
      ok: true,
    });
    assert.deepEqual(await decided, { id: request.id, decision: 'deny', by: 'operator', at: (await decided).at });
    assert.deepEqual((await other.event('exec.approval.resolved')).payload, {
      id: request.id,
      decision: 'deny',
      resolvedBy: 'operator',
      ts: (await decided).at,
    });
    const late = await other.request('exec.approval.resolve', { id: request.id, decision: 'allow-once' });
    assert.match(late.error.message, /already settled: it was answered deny by operator/);
    await reader.call('health');
    assert.ok(!reader.frames.some((frame) => String(frame.event).startsWith('exec.')));
    assert.deepEqual(await evaluate.call('exec.approval.list'), []);
  });

  it('refuses decisions that are none, that are not offered, or that would end by themselves', async () => {
    await using gateway = await startExecGateway();
    const client = await gateway.client();
    const { request } = ask(gateway, { rememberable: false });
    for (const decision of ['yes', 'allow', 'ALLOW-ONCE', 'constructor'])
      assert.match(
        (await client.request('exec.approval.resolve', { id: request.id, decision })).error.message,
        /decision must be allow-once, allow-always, deny/,
      );
    assert.match(
      (await client.request('exec.approval.resolve', { id: request.id, decision: 'allow-always' })).error.message,
      /allow-once or deny/,
    );
    assert.match(
      (await client.request('exec.approval.resolve', { id: request.id, decision: 'allow-once', grantExpiresInDays: 3 }))
        .error.message,
      /does not support expiring permissions/,
    );
    for (const id of ['', 'nope-nope', request.id.slice(0, 3)])
      assert.equal((await client.request('exec.approval.resolve', { id, decision: 'deny' })).ok, false);
    assert.equal((await client.request('exec.approval.get', { id: 'nope' })).ok, false);
    assert.equal(gateway.approvals.pending().length, 1);
  });
});

describe('a question from elsewhere', () => {
  it('T52 is put, answered, and keeps its id', async () => {
    await using gateway = await startExecGateway();
    const [node, evaluate] = await Promise.all([gateway.client({ scopes: ['operator.approvals'] }), gateway.client()]);
    const answer = node.call('exec.approval.request', {
      id: 'run-7',
      command: 'reboot now',
      commandArgv: ['reboot', 'now'],
      host: 'node',
      nodeId: 'pi',
      cwd: '/',
      agentId: 'main',
      timeoutMs: 5000,
      unavailableDecisions: ['allow-always'],
      env: { A: '1' },
      resolvedPath: '/sbin/reboot',
    });
    const { id, request, expiresAtMs, createdAtMs } = (await evaluate.event('exec.approval.requested')).payload;
    assert.deepEqual(
      [id, request.host, request.rememberable, request.steps, request.env, expiresAtMs - createdAtMs],
      ['run-7', 'node', false, [{ words: ['reboot', 'now'], path: '/sbin/reboot' }], { A: '1' }, 5000],
    );
    assert.match(request.reasons[0], /asks for the node pi; the command was not analyzed/);
    await evaluate.call('exec.approval.resolve', { id, decision: 'allow-once' });
    assert.deepEqual(await answer, { id, decision: 'allow-once', createdAtMs, expiresAtMs });
    assert.deepEqual(await node.call('exec.approval.waitDecision', { id }), {
      id,
      decision: 'allow-once',
      createdAtMs,
      expiresAtMs,
    });
    assert.match(
      (await node.request('exec.approval.request', { id: 'run-7', command: 'again' })).error.message,
      /already/,
    );
  });

  it('in two phases outlives the connection; in one it is taken back with it', async () => {
    await using gateway = await startExecGateway();
    const [first, second, third] = await Promise.all([gateway.client(), gateway.client(), gateway.client()]);
    const one = first.request('exec.approval.request', { command: 'a', id: 'one-phase' }).catch(() => undefined);
    const two = second
      .request('exec.approval.request', { command: 'b', id: 'two-phase', twoPhase: true })
      .catch(() => undefined);
    const accepted = await second.frame((frame) => frame.payload?.status === 'accepted');
    assert.equal(accepted.payload.id, 'two-phase');
    await third.event('exec.approval.requested', ({ id }) => id === 'one-phase');
    first.socket.terminate();
    second.socket.terminate();
    assert.equal((await third.event('exec.approval.resolved')).payload.decision, 'withdrawn');
    await Promise.all([one, two]);
    assert.deepEqual(
      (await third.call('exec.approval.list')).map(({ id }: any) => id),
      ['two-phase'],
    );
    const wait = third.call('exec.approval.waitDecision', { id: 'two-phase' });
    await third.call('exec.approval.resolve', { id: 'two-phase', decision: 'deny' });
    assert.equal((await wait).decision, 'deny');
    assert.equal(
      (await third.call('exec.approval.waitDecision', { id: 'one-phase' })).decision,
      null,
      'nobody decided',
    );
  });

  it('needs a command, and is known to be asked for', async () => {
    await using gateway = await startExecGateway();
    const client = await gateway.client();
    assert.match((await client.request('exec.approval.request', {})).error.message, /command is required/);
    assert.equal((await client.request('exec.approval.waitDecision', { id: 'nope' })).ok, false);
  });
});

describe('the file of permissions', () => {
  it('T60 is replaced only by who has read the newest', async () => {
    await using gateway = await startExecGateway();
    const client = await gateway.client();
    const before = await client.call('exec.approvals.get');
    assert.deepEqual([before.exists, before.file], [false, { version: 1 }]);
    const file = { version: 1, agents: { main: { allowlist: [{ pattern: '/usr/bin/git' }] } } };
    const after = await client.call('exec.approvals.set', { file, baseHash: before.hash });
    assert.deepEqual(after.file, file);
    assert.match(
      (await client.request('exec.approvals.set', { file, baseHash: before.hash })).error.message,
      /changed since/,
    );
    assert.equal(
      (await client.request('exec.approvals.set', { file: { version: 2 }, baseHash: after.hash })).ok,
      false,
    );
    assert.match(
      (await client.request('exec.approvals.set', { file: { ...file, extra: 1 }, baseHash: after.hash })).error.message,
      /extra/,
    );
  });

  it('that makes no sense is an error with the hash to replace it by', async () => {
    await using gateway = await startExecGateway();
    Object.assign(gateway.approvals, { text: '{', problem: 'The approvals file is not JSON.' });
    const client = await gateway.client();
    const { error } = await client.request('exec.approvals.get');
    assert.deepEqual(
      [error.message, error.details.code],
      ['The approvals file is not JSON.', 'APPROVALS_FILE_INVALID'],
    );
    assert.deepEqual(
      (await client.call('exec.approvals.set', { file: { version: 1 }, baseHash: error.details.hash })).file,
      { version: 1 },
    );
  });
});
