// Hostile names as they arrive over each platform's protocol.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startFakeDiscord } from '../../../src/channels/discord/fake.ts';
import { startFakeSlack } from '../../../src/channels/slack/fake.ts';
import { startFakeTelegram } from '../../../src/channels/telegram/fake.ts';
import type { InboundMessage } from '../../../src/core/message.ts';
import { testAccount } from '../../../src/testing/channel-account.ts';
import type { ChannelPlatform } from '../../../src/testing/channel-platform.ts';
import { until } from '../../../src/testing/until.ts';
import { CHANNELS, gateFor, type ChannelId } from './harness.ts';

interface Case {
  readonly name: string;
  readonly settings: object;
  readonly message: InboundMessage;
  readonly lets: boolean;
}

function evaluate(t: TestContext, channel: ChannelId, cases: readonly Case[]): void {
  const wrong = cases.filter(({ settings, message, lets }) => gateFor(channel, settings, message).lets !== lets);
  t.diagnostic(`names over ${channel}: ${cases.length - wrong.length}/${cases.length}`);
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
}

async function account(channel: ChannelId, platform: ChannelPlatform) {
  const fixture = await testAccount(CHANNELS[channel], { config: platform.config, credentials: platform.credentials });
  await fixture.connect();
  return fixture;
}

test('Discord: servers and channels called like others', async (t) => {
  await using fake = await startFakeDiscord();
  await using fixture = await account('discord', fake);
  const [home, evil, room, poser, twin] = [
    '812345678901234567',
    '899999999999999999',
    '712345678901234567',
    '799999999999999999',
    '798888888888888888',
  ] as const;
  const guild = (id: string, name: string, channels: readonly object[]) =>
    fake.emit('GUILD_CREATE', { id, name, roles: [], threads: [], channels });
  const say = async (guildId: string, channelId: string): Promise<InboundMessage> => {
    const before = fixture.received.length;
    fake.emit('MESSAGE_CREATE', {
      id: String(10_000 + before),
      channel_id: channelId,
      guild_id: guildId,
      type: 0,
      content: 'hello',
      author: { id: '666', username: home, global_name: home },
      member: { nick: home, roles: [] },
      mentions: [],
      attachments: [],
      embeds: [],
      timestamp: new Date().toISOString(),
    });
    return until(() => fixture.received[before], 'the message');
  };
  guild(home, 'Home', [{ id: room, name: 'general', type: 0 }]);
  guild(evil, home, [{ id: poser, name: room, type: 0 }]);
  const cases: Case[] = [
    {
      name: 'a server called like the id',
      settings: { guilds: { [home]: {} } },
      message: await say(evil, poser),
      lets: false,
    },
    {
      name: 'a channel called like the id',
      settings: { guilds: { '*': { channels: { [room]: {} } } } },
      message: await say(evil, poser),
      lets: false,
    },
    {
      name: 'the channel itself',
      settings: { guilds: { [home]: { channels: { [room]: {} } } } },
      message: await say(home, room),
      lets: true,
    },
    {
      name: 'the channel by its names',
      settings: { guilds: { home: { channels: { general: {} } } } },
      message: await say(home, room),
      lets: true,
    },
  ];
  fake.emit('GUILD_UPDATE', { id: evil, name: 'HOME', roles: [] });
  fake.emit('CHANNEL_CREATE', { id: twin, guild_id: home, type: 0, name: 'general' });
  cases.push(
    {
      name: 'a server that took the name',
      settings: { guilds: { home: {} } },
      message: await say(evil, poser),
      lets: false,
    },
    {
      name: 'the server whose name was taken, by its name',
      settings: { guilds: { home: {} } },
      message: await say(home, room),
      lets: false,
    },
    {
      name: 'the server whose name was taken, by its id',
      settings: { guilds: { [home]: {} } },
      message: await say(home, room),
      lets: true,
    },
    {
      name: 'a second channel of that name',
      settings: { guilds: { [home]: { channels: { general: {} } } } },
      message: await say(home, twin),
      lets: false,
    },
  );
  fake.emit('GUILD_DELETE', { id: home, unavailable: true });
  cases.push({
    name: 'a server that took the name of one that is lost for a while',
    settings: { guilds: { home: {} } },
    message: await say(evil, poser),
    lets: false,
  });
  fake.emit('GUILD_DELETE', { id: evil });
  fake.emit('CHANNEL_DELETE', { id: twin, guild_id: home });
  cases.push({
    name: 'both are gone',
    settings: { guilds: { home: { channels: { general: {} } } } },
    message: await say(home, room),
    lets: true,
  });
  evaluate(t, 'discord', cases);
});

test('Slack: channels renamed to ids and to names of others', async (t) => {
  await using fake = await startFakeSlack();
  await using fixture = await account('slack', fake);
  const [room, poser, twin, secret] = ['C0123456789', 'C0999999999', 'C0888888888', 'C0777777777'] as const;
  const call = (id: string, name: string) => fake.workspace.rooms.set(id, { id, name, is_channel: true });
  call(room, 'general');
  call(poser, room.toLowerCase());
  call(twin, 'general');
  const say = async (id: string): Promise<InboundMessage> => {
    const before = fixture.received.length;
    await fake.write({ chat: { kind: 'channel', id }, by: 'U0ANN00001', text: 'hello' });
    return until(() => fixture.received[before], 'the message');
  };
  const cases: Case[] = [
    {
      name: 'a channel renamed to the id',
      settings: { channels: { [room]: {} } },
      message: await say(poser),
      lets: false,
    },
    { name: 'the channel itself', settings: { channels: { [room]: {} } }, message: await say(room), lets: true },
    {
      name: 'the channel by its name, while no other is known',
      settings: { channels: { '#general': {} } },
      message: await say(room),
      lets: true,
    },
    {
      name: 'a channel that took the name',
      settings: { channels: { '#general': {} } },
      message: await say(twin),
      lets: false,
    },
  ];
  fake.forbidden.set('conversations.info', 'channels:read');
  cases.push({
    name: 'a channel whose name is not told, where a name is refused',
    settings: { groupPolicy: 'open', channels: { '#secret': { allow: false } } },
    message: await say(secret),
    lets: false,
  });
  evaluate(t, 'slack', cases);
});

test('Telegram: groups titled like ids and keys', async (t) => {
  await using fake = await startFakeTelegram();
  await using fixture = await account('telegram', fake);
  const say = async (id: string): Promise<InboundMessage> => {
    const before = fixture.received.length;
    await fake.write({ chat: { kind: 'group', id }, by: '501', text: 'hello' });
    return until(() => fixture.received[before], 'the message');
  };
  const [home, other] = ['-1001234567890', '-1009999999999'] as const;
  const settings = (...keys: string[]) => ({
    groupAllowFrom: ['*'],
    groups: Object.fromEntries(keys.map((key) => [key, {}])),
  });
  evaluate(t, 'telegram', [
    {
      name: 'a group called like the key',
      settings: settings(`Group ${other}`),
      message: await say(other),
      lets: false,
    },
    { name: 'the group itself', settings: settings(`tg:${home}`), message: await say(home), lets: true },
    { name: 'another group', settings: settings(home), message: await say(other), lets: false },
    {
      name: 'a person called like a listed one',
      settings: { groupAllowFrom: ['User501', '@user501'], groups: { '*': {} } },
      message: await say(home),
      lets: false,
    },
  ]);
});
