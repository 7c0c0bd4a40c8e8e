/** The list of conversations: titles, search, drafts, unread marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  channelOf,
  emptySessions,
  findRows,
  isUnread,
  newSessionKey,
  titleOf,
  withDraft,
  withFound,
  withoutRow,
  withRows,
  withRunning,
  withSeen,
  withTitle,
} from './sessions.ts';
import { withOlder } from './older-sessions.ts';
import type { SessionRow } from './wire.ts';

const row = (key: string, more: Partial<SessionRow> = {}): SessionRow => ({
  key,
  sessionId: 's',
  updatedAt: 10,
  ...more,
});

test('titles fall back from what a person gave to what is known', () => {
  assert.equal(titleOf(row('k', { label: 'Taxes', displayName: 'x', derivedTitle: 'y' })), 'Taxes');
  assert.equal(titleOf(row('k', { channel: 'discord', displayName: 'discord:#garden' })), '#garden');
  assert.equal(
    titleOf(
      row('k', {
        subject: 'Family & Friends',
        displayName: 'telegram:g-family-friends',
        channel: 'telegram',
        derivedTitle: 'hello',
      }),
    ),
    'Family & Friends',
    'a group has its title',
  );
  assert.equal(titleOf(row('k', { derivedTitle: 'Pack for Lisbon' })), 'Pack for Lisbon');
  assert.equal(titleOf(row('agent:main:main', { derivedTitle: 'x', displayName: 'y' })), 'Main conversation');
  assert.equal(titleOf(row('agent:main:web:abc', { lastMessagePreview: 'the **last** words' })), 'the last words');
  assert.equal(titleOf(row('agent:main:web:abc')), 'New conversation');
  assert.equal(titleOf(row('agent:main:telegram:dm:42')), '42');
  assert.equal(
    titleOf(
      row('agent:main:cron:8f6c2b1e-0000-4000-8000-000000000000', {
        lastMessagePreview: 'Three things are **open** today.',
      }),
    ),
    'Three things are open today.',
    'an id is no title',
  );
  assert.equal(titleOf(row('agent:main:subagent:8f6c', { label: 'Look up trains' })), 'Look up trains');
});

test('the channel is said in a word', () => {
  assert.equal(channelOf(row('agent:main:main')), 'Web');
  assert.equal(channelOf(row('agent:main:telegram:dm:42')), 'Telegram');
  assert.equal(channelOf(row('agent:main:openai-user:x')), 'HTTP');
  assert.equal(channelOf(row('k', { channel: 'zulip' })), 'Zulip');
  const begun = ['cron', 'hook', 'subagent'].map((kind) =>
    channelOf(row(`agent:main:${kind}:8f6c`, { channel: 'telegram' })),
  );
  assert.deepEqual(begun, ['Cron', 'Hook', 'Sub-agent'], 'who began it, not where its answer went');
});

test('every word of a search must occur somewhere', () => {
  const rows = [
    row('agent:main:main', { label: 'Taxes 2026', lastMessagePreview: 'send the form' }),
    row('agent:main:telegram:dm:42', { displayName: 'Ana' }),
  ];
  assert.deepEqual(
    findRows(rows, 'form TAX').map(({ label }) => label),
    ['Taxes 2026'],
  );
  assert.deepEqual(findRows(rows, 'telegram').length, 1);
  assert.deepEqual(findRows(rows, 'tax telegram'), []);
  assert.equal(findRows(rows, '  '), rows);
});

test('a draft stays on top until the gateway knows it', () => {
  let state = withDraft(withRows(emptySessions, [row('a')]), 'draft');
  state = withRows(state, [row('a'), row('b')]);
  assert.deepEqual(
    state.rows.map(({ key }) => key),
    ['draft', 'a', 'b'],
  );
  state = withRows(state, [row('draft'), row('a')]);
  assert.deepEqual(
    state.rows.map(({ key }) => key),
    ['draft', 'a'],
  );
  assert.equal(state.rows[0]?.updatedAt, 10);
});

test('unread is what moved since it was looked at; never seen is not unread', () => {
  const state = withSeen(emptySessions, 'a', 15);
  assert.equal(isUnread(state, row('a', { updatedAt: 20 })), true);
  assert.equal(isUnread(state, row('a', { updatedAt: 15 })), false);
  assert.equal(isUnread(state, row('b', { updatedAt: 20 })), false);
});

test('running follows events and the list', () => {
  let state = withRunning(withRows(emptySessions, [row('a', { status: 'running' }), row('b')]), 'b', true);
  assert.deepEqual([...state.running], ['a', 'b']);
  assert.equal(withRunning(state, 'b', true), state);
  state = withRunning(state, 'a', false);
  assert.deepEqual([...state.running], ['b']);
});

test('the first words are the title until the gateway or a person has a better one', () => {
  let state = withTitle(withDraft(emptySessions, 'agent:main:web:a'), 'agent:main:web:a', '  Pack for\nLisbon ');
  assert.equal(titleOf(state.rows[0]!), 'Pack for Lisbon');
  assert.equal(withTitle(state, 'agent:main:web:a', 'second message'), state);
  state = withRows(state, [row('agent:main:web:a')]);
  assert.equal(titleOf(state.rows[0]!), 'Pack for Lisbon');
  assert.equal(titleOf(withRows(state, [row('agent:main:web:a', { label: 'Trip' })]).rows[0]!), 'Trip');
});

test('what a search finds is added, what is known stays as it is', () => {
  const state = withRows(emptySessions, [row('a')]);
  assert.deepEqual(
    withFound(state, [row('a', { label: 'x' }), row('z')]).rows.map(({ key, label }) => [key, label]),
    [
      ['a', undefined],
      ['z', undefined],
    ],
  );
  assert.equal(withFound(state, [row('a')]), state);
});

test('a new conversation is with the same agent', () => {
  assert.equal(newSessionKey('work', '1f0e-22aa-0bcd-ef'), 'agent:work:web:1f0e22aa0b');
  assert.equal(newSessionKey('', 'abc'), 'agent:main:web:abc');
});

test('older pages stay behind the newest, and what was deleted moves them up', () => {
  const page = (from: number, count: number): SessionRow[] =>
    Array.from({ length: count }, (_, index) => row(`k${from + index}`, { updatedAt: 1000 - from - index }));
  let state = withRows(emptySessions, page(0, 3), 3);
  assert.deepEqual([state.rows.length, state.nextOffset], [3, 3]);
  state = withRows(state, page(0, 3), 3);
  assert.equal(state.nextOffset, 3, 'a refresh of the only page says the same');
  state = withOlder({ ...state, fetchingMore: true }, page(3, 3), 6);
  assert.deepEqual(
    [state.rows.map(({ key }) => key), state.nextOffset, state.fetchingMore],
    [['k0', 'k1', 'k2', 'k3', 'k4', 'k5'], 6, undefined],
  );
  state = withRows(state, [row('k9', { updatedAt: 2000 }), ...page(0, 2)], 3);
  assert.deepEqual(
    [state.rows.map(({ key }) => key), state.nextOffset],
    [['k9', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5'], 6],
  );
  state = withoutRow(state, 'k4');
  assert.deepEqual([state.rows.length, state.nextOffset], [6, 5]);
  state = withOlder(state, [...page(5, 2)], undefined);
  assert.deepEqual([state.rows.at(-1)!.key, state.nextOffset], ['k6', undefined]);
});
