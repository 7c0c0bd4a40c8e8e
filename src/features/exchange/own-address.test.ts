// The chat that is a session's own: never anybody else's, whatever key and memory say.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { present } from '../../core/present.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { ownAddress } from './own-address.ts';

const channelId = (name: string): string | undefined =>
  ['desk', 'slack', 'whatsapp'].includes(name) ? name : undefined;
const entry = (over: Partial<SessionEntry> = {}): SessionEntry => ({ sessionId: 's', updatedAt: 1, ...over });
const last = (channel: string, to: string, over: Partial<SessionEntry> = {}): SessionEntry =>
  entry({ lastChannel: channel, lastTo: to, lastAccountId: 'biz', chatType: 'direct', ...over });
const at = (key: string, known?: SessionEntry) => {
  const address = ownAddress(key, known, { channelId });
  return (
    address &&
    [address.channel, address.accountId, address.chat.kind, address.chat.id, address.threadId]
      .filter((part) => part !== undefined)
      .join(' ')
  );
};

describe('the own chat of a session', () => {
  it('(T192) is the group its key names, in the letters and with the account it was last used with', () => {
    const key = 'agent:main:slack:channel:c0ffee';
    assert.equal(at(key), 'slack default channel c0ffee');
    assert.equal(at(key, last('slack', 'C0FFEE', { chatType: 'channel' })), 'slack biz channel C0FFEE');
    assert.equal(
      at(`${key}:thread:17.5`, last('slack', 'C0FFEE', { chatType: 'channel', lastThreadId: '17.5' })),
      'slack biz channel C0FFEE 17.5',
    );
    assert.equal(
      at(`${key}:thread:ab`, last('slack', 'C0FFEE', { chatType: 'channel', lastThreadId: 'AB' })),
      'slack biz channel C0FFEE AB',
    );
    assert.equal(at('agent:main:desk:group:-100:topic:5'), 'desk default group -100 5');
  });

  it('is not where the entry points when that is another place than the key', () => {
    const key = 'agent:main:desk:group:room';
    assert.equal(at(key, last('desk', 'kitchen', { chatType: 'group' })), 'desk biz group room');
    assert.equal(at(key, last('slack', 'room', { chatType: 'group' })), 'desk default group room');
    assert.equal(
      at(key, last('desk', 'Room', { chatType: 'group', lastThreadId: '9' })),
      'desk biz group Room',
      'a thread is another place',
    );
    assert.equal(at('agent:main:gone:group:room', last('desk', 'room', { chatType: 'group' })), undefined);
  });

  it('(T192) is where a direct conversation was written from last, with its account; never made up from a name', () => {
    assert.equal(at('agent:main:whatsapp:dm:+49', last('whatsapp', '+49')), 'whatsapp biz direct +49');
    assert.equal(at('agent:main:main', last('desk', 'ann')), 'desk biz direct ann');
    for (const key of [
      'agent:main:main',
      'agent:main:dm:ann',
      'agent:main:desk:dm:ann',
      'agent:main:subagent:1',
      'agent:main:cron:job',
      'global',
    ])
      assert.equal(at(key), undefined, key);
    assert.equal(at('agent:main:whatsapp:dm:+49', last('desk', 'ann')), undefined, 'another channel');
    assert.equal(at('agent:main:whatsapp:home:dm:+49', last('whatsapp', '+49')), undefined, 'another account');
    assert.equal(
      at('agent:main:main', last('desk', 'room', { chatType: 'group' })),
      undefined,
      'a group is no direct chat',
    );
    assert.equal(at('agent:main:main', last('gone', 'ann')), undefined, 'a channel that is gone');
  });

  it('belongs to the session for every key and memory', () => {
    const word = fc.constantFrom(
      'desk',
      'slack',
      'gone',
      'room',
      'c1',
      'dm',
      'group',
      'channel',
      'thread',
      'topic',
      'main',
      'ann',
      'subagent',
      'cron',
    );
    const id = fc.constantFrom('room', 'Room', 'c1', 'C1', 'ann', 'x:y');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.record({
          channel: word,
          to: id,
          account: fc.constantFrom('biz', 'default'),
          kind: fc.constantFrom('direct', 'group', 'channel' as const),
          thread: fc.option(id, { nil: undefined }),
        }),
        (parts, route) => {
          const key = `agent:main:${parts.join(':')}`;
          const known = last(
            route.channel,
            route.to,
            present({ lastAccountId: route.account, chatType: route.kind as 'direct', lastThreadId: route.thread }),
          );
          const found = ownAddress(key, known, { channelId });
          if (!found) return;
          assert.ok(channelId(found.channel), 'a channel there is');
          const named =
            `agent:main:${found.channel}:${found.chat.kind}:${found.chat.id}${found.threadId === undefined ? '' : `:(thread|topic):${found.threadId}`}`.toLowerCase();
          if (found.chat.kind === 'direct')
            assert.deepEqual(
              [found.channel, found.chat.id, found.accountId, found.threadId, route.kind],
              [route.channel, route.to, route.account, route.thread, 'direct'],
              key,
            );
          else assert.match(key, new RegExp(`^${named}$`), `${key} is not ${named}`);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
