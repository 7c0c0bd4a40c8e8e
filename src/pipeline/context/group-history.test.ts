/** What groups said meanwhile: bounded, told once, chats apart. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { InboundMessage } from '../../core/message.ts';
import { createGroupHistory } from './group-history.ts';
import { typed } from '../../core/saying.ts';

const message = (id: string, chat = 'g', over: Partial<InboundMessage> = {}): InboundMessage => ({
  id,
  text: `text ${id}`,
  said: typed(`text ${id}`),
  attachments: [],
  addressesBot: false,
  receivedAt: 1,
  sender: { id: 'u', name: 'Ann' },
  address: { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: chat } },
  ...over,
});

it('G121 keeps the last lines of each chat until they are delivered', () => {
  const history = createGroupHistory();
  for (const id of ['1', '2', '3']) history.add(message(id), 2);
  history.add(message('4', 'other'), 2);
  assert.deepEqual(
    history.peek(message('x').address).map(({ text }) => text),
    ['text 2', 'text 3'],
  );
  history.clear(message('x').address);
  assert.deepEqual(history.peek(message('x').address), []);
  assert.equal(history.peek(message('x', 'other').address).length, 1);
});

it('threads may share what their chat said', () => {
  const history = createGroupHistory({ scopeOf: ({ channel, accountId, chat }) => ({ channel, accountId, chat }) });
  const inThread = { ...message('x').address, threadId: 't' };
  history.add(message('1'), 5);
  history.add({ ...message('2'), address: inThread }, 5);
  assert.deepEqual(
    [inThread, message('x').address].map((address) => history.peek(address).length),
    [2, 2],
  );
  history.clear(inThread);
  assert.equal(history.size, 0);
});

it('keeps nothing where the limit is 0, nor what has nothing to say', () => {
  const history = createGroupHistory();
  history.add(message('1'), 0);
  history.add(message('2', 'g', { text: ' ' }), 5);
  assert.equal(history.size, 0);
  history.add(message('3', 'g', { text: '', attachments: [{ kind: 'image', mime: 'image/png' }] }), 5);
  assert.equal(history.peek(message('x').address)[0]!.text, '<media:image>');
});

it('takes a message delivered twice or edited once', () => {
  const history = createGroupHistory();
  history.add(message('1'), 5);
  history.add(message('2'), 5);
  history.add(message('1', 'g', { text: 'better', editVersion: 1 }), 5);
  assert.deepEqual(
    history.peek(message('x').address).map(({ text }) => text),
    ['better', 'text 2'],
  );
});

it('forgets the chat that was quiet longest', () => {
  const history = createGroupHistory({ maxChats: 2 });
  for (const chat of ['a', 'b', 'a', 'c']) history.add(message(chat, chat), 5);
  assert.deepEqual(
    ['a', 'b', 'c'].map((chat) => history.peek(message('x', chat).address).length),
    [1, 0, 1],
  );
});

it('keeps no more than a chat has room for, however many lines are wished', () => {
  const history = createGroupHistory();
  for (let id = 1; id <= 100; id++) history.add(message(String(id), 'g', { text: 'x'.repeat(10_000) }), 500);
  const kept = history.peek(message('x').address);
  assert.deepEqual([kept.length, kept.at(-1)!.id], [50, '100']);
});
