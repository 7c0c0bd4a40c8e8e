/** Recorded Discord messages: correct facts from valid ones, no failure on malformed ones. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { normalise, type Circumstances } from './inbound.ts';
import { normaliseInteraction, readVia } from './interaction.ts';
import { normaliseReaction, emojiPath } from './reaction.ts';

const samples = JSON.parse(readFileSync(join(import.meta.dirname, 'samples', 'messages.json'), 'utf8')) as Record<
  string,
  { message: any; expect: Record<string, unknown> | null }
>;

const GUILD = '100000000000008001';
const where: Circumstances = {
  accountId: 'default',
  allowBots: false,
  self: { id: '100000000000000900', name: 'Clawd', roles: ['100000000000004002'] },
  place: { id: '100000000000007001', kind: 'channel', name: 'general', guildId: GUILD },
  guildName: 'The Place',
  names: {
    role: (id) => (id === '100000000000004002' ? 'Clawd' : undefined),
    channel: (id) => ({ '100000000000007001': 'general', '100000000000007002': 'help' })[id],
  },
};

describe('messages of Discord', () => {
  for (const [name, { message, expect }] of Object.entries(samples)) {
    it(name, () => {
      const found = normalise(message, where) as unknown as Record<string, unknown> | undefined;
      if (expect === null) return assert.equal(found, undefined);
      assert.deepEqual(Object.fromEntries(Object.keys(expect).map((key) => [key, found?.[key]])), expect);
    });
  }

  it('gives the place its address, kind and names', () => {
    const { message } = samples['plain']!;
    const at = (place: Circumstances['place'], more: Partial<Circumstances> = {}): unknown => {
      const found = normalise(message, { ...where, ...more, place })!;
      return [found.address.chat, found.address.threadId, found.place, found.addressesBot];
    };
    assert.deepEqual(at(where.place), [
      { kind: 'channel', id: '100000000000007001' },
      undefined,
      { chat: 'general', space: 'The Place' },
      false,
    ]);
    assert.deepEqual(at({ id: '7', kind: 'direct' }, { guildName: undefined! }), [
      { kind: 'direct', id: '100000000000000501' },
      undefined,
      undefined,
      true,
    ]);
    assert.deepEqual(at({ id: '8', kind: 'group', name: 'us three' }, { guildName: undefined! }), [
      { kind: 'group', id: '8' },
      undefined,
      { chat: 'us three' },
      false,
    ]);
    const thread = { id: '9', kind: 'channel', thread: true, parentId: '7', name: 'the bug', guildId: GUILD } as const;
    const parent = { id: '7', kind: 'channel', name: 'general' } as const;
    assert.deepEqual(at({ ...thread, ownerId: '1' }, { parent }), [
      { kind: 'channel', id: '7' },
      '9',
      { chat: 'general', space: 'The Place', thread: 'the bug' },
      false,
    ]);
    assert.deepEqual(
      (at({ ...thread, ownerId: where.self.id }, { parent }) as unknown[])[3],
      true,
      'its own thread needs no mention (220)',
    );
  });

  it('accepts other bots only if configured, itself never', () => {
    const bots = { ...where, allowBots: true };
    assert.equal(normalise(samples['another bot']!.message, bots)?.sender.isBot, true);
    assert.equal(normalise(samples['webhook']!.message, bots)?.text, 'from outside');
    assert.equal(normalise(samples['own voice']!.message, bots), undefined);
  });

  it('opens a thread for the answer where that is wanted (220)', () => {
    const { message } = samples['plain']!;
    const mention = samples['mention']!.message;
    assert.equal(normalise(message, { ...where, autoThread: 'addressed' })!.address.threadId, undefined);
    assert.deepEqual(normalise(mention, { ...where, autoThread: 'addressed' })!.address, {
      channel: 'discord',
      accountId: 'default',
      chat: { kind: 'channel', id: '100000000000007001' },
      threadId: mention.id,
      via: 'thread',
    });
    assert.equal(normalise(message, { ...where, autoThread: 'always' })!.address.threadId, message.id);
  });

  it('survives a message of a megabyte', () => {
    const huge = {
      ...samples['plain']!.message,
      content: '<@1> <#2> <:a:3> <@&4> '.repeat(50_000),
      embeds: Array.from({ length: 500 }, () => ({ title: 'x' })),
    };
    assert.ok(normalise(huge, where)!.text.length > 500_000);
  });
});

describe('interactions of Discord', () => {
  const at = {
    accountId: 'default',
    self: where.self,
    place: where.place,
    deferred: true,
    commands: [
      {
        name: 'model',
        description: 'x',
        args: [
          { name: 'model', description: 'y' },
          { name: 'scope', description: 'z' },
        ],
      },
    ],
  };
  const slash = {
    id: '1200000000000000001',
    application_id: '901',
    token: 'tok:with:colons',
    type: 2,
    channel_id: '7',
    member: { user: { id: '501', username: 'ann' }, nick: 'Annie', roles: ['4'] },
    data: {
      id: '1',
      name: 'model',
      type: 1,
      options: [
        { name: 'scope', type: 3, value: 'session' },
        { name: 'model', type: 3, value: ' fast ' },
      ],
    },
  };
  const read = (raw: object, more: object = {}): any => normaliseInteraction(raw as never, { ...at, ...more });

  it('spells a command with its arguments in their order', () => {
    const message = read(slash);
    assert.deepEqual(
      [message.text, message.native, message.addressesBot, message.sender, message.roles],
      ['/model fast session', true, true, { id: '501', name: 'Annie', handle: 'ann' }, ['4']],
    );
    assert.deepEqual(
      [readVia(message.address.via)?.token, readVia(message.address.via)!.expiresAt - message.receivedAt],
      ['tok:with:colons', 900_000],
    );
    assert.equal(read(slash, { deferred: false }).address.via, undefined);
  });

  it('takes buttons and menus for words', () => {
    assert.equal(
      read({ ...slash, type: 3, data: { custom_id: 'yes' }, message: { id: '5', content: 'Sure?' } }).text,
      'callback_data: yes',
    );
    assert.deepEqual(
      read({
        ...slash,
        type: 3,
        data: { custom_id: 'menu', values: ['a', 'b'] },
        message: { id: '5', content: 'Which?' },
      }).quoted,
      { id: '5', text: 'Which?', sender: 'Clawd', senderId: '100000000000000900' },
    );
    assert.equal(
      read({ ...slash, type: 3, data: { custom_id: 'menu', values: ['a', 'b'] } }).text,
      'callback_data: a,b',
    );
  });

  it('leaves everything else alone', () => {
    for (const raw of [
      { ...slash, type: 4 },
      { ...slash, type: 5 },
      { ...slash, data: { name: 'x', type: 3 } },
      { ...slash, member: undefined },
      { type: 2 },
      { ...slash, data: null },
    ])
      assert.equal(read(raw), undefined);
  });
});

describe('reactions of Discord', () => {
  const at = { accountId: 'default', place: where.place, own: true, at: 5 };
  it('says in one sentence who reacted how', () => {
    const found = normaliseReaction(
      {
        user_id: '501',
        message_id: '9',
        channel_id: '7',
        emoji: { id: '33', name: 'party' },
        member: { nick: 'Annie', user: { id: '501', username: 'ann' } } as never,
      },
      at,
    )!;
    assert.deepEqual(
      [found.text, found.quiet, found.key],
      ['Annie reacted with :party: to your message 9.', true, 'reaction:9:501:33'],
    );
    assert.equal(
      normaliseReaction({ user_id: '501', message_id: '9', emoji: { id: null, name: null } }, at),
      undefined,
    );
    assert.equal(normaliseReaction({}, at), undefined);
  });

  it('spells emoji as the API wants them', () => {
    assert.deepEqual(
      ['👍', '❤️', '<:wave:12>', '<a:dance:13>', 'wave:12'].map(emojiPath),
      ['👍', '❤', 'wave:12', 'dance:13', 'wave:12'].map(encodeURIComponent),
    );
  });
});
