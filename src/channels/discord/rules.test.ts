/** Who may write where on Discord, by its settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { discordConfig } from './config.ts';
import discord from './index.ts';

const GUILD = '8001';
const at = (settings: object, place: object = {}): any =>
  discord.rules!(discordConfig.parse(settings), {
    chat: { kind: 'channel', id: '7001' },
    spaceId: GUILD,
    names: { chat: 'general', space: 'The Place' },
    settingsPath: 'channels.discord',
    ...place,
  });

describe('rules of Discord', () => {
  it('219: a channel that is not listed is shut where channels are listed', () => {
    const { group } = at({ groupPolicy: 'open', guilds: { [GUILD]: { channels: { 7002: {} } } } });
    assert.deepEqual(group.listed, { value: false, path: 'channels.discord.guilds.8001.channels' });
    assert.equal(at({ guilds: { [GUILD]: { channels: { 7001: {} } } } }).group.listed.value, true);
    assert.equal(at({ guilds: { [GUILD]: { channels: { general: {} } } } }).group.listed.value, true, 'by slug');
    assert.equal(
      at({ guilds: { [GUILD]: {} } }).group.listed.value,
      true,
      'a server that lists no channels means all of them',
    );
    assert.equal(at({ guilds: { 8002: {} } }).group.listed.value, false);
  });

  it('219: a thread has the settings of its channel, and never those of a channel it is named after', () => {
    const settings = {
      guilds: {
        [GUILD]: {
          channels: {
            7001: { requireMention: false, systemPrompt: 'Be brief.', skills: ['a'] },
            secret: { requireMention: false },
          },
        },
      },
    };
    const inside = at(settings, { threadId: '7100', names: { chat: 'general', thread: 'whatever' } });
    assert.deepEqual(
      [inside.group.listed.value, inside.group.requireMention, inside.systemPrompt, inside.skills],
      [true, { value: false, path: 'channels.discord.guilds.8001.channels.7001.requireMention' }, 'Be brief.', ['a']],
    );
    const posing = at(settings, {
      chat: { kind: 'channel', id: '7009' },
      threadId: '7101',
      names: { chat: 'other', thread: 'secret' },
    });
    assert.equal(posing.group.listed.value, false);
  });

  it('219: the server * stands for those not named', () => {
    const settings = { guilds: { '*': { requireMention: false, users: ['1'] }, 8002: { users: ['2'] } } };
    assert.deepEqual(
      [at(settings).group.senders, at(settings).group.requireMention.value],
      [{ value: ['1'], path: 'channels.discord.guilds.*.users' }, false],
    );
    assert.deepEqual(at(settings, { spaceId: '8002' }).group.senders.value, ['2']);
  });

  it('219: a deny beats an open policy', () => {
    for (const entry of [{ allow: false }, { enabled: false }]) {
      const { group } = at({ groupPolicy: 'open', guilds: { [GUILD]: { channels: { '*': {}, 7001: entry } } } });
      assert.equal(group.listed.value, false);
      assert.match(group.listed.path, /channels\.7001\.(allow|enabled)$/);
    }
  });

  it('takes the people of the channel before those of the server, and everybody where nobody is named', () => {
    const guild = { users: ['1'], channels: { 7001: { users: ['2'] }, 7002: {} } };
    assert.deepEqual(at({ guilds: { [GUILD]: guild } }).group.senders, {
      value: ['2'],
      path: 'channels.discord.guilds.8001.channels.7001.users',
    });
    assert.deepEqual(
      at({ guilds: { [GUILD]: guild } }, { chat: { kind: 'channel', id: '7002' } }).group.senders.value,
      ['1'],
    );
    assert.equal(at({ guilds: { [GUILD]: {} } }).group.senders, undefined);
    assert.deepEqual(at({ groupAllowFrom: ['3'], guilds: { [GUILD]: {} } }).group.senders, {
      value: ['3'],
      path: 'channels.discord.groupAllowFrom',
    });
  });

  it('lets nobody in through servers when only a token is there', () => {
    const { group } = at({});
    assert.deepEqual(
      [group.value, group.senders.value, group.requireMention.value, group.listed],
      ['allowlist', [], true, undefined],
    );
  });

  it('knows the common `groups` where there are no `guilds`', () => {
    assert.equal(at({ groups: { 7002: {} } }).group.listed.value, false);
    assert.equal(at({ groups: { 7001: { requireMention: false } } }).group.requireMention.value, false);
  });

  it('reads direct chats in the old spelling and in the common one', () => {
    const direct = (settings: object): any => at(settings, { chat: { kind: 'direct', id: '1' } }).direct;
    assert.deepEqual(direct({}), {
      value: 'pairing',
      path: 'channels.discord.dmPolicy',
      allowFrom: { value: [], path: 'channels.discord.allowFrom' },
    });
    assert.deepEqual(direct({ dmPolicy: 'open', dm: { policy: 'allowlist', allowFrom: [1] } }), {
      value: 'allowlist',
      path: 'channels.discord.dm.policy',
      allowFrom: { value: ['1'], path: 'channels.discord.dm.allowFrom' },
    });
    assert.equal(direct({ dmPolicy: 'open', dm: { enabled: false } }).value, 'disabled');
    assert.equal(direct({ dmPolicy: 'allowlist' }).value, 'allowlist');
  });

  it('220: group direct chats are off, and then by id or slug', () => {
    const group = (settings: object, place: object = {}): any =>
      at(settings, { chat: { kind: 'group', id: '55' }, spaceId: undefined, names: { chat: 'Us Three' }, ...place })
        .group;
    assert.deepEqual(
      [group({ groupPolicy: 'open' }).value, group({}).path],
      ['disabled', 'channels.discord.dm.groupEnabled'],
    );
    for (const entry of ['55', 'us-three', 'Us Three', '*'])
      assert.equal(group({ dm: { groupEnabled: true, groupChannels: [entry] } }).listed.value, true, entry);
    assert.equal(group({ dm: { groupEnabled: true, groupChannels: ['56'] } }).listed.value, false);
    assert.deepEqual(
      group({ allowFrom: ['1'], dm: { groupEnabled: true } }).senders.value,
      ['1'],
      'no list of chats opens it to everybody in them',
    );
  });
});

describe('targets and entries of Discord', () => {
  it('reads what people write for a place', () => {
    const read = (text: string): unknown => discord.parseTarget!(text)?.chat;
    for (const text of [
      '123',
      'channel:123',
      '<#123>',
      'discord:123',
      'discord:channel:123',
      'thread:123',
      'https://discord.com/channels/8001/123',
      'https://ptb.discord.com/channels/8001/123/456',
    ])
      assert.deepEqual(read(text), { kind: 'channel', id: '123' }, text);
    for (const text of ['user:123', '<@123>', '<@!123>', 'discord:user:123', 'dm:123'])
      assert.deepEqual(read(text), { kind: 'direct', id: '123' }, text);
    for (const text of ['general', '#general', '@ann', 'ann', '', '12x', 'https://example.com/channels/1/2', '<@&123>'])
      assert.equal(read(text), undefined, text);
  });

  it('takes ids for senders and never a name', () => {
    assert.deepEqual(
      ['1', 'discord:1', 'DISCORD:user:1', '<@!1>', '*', 'ann', '@ann', 'ann#0001', ''].map((entry) =>
        discord.senderEntry!(entry),
      ),
      ['1', '1', '1', '1', '*', undefined, undefined, undefined, undefined],
    );
  });
});

describe('review of Discord', () => {
  const reported = (settings: object): readonly string[] =>
    discord.review!(discordConfig.parse(settings)).map(({ kind, message }) => `${kind}: ${message}`);
  it('finds nothing wrong with a closed account', () =>
    assert.deepEqual(reported({ allowFrom: ['1'], guilds: { 8001: { users: ['1'], channels: { 7001: {} } } } }), []));
  it('names what is open', () => {
    assert.match(reported({ dmPolicy: 'open' }).join('\n'), /allowFrom does not contain/);
    assert.match(reported({ dm: { policy: 'open', allowFrom: ['*'] } }).join('\n'), /security: Anybody on Discord/);
    assert.match(reported({ groupPolicy: 'open' }).join('\n'), /security: Everybody in every server/);
    assert.match(reported({ guilds: { '*': {} } }).join('\n'), /security: Everybody in every server/);
    assert.match(reported({ actions: { moderation: true } }).join('\n'), /may use moderation/);
  });
});
