/** The run hub: every event to every listener, and one end per run. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noUsage } from '../core/transcript.ts';
import type { AgentEvent, TurnOutcome } from '../core/turn.ts';
import type { RunInfo } from '../host/runs.ts';
import { createRunHub } from './run-hub.ts';

const done: TurnOutcome = { kind: 'done', text: 'ok', usage: noUsage };
const ended: AgentEvent = { type: 'ended', outcome: done };
const run = (runId: string): RunInfo => ({ runId, sessionKey: 's', agentId: 'main', origin: 'message' });
const message = (text: string): AgentEvent => ({
  type: 'message',
  message: {
    role: 'assistant',
    content: [{ type: 'text', text }],
    timestamp: 1,
    provider: 'p',
    model: 'm',
    usage: noUsage,
    stopReason: 'stop',
  },
});

it('passes events on in order until the end, and nothing after it', () => {
  const hub = createRunHub({ now: () => 1 });
  const seen: string[] = [];
  const stop = hub.subscribe(({ runId }, { type }) => void seen.push(`${runId} ${type}`));
  hub.emit('a', { type: 'text', delta: 'too early' });
  hub.accepted(run('a'));
  hub.emit('a', { type: 'started', turnId: 'a', provider: 'p', model: 'm' });
  hub.emit('a', ended);
  hub.emit('a', ended);
  hub.emit('a', { type: 'text', delta: 'too late' });
  stop();
  hub.accepted(run('b'));
  hub.emit('b', ended);
  assert.deepEqual(seen, ['a started', 'a ended']);
});

it('knows what a run has said so far', () => {
  const hub = createRunHub({ now: () => 7 });
  hub.accepted(run('a'));
  assert.deepEqual(hub.active(), [{ ...run('a'), text: '', queued: true, startedAt: 7 }]);
  hub.emit('a', { type: 'started', turnId: 'a', provider: 'p', model: 'm' });
  hub.emit('a', { type: 'text', delta: 'one ' });
  hub.emit('a', { type: 'text', delta: 'two' });
  hub.accepted(run('a'));
  assert.deepEqual(
    hub.active().map(({ text, queued }) => [text, queued]),
    [['one two', false]],
  );
  hub.emit('a', message('one two'));
  assert.equal(hub.active()[0]!.text, '', 'the message has it now');
  hub.emit('a', ended);
  assert.deepEqual([hub.active(), hub.isActive('a')], [[], false]);
});

it('tells everybody who waits how a run ended, before and after', async () => {
  const hub = createRunHub({ now: () => 1, remember: 2 });
  assert.equal(hub.whenEnded('a'), undefined);
  hub.accepted(run('a'));
  const waiting = [hub.whenEnded('a'), hub.whenEnded('a')];
  hub.emit('a', ended);
  for (const over of await Promise.all([...waiting, hub.whenEnded('a')]))
    assert.deepEqual(over, { ...run('a'), outcome: done, startedAt: 1, endedAt: 1 });
  for (const id of ['b', 'c']) {
    hub.accepted(run(id));
    hub.emit(id, ended);
  }
  assert.equal(hub.whenEnded('a'), undefined, 'it remembers only so many');
  assert.ok(hub.whenEnded('c'));
});
