// Moderation through the bot needs the person's own right on the platform, for every requester.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PermissionFlagsBits } from '@discordjs/core';
import { act } from '../../../src/channel-host/sending/channel-act.ts';
import discord from '../../../src/channels/discord/index.ts';
import { ANN, BOB, CHANNEL, GUILD } from '../../../src/channels/discord/fake-discord.ts';
import { startFakeDiscord } from '../../../src/channels/discord/fake.ts';
import slack from '../../../src/channels/slack/index.ts';
import telegram from '../../../src/channels/telegram/index.ts';
import { startFakeTelegram } from '../../../src/channels/telegram/fake.ts';
import { offeredActions } from '../../../src/core/channel-actions.ts';
import type { ChannelConnection, ChannelPlugin } from '../../../src/core/channel.ts';
import type { ChatAddress } from '../../../src/core/message.ts';
import { testAccount } from '../../../src/testing/channel-account.ts';

const CAROL = '503';
const bit = (...names: readonly (keyof typeof PermissionFlagsBits)[]): string =>
  names.reduce((sum, name) => sum | PermissionFlagsBits[name], 0n).toString();
const ALL_GATES = {
  roles: true,
  channels: true,
  moderation: true,
  pins: true,
  topics: true,
  emojiUploads: true,
  stickerUploads: true,
  events: true,
};

