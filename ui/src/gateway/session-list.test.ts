/** The list of conversations between events and lists that overtake each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionList } from './session-list.ts';
import { isUnread } from './sessions.ts';
import type { Ask } from './wire.ts';

const KEY = 'agent:main:web:a';
const rows = (status?: string) => ({
  sessions: [{ key: KEY, sessionId: 's', updatedAt: 1, ...(status && { status }) }],
});

function listOn(answers: readonly Promise<unknown>[], now = () => 0): SessionList {
  const waiting = answers.flatMap((answer) => [answer, Promise.resolve({ sessions: [] })]);
  const request = (() => waiting.shift()) as unknown as Ask;
  const storage = { getItem: () => null, setItem: () => undefined } as unknown as Storage;
  return new SessionList({ request, connected: () => true, storage, now, schedule: (flush) => flush() });
}

test('a run that ended while the list was on its way has ended', async () => {
  const answer = Promise.withResolvers<unknown>();
  const list = listOn([answer.promise]);
  list.markRunning(KEY, true);
  const refreshed = list.refresh();
  list.markRunning(KEY, false);
  answer.resolve(rows('running'));
  await refreshed;
  assert.deepEqual([...list.store.get().running], []);
});

test('a run whose end was missed is over after a new connection, one that began meanwhile is not', async () => {
  const answer = Promise.withResolvers<unknown>();
  const list = listOn([answer.promise]);
  list.markRunning(KEY, true);
  const refreshed = list.refresh({ anew: true });
  list.markRunning('agent:main:web:new', true);
  answer.resolve(rows());
  await refreshed;
  assert.deepEqual([...list.store.get().running], ['agent:main:web:new']);
});

test('what came while a conversation was on screen is read once it is marked again', async () => {
  let at = 0;
  const list = listOn([Promise.resolve(rows())], () => at);
  list.markSeen(KEY);
  await list.refresh();
  const unread = () => isUnread(list.store.get(), list.rowOf(KEY));
  assert.ok(unread(), 'something came');
  at = 2;
  list.markSeen(KEY);
  assert.ok(!unread());
});
