// Where heartbeats tell what they find: never a chat of another channel, never one nobody named or wrote from.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { tickTarget, misses, type TickTarget } from './tick-target.ts';

const KEY = 'agent:main:main';
const deps = {
  log: silentLog,
  channelId: (name: string) =>
    ['telegram', 'tg'].includes(name) ? 'telegram' : name === 'discord' ? 'discord' : undefined,
  resolve({
    channel = 'telegram',
    accountId = 'default',
    to,
    threadId,
  }: {
    channel?: string | undefined;
    accountId?: string | undefined;
    to: string;
    threadId?: string | undefined;
  }): ChatAddress {
    if (!/^(?:telegram:)?-?\d+$/.test(to)) throw new AppError('invalid', `"${to}" is not a target.`);
    const id = to.replace(/^telegram:/, '');
    return {
      channel,
      accountId,
      chat: { kind: id.startsWith('-') ? 'group' : 'direct', id },
      ...present({ threadId }),
    };
  },
};
const entry = (over: Partial<SessionEntry> = {}): SessionEntry => ({ sessionId: 's', updatedAt: 1, ...over });
const onTelegram = entry({ lastChannel: 'telegram', lastTo: '42', lastAccountId: 'home', chatType: 'direct' });
const inGroup = entry({ lastChannel: 'telegram', lastTo: '-7', chatType: 'group', lastThreadId: '3' });
const INSIDE = `webchat/default/direct:${KEY}`;
const said = ({ channel, accountId, chat, threadId }: ChatAddress): string =>
  `${channel}/${accountId}/${chat.kind}:${chat.id}${threadId === undefined ? '' : `#${threadId}`}`;
const request = (target: string, to?: string, accountId?: string): TickTarget['request'] => ({ target, to, accountId });

const corpus: readonly (readonly [string, TickTarget['request'], SessionEntry | undefined, string])[] = [
  ['last, written from Telegram', request('last'), onTelegram, 'telegram/home/direct:42'],
  ['last, a topic of a group', request('last'), inGroup, 'telegram/default/group:-7#3'],
  ['last, nobody wrote yet', request('last'), entry(), INSIDE],
  ['last, no session yet', request('last'), undefined, INSIDE],
  ['last, a channel that is gone', request('last'), entry({ lastChannel: 'signal', lastTo: '1' }), INSIDE],
  ['last, half an entry', request('last'), entry({ lastChannel: 'telegram' }), INSIDE],
  ['last, another account', request('last', undefined, 'Work'), onTelegram, 'telegram/work/direct:42'],
  ['last with a chat of that channel', request('last', '99'), onTelegram, 'telegram/default/direct:99'],
  [
    'last with a chat that names its channel',
    request('last', 'telegram:99'),
    entry({ lastChannel: 'discord', lastTo: '5' }),
    'telegram/default/direct:99',
  ],
  ['none', request('none'), onTelegram, INSIDE],
  ['none, whatever else is said', request('none', '99', 'work'), onTelegram, INSIDE],
  ['the web chat', request('webchat'), onTelegram, INSIDE],
  [
    'a channel and a chat',
    request('telegram', '99'),
    entry({ lastChannel: 'discord', lastTo: '5' }),
    'telegram/default/direct:99',
  ],
  ['a channel, a chat, an account', request('telegram', '-99', 'work'), undefined, 'telegram/work/group:-99'],
  ['a channel by another name', request('tg', '99'), undefined, 'telegram/default/direct:99'],
  ['a channel alone, written from there', request('telegram'), onTelegram, 'telegram/home/direct:42'],
  ['a channel alone, written from another: its chat is not borrowed', request('discord'), onTelegram, INSIDE],
  ['a channel alone, nobody wrote', request('discord'), entry(), INSIDE],
  ['a channel nobody configured', request('signal', '99'), onTelegram, INSIDE],
  ['a chat that is none', request('telegram', 'my mother'), onTelegram, INSIDE],
  [
    'another conversation tells its own chat, whatever is configured',
    undefined,
    inGroup,
    'telegram/default/group:-7#3',
  ],
  ['another conversation nobody wrote from', undefined, entry(), INSIDE],
];

describe('the chat a heartbeat tells', () => {
  for (const [what, wanted, known, expected] of corpus)
    it(what, () => {
      assert.equal(said(tickTarget({ sessionKey: KEY, entry: known, request: wanted }, deps)), expected);
    });

  it('is missed where a channel was meant, or nobody', () => {
    for (const [target, channel, missed] of [
      ['none', 'webchat', true],
      ['telegram', 'webchat', true],
      ['telegram', 'telegram', false],
      ['last', 'webchat', false],
      ['last', 'telegram', false],
      ['webchat', 'webchat', false],
    ] as const)
      assert.equal(misses({ target }, { channel }), missed, `${target} ${channel}`);
  });

  it('a fault that is no mistake in the settings is not swallowed', () => {
    const broken = {
      ...deps,
      resolve: () => {
        throw new AppError('internal', 'broken');
      },
    };
    assert.throws(() => tickTarget({ sessionKey: KEY, entry: undefined, request: request('telegram', '99') }, broken), {
      code: 'internal',
    });
  });
});