function acting(plugin: ChannelPlugin, connection: ChannelConnection, here: ChatAddress) {
  const deps = {
    plugins: () => [plugin],
    accounts: () => ['default'],
    gates: () => ALL_GATES,
    connection: () => connection,
    now: () => 0,
  };
  return (action: string, parameters: object, requesters?: readonly string[]) =>
    act(
      {
        action,
        here,
        parameters: { ...parameters },
        signal: new AbortController().signal,
        ...(requesters ? { requesters } : {}),
      },
      deps,
    ).then(
      () => 'done',
      (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
    );
}

test('Discord: permissions, channel overwrites and who stands above whom', async (t) => {
  await using fake = await startFakeDiscord();
  const role = (id: string, position: number, permissions = '0') => ({ id, name: id, position, permissions });
  fake.answers.set(`GET /guilds/${GUILD}`, {
    id: GUILD,
    name: 'The Place',
    owner_id: '999',
    roles: [
      role(GUILD, 0),
      role('4001', 1),
      role('4100', 5, bit('KickMembers', 'BanMembers', 'ModerateMembers', 'ManageRoles', 'ManageChannels')),
      role('4200', 9, bit('Administrator')),
    ],
  });
  fake.answers.set('GET /guilds/8888', { id: '8888', name: 'Elsewhere', owner_id: '999', roles: [role('8888', 0)] });
  const member = (id: string, roles: readonly string[]) =>
    fake.answers.set(`GET /guilds/${GUILD}/members/${id}`, { user: { id, username: id }, roles });
  member(ANN, ['4100']);
  member(BOB, ['4001']);
  member(CAROL, ['4200']);
  for (const [route, answer] of Object.entries({
    [`DELETE /guilds/${GUILD}/members/${BOB}`]: {},
    [`PUT /guilds/${GUILD}/bans/${BOB}`]: {},
    [`PATCH /guilds/${GUILD}/members/${BOB}`]: {},
    [`PUT /guilds/${GUILD}/members/${BOB}/roles/4001`]: {},
  }))
    fake.answers.set(route, answer);
  await using fixture = await testAccount(discord, { config: fake.config, credentials: fake.credentials });
  const run = acting(discord, await fixture.connect(), {
    channel: 'discord',
    accountId: 'default',
    chat: { kind: 'channel', id: CHANNEL },
  });

  const cases: readonly (readonly [
    action: string,
    parameters: object,
    requesters: readonly string[],
    expected: RegExp,
  ])[] = [
    ['kick', { userId: BOB }, [ANN], /^done$/],
    ['ban', { userId: BOB }, [ANN], /^done$/],
    ['timeout', { userId: BOB, durationMinutes: 5 }, [ANN], /^done$/],
    ['kick', { userId: BOB, guildId: GUILD }, [ANN], /^done$/],
    ['role-add', { userId: BOB, roleId: '4001' }, [ANN], /^done$/],
    ['kick', { userId: BOB }, [CAROL], /^done$/],
    ['kick', { userId: ANN }, [BOB], /^denied: .*does not have the permission KickMembers/],
    ['ban', { userId: ANN }, [BOB], /^denied: .*BanMembers/],
    ['timeout', { userId: ANN }, [BOB], /^denied: .*ModerateMembers/],
    ['role-add', { userId: BOB, roleId: '4100' }, [BOB], /^denied: .*ManageRoles/],
    ['role-remove', { userId: ANN, roleId: '4100' }, [BOB], /^denied: .*ManageRoles/],
    ['channel-create', { name: 'x' }, [BOB], /^denied: .*ManageChannels/],
    ['channel-edit', { topic: 'x' }, [BOB], /^denied: .*ManageChannels/],
    ['channel-delete', { target: `channel:${CHANNEL}` }, [BOB], /^denied: .*ManageChannels/],
    ['channel-move', { position: 1 }, [BOB], /^denied: .*ManageChannels/],
    ['emoji-upload', { name: 'x', media: 'https://example.com/a.png' }, [BOB], /^denied: .*ManageGuildExpressions/],
    [
      'sticker-upload',
      { name: 'x', media: 'https://example.com/a.png', description: 'd', tags: 't' },
      [BOB],
      /^denied: .*ManageGuildExpressions/,
    ],
    ['event-create', { name: 'x', startTime: '2027-01-01T00:00:00Z' }, [BOB], /^denied: .*ManageEvents/],
    ['pin', { messageId: '1' }, [BOB], /^denied: .*ManageMessages/],
    ['unpin', { messageId: '1' }, [BOB], /^denied: .*ManageMessages/],
    // above whom
    ['kick', { userId: CAROL }, [ANN], /^denied: .*does not rank above/],
    ['kick', { userId: '999' }, [CAROL], /^denied: .*does not rank above/],
    ['role-add', { userId: BOB, roleId: '4200' }, [ANN], /^denied: .*does not rank above the role/],
    ['role-add', { userId: BOB, roleId: '4100' }, [ANN], /^denied: .*does not rank above the role/],
    ['role-add', { userId: BOB, roleId: '4999' }, [CAROL], /^denied: .*does not rank above the role/],
    // everybody whose words asked
    ['kick', { userId: BOB }, [ANN, BOB], /^denied: .*502 does not have the permission/],
    ['kick', { userId: BOB }, [], /^denied: .*offers no way to check their rights/],
    ['kick', { userId: BOB }, ['404404'], /^denied: /],
    // another server
    ['kick', { userId: BOB, guildId: '8888' }, [ANN], /^denied: /],
  ];
  for (const [action, parameters, requesters, expected] of cases) {
    const before = fake.calls.filter(({ method }) => method !== 'GET').length;
    const found = await run(action, parameters, requesters);
    assert.match(found, expected, `${action} ${JSON.stringify(parameters)} by ${requesters}`);
    assert.equal(fake.calls.filter(({ method }) => method !== 'GET').length - before, found === 'done' ? 1 : 0, action);
  }
  assert.equal(await run('kick', { userId: BOB }), 'done', 'the owner of the gateway is asked nothing');
  t.diagnostic(`moderation, Discord: ${cases.length + 1}/${cases.length + 1}`);
});

test('Discord: what a channel says of somebody counts', async () => {
  await using fake = await startFakeDiscord();
  fake.answers.set(`GET /guilds/${GUILD}`, {
    id: GUILD,
    name: 'The Place',
    owner_id: '999',
    roles: [{ id: GUILD, name: '@everyone', permissions: '0' }],
  });
  fake.answers.set(`GET /channels/${CHANNEL}`, {
    id: CHANNEL,
    type: 0,
    guild_id: GUILD,
    name: 'general',
    permission_overwrites: [{ id: BOB, type: 1, allow: bit('ManageMessages'), deny: '0' }],
  });
  fake.answers.set(`PUT /channels/${CHANNEL}/messages/pins/1`, {});
  await using fixture = await testAccount(discord, { config: fake.config, credentials: fake.credentials });
  const run = acting(discord, await fixture.connect(), {
    channel: 'discord',
    accountId: 'default',
    chat: { kind: 'channel', id: CHANNEL },
  });
  assert.equal(await run('pin', { messageId: '1' }, [BOB]), 'done');
  assert.match(await run('pin', { messageId: '1' }, [ANN]), /^denied: .*ManageMessages/);
});

test('Telegram: the rights of an administrator, of the chat and of a restricted member', async (t) => {
  await using fake = await startFakeTelegram();
  await using fixture = await testAccount(telegram, { config: fake.config, credentials: fake.credentials });
  const run = acting(telegram, await fixture.connect(), {
    channel: 'telegram',
    accountId: 'default',
    chat: { kind: 'group', id: '-100500' },
  });
  const people = (status: string, more: object = {}) => ({
    ok: true,
    result: { status, user: { id: 7, is_bot: false, first_name: 'x' }, ...more },
  });
  const chat = (permissions: object) => ({
    ok: true,
    result: { id: -100500, type: 'supergroup', title: 'g', permissions },
  });
  const cases: readonly (readonly [object, object | undefined, RegExp])[] = [
    [people('creator'), undefined, /^done$/],
    [people('administrator', { can_pin_messages: true }), undefined, /^done$/],
    [people('administrator', { can_pin_messages: false }), undefined, /^denied: .*can_pin_messages/],
    [people('administrator'), undefined, /^denied/],
    [people('member'), chat({ can_pin_messages: true }), /^done$/],
    [people('member'), chat({ can_pin_messages: false }), /^denied/],
    [people('member'), chat({}), /^denied/],
    [people('restricted', { is_member: true, can_pin_messages: true }), undefined, /^done$/],
    [people('restricted', { is_member: true }), undefined, /^denied/],
    [people('left'), undefined, /^denied/],
    [people('kicked'), undefined, /^denied/],
  ];
  for (const [member, room, expected] of cases) {
    fake.refuse('getChatMember', JSON.stringify(member));
    if (room) fake.refuse('getChat', JSON.stringify(room));
    const before = fake.calls.filter(({ method }) => method === 'pinChatMessage').length;
    const found = await run('pin', { messageId: '1' }, ['7']);
    assert.match(found, expected, JSON.stringify([member, room]));
    assert.equal(
      fake.calls.filter(({ method }) => method === 'pinChatMessage').length - before,
      found === 'done' ? 1 : 0,
    );
  }
  fake.refuse('getChatMember', JSON.stringify(people('member')));
  fake.refuse('getChat', JSON.stringify(chat({})));
  assert.match(await run('thread-create', { name: 'x' }, ['7']), /^denied: .*can_manage_topics/);
  t.diagnostic(`moderation, Telegram: ${cases.length + 1}/${cases.length + 1}`);
});

test('where the platform cannot be asked, it is not done', async () => {
  const plugin = {
    id: 'plain',
    label: 'Plain',
    capabilities: { deliverable: true },
    actions: [{ name: 'kick', summary: 'x', parameters: {}, reach: 'chat', moderates: 'kicking' }],
  } as unknown as ChannelPlugin;
  const kicked: string[] = [];
  const connection = { act: async (name: string) => void kicked.push(name) } as unknown as ChannelConnection;
  const run = acting(plugin, connection, { channel: 'plain', accountId: 'default', chat: { kind: 'group', id: 'g' } });
  assert.match(await run('kick', {}, ['u1']), /^denied: kick was refused: Plain offers no way to check/);
  assert.deepEqual(kicked, []);
  assert.equal(await run('kick', {}), 'done');
});

test('every action of every channel says how far it goes, and rights are named as the platform names them', () => {
  for (const plugin of [discord, slack, telegram])
    for (const action of offeredActions(plugin, {})) {
      assert.ok(action.reach !== undefined || action.name === 'fetch', `${plugin.id} ${action.name}`);
      const rights = [action.moderates ?? action.needs ?? []].flat();
      if (plugin.id === 'discord') for (const right of rights) assert.ok(right in PermissionFlagsBits, right);
      if (action.reach === 'chat')
        for (const name of ['guildId', 'channelId', 'channelIds', 'messageLink', 'query'])
          assert.ok(!(name in action.parameters), `${plugin.id} ${action.name} reaches further by ${name}`);
    }
});
