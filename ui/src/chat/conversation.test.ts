/** History, live runs and unsent messages, merged into one conversation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent, AgentMessage, PersonMessage, WireMessage } from '../gateway/wire.ts';
import { emptyConversation, isBusy, itemsOf, withAgentEvent, withChatEvent, withHistory } from './conversation.ts';
import { withEarlier } from './earlier.ts';
import {
  fakeAborted,
  fakeAgentEvent,
  fakeAnswer,
  fakeDelta,
  fakeFailure,
  fakeFinal,
  fakePerson,
  fakeResult,
  KEY,
} from './fake.ts';
import type { Outgoing } from './outbox.ts';
import { itemsOfHistory } from './transcript.ts';

const person = (runId: string, text: string): PersonMessage => fakePerson(text, { __openclaw: { runId } });
const answer = (
  runId: string,
  text: string,
  more: Partial<AgentMessage> & { readonly output?: number } = {},
): AgentMessage => fakeAnswer(text, { __openclaw: { runId }, ...more });
const outgoing = (id: string, state: Outgoing['state']): Outgoing => ({
  id,
  sessionKey: KEY,
  text: `text of ${id}`,
  files: [],
  at: 30,
  state,
});
const keys = (items: readonly { key: string }[]): string[] => items.map((item) => item.key);

test('tool calls, their results and the text around them are one answer', () => {
  const items = itemsOfHistory([
    person('1', 'read it'),
    answer('1', 'Reading.', {
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Reading.' },
        { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' } },
      ],
      stopReason: 'toolUse',
      output: 3,
    }),
    fakeResult('inside', { toolCallId: 'c', __openclaw: { runId: '1' } }),
    answer('1', 'It says inside.', { output: 4 }),
  ]);
  assert.deepEqual(keys(items), ['person:1', 'answer:1']);
  const whole = items[1]!;
  assert.ok(whole.kind === 'answer');
  assert.deepEqual(
    whole.parts.map((part) => part.type),
    ['thinking', 'text', 'tool', 'text'],
  );
  assert.deepEqual(whole.parts[2], {
    type: 'tool',
    callId: 'c',
    name: 'read',
    args: { path: 'a' },
    state: 'ok',
    output: 'inside',
    images: [],
    startedAt: 20,
    ms: 7,
  });
  assert.equal(whole.tokens, 7);
});

test('an answer stopped in a tool stays stopped though its transcript ends with the call like any other', () => {
  const called = answer('1', '', {
    content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'sleep 9' } }],
    stopReason: 'toolUse',
  });
  const stopped = withChatEvent(emptyConversation(KEY), fakeAborted(1, '1'), 5);
  const last = itemsOf(withHistory(stopped, { messages: [person('1', 'run it'), called] }, 9), []).at(-1)!;
  assert.equal(last.kind === 'answer' && last.status, 'aborted');
});

test('keys are unique, also for messages that carry no id at all', () => {
  const bare = fakePerson('x');
  const shown = keys(itemsOfHistory([bare, bare, person('1', 'a'), person('1', 'steered in'), answer('1', 'b')]));
  assert.equal(new Set(shown).size, shown.length);
});

test('an image that is not an image type never becomes a source', () => {
  const [item] = itemsOfHistory([
    fakePerson([
      { type: 'image', mimeType: 'image/svg+xml', data: 'x' },
      { type: 'image', mimeType: 'image/png', data: 'y' },
    ]),
  ]);
  assert.deepEqual(item?.kind === 'person' && item.images, [{ src: 'data:image/png;base64,y' }]);
});

test('with `written` a person reads their own words and files, and finds folded what the agent was given', () => {
  const composed = 'Look\n\n<file name="a.pdf" mime="application/pdf">…</file>';
  const picture = { type: 'image', mimeType: 'image/png', data: 'y' } as const;
  const shown = (message: PersonMessage): unknown => {
    const [item] = itemsOfHistory([message]);
    return (
      item?.kind === 'person' && {
        text: item.text,
        images: item.images.length,
        files: item.files.map(({ name }) => name),
        given: item.agentText,
      }
    );
  };
  const files = [
    { name: 'a.pdf', mime: 'application/pdf' },
    { name: 'b.png', mime: 'image/png' },
  ];
  const said = fakePerson([{ type: 'text', text: composed }, picture, picture]);
  assert.deepEqual(
    shown({ ...said, written: { text: 'Look', files } }),
    { text: 'Look', images: 1, files: ['a.pdf'], given: composed },
    'the second picture is a page of the document',
  );
  assert.deepEqual(
    shown(fakePerson(composed, { written: { text: 'Look', files } })),
    { text: 'Look', images: 0, files: ['a.pdf', 'b.png'], given: composed },
    'a described picture is a chip',
  );
  assert.deepEqual(
    shown(fakePerson('Look', { written: { text: 'Look', files: [] } })),
    { text: 'Look', images: 0, files: [], given: undefined },
    'nothing was added',
  );
  assert.deepEqual(
    shown({ ...said, written: { text: 'Look', files: [{ name: 'a.csv', mime: 'text/csv' }] } }),
    { text: 'Look', images: 2, files: ['a.csv'], given: composed },
    'no document that could have pages',
  );
  assert.deepEqual(shown(said), { text: composed, images: 2, files: [], given: undefined }, 'without it: as it came');
});

test('a message on its way shows its files as its history will', () => {
  const file = (name: string, mime: string) => ({ src: `data:${mime};base64,eA==`, name, mime, bytes: 1 });
  const [item] = itemsOf(emptyConversation(KEY), [
    {
      ...outgoing('2', 'sending'),
      files: [file('a.csv', 'text/csv'), file('b.png', 'image/png'), file('c.svg', 'image/svg+xml')],
    },
  ]);
  assert.deepEqual(
    item?.kind === 'person' && [item.images.map(({ name }) => name), item.files.map(({ name }) => name)],
    [['b.png'], ['a.csv', 'c.svg']],
  );
});

test('what is being read opens the run, and gives way to the agent', () => {
  const progress = (): unknown => itemsOf(state, []).map((item) => item.kind === 'answer' && item.progress);
  let state = withAgentEvent(emptyConversation(KEY), fakeAgentEvent('understanding', { text: 'Reading a.pdf' }), 0);
  state = withAgentEvent(state, fakeAgentEvent('notice', { text: 'b.mov is too large.' }), 0);
  assert.deepEqual(progress(), ['Reading a.pdf'], 'a word of the gateway does not hide it');
  assert.deepEqual(
    itemsOf(withAgentEvent(state, fakeAgentEvent('thinking', { delta: 'hm' }), 0), []).map(
      (item) => item.kind === 'answer' && item.progress,
    ),
    [undefined],
  );
  state = withAgentEvent(state, fakeAgentEvent('lifecycle', { phase: 'start' }), 0);
  assert.deepEqual(progress(), [undefined]);
});

test('a live answer has the key its history will have, and stands behind its question', () => {
  let state = withHistory(emptyConversation(KEY), { messages: [person('1', 'a'), answer('1', 'b')] }, 0);
  state = withChatEvent(state, fakeDelta(0, ['c', 'c'], { runId: '2' }), 0);
  assert.deepEqual(keys(itemsOf(state, [outgoing('2', 'accepted'), outgoing('3', 'queued')])), [
    'person:1',
    'answer:1',
    'person:2',
    'answer:2',
  ]);
  assert.equal(isBusy(state), true);
  state = withChatEvent(state, fakeFinal(1, 'c', { runId: '2' }), 0);
  state = withHistory(state, { messages: [person('1', 'a'), answer('1', 'b'), person('2', 'x'), answer('2', 'c')] }, 0);
  assert.deepEqual(keys(itemsOf(state, [])), ['person:1', 'answer:1', 'person:2', 'answer:2']);
  assert.deepEqual(state.runs, []);
});

test('a message waiting in the queue is not in the conversation yet', () => {
  assert.deepEqual(itemsOf(emptyConversation(KEY), [outgoing('q', 'queued'), outgoing('f', 'failed')]), []);
});

test('a run in flight at reload goes on from the text the gateway gives', () => {
  const state = withHistory(
    emptyConversation(KEY),
    { messages: [person('1', 'a')], inFlightRun: { runId: '1', text: 'So far' } },
    5,
  );
  const next = withChatEvent(state, fakeDelta(9, [' and on', 'So far and on'], { runId: '1' }), 6);
  const live = itemsOf(next, []).at(-1);
  assert.deepEqual(live?.kind === 'answer' && live.parts, [{ type: 'text', text: 'So far and on' }]);
});

test('a failed run stays on screen when the transcript knows nothing of it', () => {
  let state = withChatEvent(emptyConversation(KEY), fakeFailure(0, 'overloaded', '1'), 0);
  state = withHistory(state, { messages: [person('1', 'a')] }, 0);
  const failure = (): unknown => itemsOf(state, []).map((item) => (item.kind === 'answer' ? item.error : item.text));
  assert.deepEqual(failure(), ['a', 'overloaded']);
  state = withHistory(state, { messages: [person('1', 'a'), answer('1', 'a notice of the failure')] }, 0);
  assert.deepEqual(failure(), ['a', 'overloaded'], 'once, and still to be tried again');
});

test('an assistant narration of an unknown run opens nothing, its start does', () => {
  const runsAfter = (event: AgentEvent): number => withAgentEvent(emptyConversation(KEY), event, 0).runs.length;
  assert.equal(runsAfter(fakeAgentEvent('assistant', { text: 'x' })), 0);
  assert.equal(runsAfter(fakeAgentEvent('lifecycle', { phase: 'start' })), 1);
});

test('a notice of a turn stands before its answer, as it did live, and not as an answer of its own', () => {
  const of = (facts: Partial<AgentMessage>, text: string) => answer('r', text, facts);
  const [first, ...rest] = itemsOfHistory([
    of({}, 'ok'),
    of({ stopReason: 'injected' }, 'one was not read'),
    of({ stopReason: 'injected' }, 'nor another'),
  ]);
  assert.deepEqual(
    [first?.kind === 'answer' && first.parts, rest],
    [
      [
        { type: 'notice', text: 'one was not read' },
        { type: 'notice', text: 'nor another' },
        { type: 'text', text: 'ok' },
      ],
      [],
    ],
  );
});

test('older pages are put before what is known, and stay there while new messages come', () => {
  const page = (from: number, count: number): WireMessage[] =>
    Array.from({ length: count }, (_, index) => ({
      ...person(`r${from + index}`, `text ${from + index}`),
      __openclaw: { id: `m${from + index}`, runId: `r${from + index}` },
    }));
  const ids = (): (string | undefined)[] => state.messages.map((message) => message.__openclaw?.id);
  let state = withHistory(emptyConversation(KEY), { sessionId: 's', messages: page(4, 3), nextOffset: 3 }, 0);
  state = withEarlier({ ...state, fetchingEarlier: true }, { sessionId: 's', messages: page(2, 3), nextOffset: 5 });
  assert.deepEqual(
    [ids(), state.nextOffset, state.fetchingEarlier],
    [['m2', 'm3', 'm4', 'm5', 'm6'], 5, undefined],
    'what both pages have stands once',
  );
  assert.deepEqual(
    keys(state.history),
    [2, 3, 4, 5, 6].map((index) => `person:r${index}`),
  );
  state = withHistory(state, { sessionId: 's', messages: page(5, 3), nextOffset: 3 }, 0);
  assert.deepEqual([ids(), state.nextOffset], [['m2', 'm3', 'm4', 'm5', 'm6', 'm7'], 5]);
  state = withEarlier(state, { sessionId: 's', messages: page(0, 2) });
  assert.deepEqual([ids()[0], state.nextOffset], ['m0', undefined], 'the first message');
  state = withHistory(state, { sessionId: 's', messages: page(20, 3), nextOffset: 3 }, 0);
  assert.deepEqual(
    [ids(), state.nextOffset],
    [['m20', 'm21', 'm22'], 3],
    'where the two do not meet there would be a gap',
  );
  state = withHistory(state, { sessionId: 'other', messages: page(22, 2) }, 0);
  assert.deepEqual([ids(), state.nextOffset], [['m22', 'm23'], undefined], 'it was started over');
  assert.deepEqual(
    withEarlier(state, { sessionId: 's', messages: page(0, 2) }).messages.length,
    2,
    'a page of the conversation before is none of this one',
  );
});
