/** The fake gateway of the UI tests answers as the schemas of the real one say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleChannels } from '../ui/dev/fake-channels.ts';
import { answerMethod } from '../ui/dev/fake-methods.ts';
import { FakeState, MAIN } from '../ui/dev/fake-state.ts';
import { sampleCron } from '../ui/dev/sample-cron.ts';
import { answerSchemas, frameFault } from '../src/testing/answer-check.ts';
import { until } from '../src/testing/until.ts';

/** Every method the fake answers, in an order in which each finds what it is about; `:name` is looked up. */
const CALLS: readonly (readonly [method: string, params?: Readonly<Record<string, unknown>>])[] = [
  ['status'],
  ['health'],
  ['understanding.status'],
  ['system-presence'],
  ['sessions.subscribe'],
  ['chat.send', { sessionKey: MAIN, message: 'tools', idempotencyKey: 'run-1' }],
  ['chat.send', { sessionKey: MAIN, message: 'tools', idempotencyKey: 'run-1' }],
  ['sessions.list', {}],
  ['chat.history', { sessionKey: MAIN }],
  ['chat.timeline', { runId: 'run-1' }],
  ['agent.wait', { runId: 'run-1', timeoutMs: 0 }],
  ['chat.abort', { sessionKey: MAIN }],
  ['sessions.patch', { key: MAIN, label: 'Kitchen' }],
  ['sessions.reset', { key: MAIN }],
  ['sessions.delete', { key: MAIN }],
  ['config.get'],
  ['config.set', { raw: '{}', baseHash: 'h1' }],
  ['logs.tail', {}],
  ['device.pair.list'],
  ['device.pair.approve', { requestId: 'ask-1' }],
  ['device.pair.reject', { requestId: 'ask-2' }],
  ['device.pair.remove', { deviceId: 'phone' }],
  ['exec.approval.list'],
  ['exec.approval.resolve', { id: ':approval', decision: 'allow-once' }],
  ['process.list'],
  ['process.log', { sessionId: 'calm-reef' }],
  ['process.write', { sessionId: 'calm-reef', data: 'y\n' }],
  ['process.kill', { sessionId: 'calm-reef' }],
  ['process.clear', { sessionId: 'calm-reef' }],
  ['tools.explain'],
  ['sandbox.explain'],
  ['channels.status', { probe: true }],
  ['channels.capabilities', {}],
  ['channels.restart', { channel: 'telegram', accountId: 'default' }],
  ['channel.pairing.list', {}],
  ['channel.pairing.approve', { channel: 'telegram', code: 'K7QX2MPA' }],
  ['channel.pairing.reject', { channel: 'telegram', code: 'REJECTED' }],
  ['access.explain', { channel: 'telegram', senderId: '4711', verb: 'read', resource: 'received-file' }],
  ['access.recent', { limit: 10 }],
  ['last-heartbeat'],
  ['agents.list', {}],
  ['models.list', {}],
  ['cron.status', {}],
  ['cron.list', { includeDisabled: true }],
  ['cron.get', { id: 'job-morning' }],
  ['cron.add', { schedule: 'every weekday at 7:00', payload: { kind: 'agentTurn', message: 'Report' } }],
  ['cron.update', { id: 'job-morning', patch: { enabled: false } }],
  ['cron.run', { id: 'job-morning' }],
  ['cron.runs', { id: 'job-morning' }],
  ['cron.preview', { schedule: 'tomorrow 9:00' }],
  ['cron.calendar', { fromMs: Date.now(), toMs: Date.now() + 86_400_000 }],
  ['cron.remove', { id: 'job-morning' }],
];

test('the fake gateway of the Control UI answers as the protocol says', async (t) => {
  const faults: string[] = [];
  const note = (fault: string | undefined): void => void (fault !== undefined && faults.push(fault));
  const broadcast = (event: string, payload: unknown): void =>
    note(frameFault({ type: 'event', event, payload: JSON.parse(JSON.stringify(payload)) }, undefined));
  const state = new FakeState({ pace: 0, broadcast });
  t.after(() => state.stop());
  sampleChannels(state.channels);
  sampleCron(state.cron);
  const facts = { deviceId: 'phone', publicKey: 'key', displayName: 'Phone', platform: 'iOS' };
  const request = { ...facts, role: 'operator', scopes: [], isRepair: false, ts: 1 };
  state.devices.pending = ['ask-1', 'ask-2'].map((requestId) => ({ ...request, requestId }));
  state.channels.ask({ ...state.channels.pending[0]!, code: 'REJECTED' });
  void state.exec.ask({ sessionKey: MAIN, command: 'rm -r build' });
  state.exec.start({ sessionId: 'calm-reef', command: 'npm run dev', sessionKey: MAIN });

  for (const [method, params = {}] of CALLS) {
    const filled = params['id'] === ':approval' ? { ...params, id: [...state.exec.approvals.keys()][0] } : params;
    const payload = JSON.parse(JSON.stringify(await answerMethod(state, method, filled)));
    assert.ok(answerSchemas[method], `${method} has a schema`);
    note(frameFault({ type: 'res', ok: true, payload }, method));
  }
  assert.deepEqual([...new Set(faults)], []);
});

test('runs of the fake gateway are told as the protocol says, and leave messages as it says', async (t) => {
  const faults: string[] = [];
  const note = (fault: string | undefined): void => void (fault !== undefined && faults.push(fault));
  const broadcast = (event: string, payload: unknown): void =>
    note(frameFault({ type: 'event', event, payload: JSON.parse(JSON.stringify(payload)) }, undefined));
  const state = new FakeState({ pace: 0, broadcast });
  t.after(() => state.stop());
  for (const message of ['pack for the trip', 'run tests', 'background', 'edit it', 'fail']) {
    await answerMethod(state, 'chat.send', { sessionKey: MAIN, message, idempotencyKey: message });
    await until(() => state.runs.size === 0);
  }
  const history = JSON.parse(JSON.stringify(await answerMethod(state, 'chat.history', { sessionKey: MAIN })));
  assert.ok(history.messages.length >= 6, 'the runs left messages');
  note(frameFault({ type: 'res', ok: true, payload: history }, 'chat.history'));
  assert.deepEqual([...new Set(faults)], []);
});

test('the greeting of the fake gateway is one', () => {
  const state = new FakeState({ pace: 0, broadcast: () => undefined });
  const payload = JSON.parse(JSON.stringify(state.hello({ device: { id: 'phone' } }, 15_000)));
  assert.equal(frameFault({ type: 'res', ok: true, payload }, 'connect'), undefined);
});
