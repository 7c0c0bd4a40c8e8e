/** A live run: text, tools and thinking in chronological order, for any sequence of events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent, ChatEvent, TextDelta } from '../gateway/wire.ts';
import { fakeAborted, fakeAgentEvent, fakeAnswer, fakeDelta, fakeFailure, fakeFinal, fakeResult } from './fake.ts';
import type { AnswerPart } from './items.ts';
import { applyAgent, applyChat, applyDelta, healed, seedRun, startRun, type LiveRun } from './live-run.ts';
import { itemsOfHistory } from './transcript.ts';

const run = startRun({ runId: 'r', sessionKey: 's', startedAt: 1 });
const delta = (seq: number, deltaText: string, full: string, replace = false): ChatEvent =>
  fakeDelta(seq, [deltaText, full], { replace });
const tool = (phase: string, more: Record<string, unknown> = {}): AgentEvent =>
  fakeAgentEvent('tool', { phase, name: 'read', toolCallId: 'c1', ...more }, { ts: 5 });
const shape = (state: LiveRun): string[] =>
  state.parts.map((part: AnswerPart) =>
    part.type === 'tool'
      ? `${part.name}:${part.state}:${part.output}`
      : `${part.type}:${part.type === 'canvas' ? part.preview.url : part.text}`,
  );

test('text before and after a tool stays in order when each message starts anew', () => {
  let state = applyChat(run, delta(0, 'Let me', 'Let me'));
  state = applyChat(state, delta(1, ' look.', 'Let me look.'));
  state = applyAgent(state, tool('start', { args: { path: 'a' } }));
  state = applyAgent(state, tool('result', { result: { content: [{ type: 'text', text: 'content' }] } }));
  state = applyChat(state, delta(2, 'Done', 'Done', true));
  state = applyChat(state, delta(3, '.', 'Done.'));
  assert.deepEqual(shape(state), ['text:Let me look.', 'read:ok:content', 'text:Done.']);
  assert.deepEqual(shape(applyChat(state, fakeFinal(4, 'Done.'))), [
    'text:Let me look.',
    'read:ok:content',
    'text:Done.',
  ]);
});

const lean = (seq: number, at: number, deltaText: string, replace = false): TextDelta => ({
  runId: 'r',
  sessionKey: 's',
  agentId: 'main',
  seq,
  at,
  deltaText,
  ...(replace ? { replace } : {}),
});

test('new text alone is put where it belongs; what is missing is noticed, and healed by the history', () => {
  let state = applyDelta(run, lean(0, 0, 'Let me'));
  state = applyDelta(state, lean(1, 6, ' look.'));
  assert.deepEqual(shape(state), ['text:Let me look.']);
  state = applyAgent(state, tool('start'));
  state = applyDelta(state, lean(2, 0, 'Done', true));
  state = applyDelta(state, lean(3, 4, '.'));
  assert.deepEqual(shape(state), ['text:Let me look.', 'read:running:', 'text:Done.']);
  const lost = applyDelta(state, lean(5, 20, ' more'));
  assert.equal(lost.gap, true);
  const again = healed(lost, 'Done. This and that, more');
  assert.equal(again.gap, undefined);
  assert.deepEqual(shape(again).at(-1), 'text:Done. This and that, more');
  assert.deepEqual(
    shape(applyDelta(again, lean(6, 20, ' more'))).at(-1),
    'text:Done. This and that, more',
    'the history was ahead',
  );
  assert.deepEqual(shape(applyDelta(again, lean(7, 25, '!'))).at(-1), 'text:Done. This and that, more!');
});

test('the same with a gateway that sends the text of the whole run', () => {
  let state = applyChat(run, delta(0, 'A', 'A'));
  state = applyAgent(state, tool('start'));
  state = applyChat(state, delta(1, 'B', 'AB'));
  assert.deepEqual(shape(state), ['text:A', 'read:running:', 'text:B']);
  assert.deepEqual(shape(applyChat(state, fakeFinal(2, 'ABC'))).at(-1), 'text:BC');
});

test('a lost delta is made good by the next one, a repeated one changes nothing', () => {
  let state = applyChat(run, delta(0, 'one ', 'one '));
  state = applyChat(state, delta(2, 'three', 'one two three'));
  assert.deepEqual(shape(state), ['text:one two three']);
  assert.equal(applyChat(state, delta(2, 'three', 'one two three')), state);
});

test('a rewritten message replaces its text', () => {
  let state = applyChat(run, delta(0, 'The answer is forty', 'The answer is forty'));
  state = applyChat(state, delta(1, 'The answer is 42', 'The answer is 42', true));
  assert.deepEqual(shape(state).length, 2, 'different beginnings within 24 characters are two messages');
  state = applyChat(run, delta(0, 'A long enough beginning, then this', 'A long enough beginning, then this'));
  state = applyChat(state, delta(1, 'A long enough beginning, then that', 'A long enough beginning, then that', true));
  assert.deepEqual(shape(state), ['text:A long enough beginning, then that']);
});

test('thinking is live until anything else begins', () => {
  let state = applyAgent(run, fakeAgentEvent('thinking', { delta: 'Hm' }));
  state = applyAgent(state, fakeAgentEvent('thinking', { delta: 'm.' }));
  assert.deepEqual(state.parts, [{ type: 'thinking', live: true, text: 'Hmm.' }]);
  state = applyChat(state, delta(0, 'So', 'So'));
  assert.deepEqual(state.parts[0], { type: 'thinking', text: 'Hmm.' });
});

test('a tool that fails says so; one cut off by the end of the run is not left running', () => {
  const failed = applyAgent(
    applyAgent(run, tool('start')),
    tool('result', { isError: true, result: 'no such file', durationMs: 3 }),
  );
  assert.deepEqual(shape(failed), ['read:error:no such file']);
  const cut = applyChat(applyAgent(run, tool('start')), fakeAborted(0));
  assert.equal(cut.status, 'aborted');
  assert.match(shape(cut)[0]!, /^read:error:Stopped/);
});

test('what the gateway says itself stands apart from the answer', () => {
  let state = applyChat(run, delta(0, 'A', 'A'));
  state = applyAgent(state, fakeAgentEvent('compaction', { phase: 'end' }));
  state = applyAgent(state, fakeAgentEvent('compaction', { phase: 'end' }));
  state = applyAgent(state, fakeAgentEvent('notice', { text: 'Switched to another model.' }));
  assert.deepEqual(
    state.parts.map((part) => part.type),
    ['text', 'notice', 'notice'],
  );
  assert.deepEqual(shape(applyChat(state, delta(1, 'B', 'AB'))).at(-1), 'text:B');
});

test('a command answered by a notice is shown once', () => {
  const state = applyAgent(run, fakeAgentEvent('notice', { text: 'Session started over.' }));
  assert.deepEqual(shape(applyChat(state, fakeFinal(0, 'Session started over.'))), ['text:Session started over.']);
});

test('after the end nothing changes any more', () => {
  const ended = applyChat(run, fakeFailure(0, 'overloaded'));
  assert.equal(ended.error, 'overloaded');
  assert.equal(applyChat(ended, delta(1, 'late', 'late')), ended);
  assert.equal(applyAgent(ended, tool('start')), ended);
});

test('after a reload the known first steps and the text so far are joined once', () => {
  const known = {
    kind: 'answer',
    key: 'k',
    at: 1,
    status: 'done',
    parts: [
      { type: 'text', text: 'Let me look. ' },
      { type: 'tool', callId: 'c1', name: 'read', args: {}, state: 'ok', output: 'x', images: [] },
    ],
  } as const;
  const whole = seedRun(startRun({ runId: 'r', sessionKey: 's', startedAt: 1, text: 'Let me look. Found' }), known);
  assert.deepEqual(shape(whole), ['text:Let me look. ', 'read:ok:x', 'text:Found']);
  const current = seedRun(startRun({ runId: 'r', sessionKey: 's', startedAt: 1, text: 'Found' }), known);
  assert.deepEqual(shape(current), ['text:Let me look. ', 'read:ok:x', 'text:Found']);
});

test('what a tool gave in this chat stands behind it, and words it said are not said again', () => {
  const file = { id: 'f.txt', name: 'plan.txt', mime: 'text/plain', size: 4 };
  const details = { sent: [{ text: 'The plan.', files: [file] }, { text: 'to a channel' }, 7] };
  let state = applyAgent(run, tool('start', { name: 'message' }));
  state = applyAgent(state, tool('result', { result: { content: [{ type: 'text', text: 'Shown.' }], details } }));
  state = applyChat(state, delta(1, 'The plan.', 'The plan.', true));
  assert.deepEqual(shape(state), ['message:ok:Shown.', 'files:The plan.', 'text:The plan.']);
  const over = applyChat(state, fakeFinal(2, ''));
  assert.deepEqual(shape(over), ['message:ok:Shown.', 'files:The plan.']);
  const withFile = applyChat(state, fakeFinal(2, '', { files: [file] }));
  assert.deepEqual(withFile.parts.at(-1), {
    type: 'files',
    text: '',
    files: [file],
  });
  const history = itemsOfHistory([
    fakeAnswer([{ type: 'toolCall', id: 'c1', name: 'message', arguments: {} }], { __openclaw: { runId: 'r' } }),
    fakeResult([], { details }),
    fakeAnswer([], { files: [file], __openclaw: { runId: 'r' } }),
  ]);
  assert.deepEqual(
    history.flatMap((item) => (item.kind === 'answer' ? item.parts.map(({ type }) => type) : [])),
    ['tool', 'files', 'files'],
    'the history reads the same',
  );
});
