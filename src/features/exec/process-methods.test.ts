// Background commands and the sandbox, asked for over the wire.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startExecGateway } from './harness.ts';

describe('processes', () => {
  it('are listed, of one agent or of all, without an environment', async () => {
    await using gateway = await startExecGateway();
    gateway.processes.put({ sessionId: 'calm-harbor' });
    gateway.processes.put({ sessionId: 'brave-otter', agentId: 'work' });
    const client = await gateway.client({ scopes: ['operator.read'] });
    const ids = async (params: object): Promise<string[]> =>
      (await client.call('process.list', params)).processes.map(({ sessionId }: any) => sessionId);
    assert.deepEqual(await ids({}), ['calm-harbor', 'brave-otter']);
    assert.deepEqual(await ids({ agentId: 'Work' }), ['brave-otter']);
    assert.equal((await client.request('process.list', { agentId: 'nobody' })).error.details.code, 'UNKNOWN_AGENT_ID');
    const [view] = (await client.call('process.list', {})).processes;
    assert.equal('env' in view, false);
  });

  it('show their output by lines', async () => {
    await using gateway = await startExecGateway();
    gateway.processes.put({ sessionId: 'calm-harbor', output: 'one\ntwo\nthree\n' });
    const client = await gateway.client({ scopes: ['operator.read'] });
    const last = await client.call('process.log', { sessionId: 'calm-harbor', limit: 2 });
    assert.deepEqual([last.output, last.firstLine, last.totalLines], ['two\nthree', 1, 3]);
    assert.equal((await client.call('process.log', { sessionId: 'calm-harbor', offset: 0, limit: 1 })).output, 'one');
    assert.match(
      (await client.request('process.log', { sessionId: 'calm-harbor', offset: -1 })).error.message,
      /offset/,
    );
  });

  it('are written to by administrators only, until their input is closed', async () => {
    await using gateway = await startExecGateway();
    gateway.processes.put({ sessionId: 'calm-harbor' });
    const writer = await gateway.client({ scopes: ['operator.write'] });
    assert.equal(
      (await writer.request('process.write', { sessionId: 'calm-harbor', data: 'ls\n' })).error.details.missingScope,
      'operator.admin',
    );
    const admin = await gateway.client();
    assert.deepEqual(await admin.call('process.write', { sessionId: 'calm-harbor', data: 'ls\n', eof: true }), {
      written: 3,
    });
    assert.deepEqual(gateway.processes.written, [{ id: 'calm-harbor', data: 'ls\n', eof: true }]);
    const closed = (await admin.request('process.write', { sessionId: 'calm-harbor', data: 'more' })).error;
    assert.deepEqual([closed.details.code, closed.message], ['PROCESS_CLOSED', 'calm-harbor no longer accepts input.']);
  });

  it('are ended, cleared and removed, each with its own error if that is impossible', async () => {
    await using gateway = await startExecGateway();
    gateway.processes.put({ sessionId: 'calm-harbor' });
    const client = await gateway.client({ scopes: ['operator.write'] });
    const refused = async (name: string): Promise<string> =>
      (await client.request(name, { sessionId: 'calm-harbor' })).error.details.code;
    assert.equal(await refused('process.clear'), 'PROCESS_RUNNING');
    assert.equal((await client.call('process.kill', { sessionId: 'calm-harbor' })).process.exitSignal, 'SIGKILL');
    assert.equal(await refused('process.kill'), 'PROCESS_ENDED');
    assert.deepEqual(await client.call('process.clear', { sessionId: 'calm-harbor' }), { ok: true });
    gateway.processes.put({ sessionId: 'brave-otter' });
    assert.deepEqual(await client.call('process.remove', { sessionId: 'brave-otter' }), { ok: true });
    for (const name of ['process.log', 'process.kill', 'process.clear', 'process.remove'])
      assert.equal(await refused(name), 'PROCESS_NOT_FOUND', name);
    const { error } = await client.request('process.kill', { sessionId: 'no-such' });
    assert.deepEqual(
      [error.details.reason, error.message],
      ['not_found', 'Unknown process "no-such"; process.list lists the processes.'],
    );
    assert.equal((await client.request('process.kill', { sessionId: '' })).error.code, 'INVALID_REQUEST');
  });

  it('tell of themselves to those who may read, and stop when the gateway does', async () => {
    const gateway = await startExecGateway();
    const { processes } = gateway;
    {
      await using _ = gateway;
      const reader = await gateway.client({ scopes: ['operator.read'] });
      const outsider = await gateway.client({ scopes: ['operator.approvals'] });
      processes.put({ sessionId: 'calm-harbor', status: 'completed', exitCode: 0 });
      const { payload } = await reader.event('process.changed');
      assert.equal(payload.process.sessionId, 'calm-harbor');
      await outsider.request('exec.approval.list');
      assert.equal(
        outsider.frames.some((frame: any) => frame.event === 'process.changed'),
        false,
      );
    }
    gateway.unfollow();
    assert.equal(processes.listeners.size, 0);
  });
});

it('output is told to those who follow, collected, and to nobody else', async () => {
  const clock = createFakeClock();
  await using gateway = await startExecGateway(undefined, { clock });
  const { processes } = gateway;
  const [reader, other] = [await gateway.client(), await gateway.client()];
  assert.deepEqual(await reader.call('process.subscribe'), { subscribed: true });
  processes.put({ sessionId: 'calm-harbor', output: 'one' });
  for (let at = 0; at < 50; at++) processes.wrote('calm-harbor');
  processes.put({ sessionId: 'calm-harbor', output: 'one two' });
  await clock.advance(250);
  const { payload } = await reader.event('process.output');
  assert.equal(payload.process.tail, 'one two', 'as it is when it is told');
  const countOf = (client: typeof reader): number =>
    client.frames.filter(({ event }) => event === 'process.output').length;
  await reader.call('process.unsubscribe');
  processes.wrote('calm-harbor');
  await clock.advance(250);
  await Promise.all([reader.call('process.list'), other.call('process.list')]);
  assert.deepEqual([countOf(reader), countOf(other)], [1, 0]);
  await reader.call('process.subscribe');
  reader.socket.close();
  await reader.closed;
  processes.wrote('calm-harbor');
  await clock.advance(250);
  assert.deepEqual([countOf(reader), countOf(other)], [1, 0]);
});

describe('sandbox.explain', () => {
  it('asks for the session it is about, by its whole key', async () => {
    const asked: object[] = [];
    await using gateway = await startExecGateway(async (where) => {
      asked.push(where);
      return { sandboxed: true, because: 'agents.defaults.sandbox.mode = "all"', mounts: [], notes: [] };
    });
    const client = await gateway.client({ scopes: ['operator.read'] });
    assert.equal((await client.call('sandbox.explain', {})).sandboxed, true);
    await client.call('sandbox.explain', { agentId: 'work', sessionKey: 'telegram:dm:7' });
    assert.deepEqual(asked, [{}, { agentId: 'work', sessionKey: 'agent:work:telegram:dm:7' }]);
    assert.equal(
      (await client.request('sandbox.explain', { agentId: 'nobody' })).error.details.code,
      'UNKNOWN_AGENT_ID',
    );
  });
});
