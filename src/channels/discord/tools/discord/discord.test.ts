// The discord tool with the channel, the access rights, and a fake Discord that enforces permissions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseToolInput } from '../../../../agent/schema/parse-tool-input.ts';
import type { ToolSurroundings } from '../../../../core/tool.ts';
import { toolContract } from '../../../../testing/tool-contract.ts';
import { ANN, BOB, BOT, CHANNEL, GUILD, THREAD } from '../../fake-discord.ts';
import { bits, CAROL, SECRET } from '../../fake-server.ts';
import { answer, failed, last, openTool } from './fake.ts';
import { DISCORD_CALLS } from './calls.ts';
import discordTool from './index.ts';

const SEED =
  'react reactions sticker poll permissions readMessages sendMessage editMessage deleteMessage threadCreate ' +
  'threadList threadReply pinMessage unpinMessage listPins searchMessages memberInfo roleInfo emojiList roleAdd roleRemove ' +
  'channelInfo channelList voiceStatus eventList eventCreate timeout kick ban';
const ON = { roles: true, moderation: true, channels: true };
toolContract({
  tool: discordTool,
  good: { action: 'channelList' },
  bad: [
    { input: {}, says: /action/ },
    { input: { action: 'explode' }, says: /action/ },
    { input: { action: 'react', remove: 'perhaps' }, says: /remove/ },
  ],
  failing: [
    { input: { action: 'react' }, says: /react needs messageId/ },
    { input: { action: 'sendMessage', to: '501', content: 'hi' }, says: /ambiguous: write user:501/ },
    { input: { action: 'sendMessage', to: '@ann', content: 'hi' }, says: /a name may be somebody else's/ },
    { input: { action: 'channelDelete' }, says: /needs channelId/ },
    { input: { action: 'sendMessage' }, says: /content or mediaUrl/ },
  ],
  rpc: async () => ({ channels: [] }),
});

describe('the discord tool', () => {
  it('T210 is offered on Discord alone, with the actions that are on', async () => {
    await using s = await openTool();
    const where = (channel: string): ToolSurroundings =>
      ({ route: { replyTo: { channel } }, channels: s.channels() }) as unknown as ToolSurroundings;
    assert.deepEqual(
      ['discord', 'telegram', 'webchat'].map((one) => discordTool.available!(where(one))),
      [true, false, false],
    );
    const actions = (input: ReturnType<NonNullable<typeof discordTool.for>>['input']) =>
      Object.keys(DISCORD_CALLS).filter((action) => parseToolInput({ name: 'discord', input }, { action }).ok);
    const off = [
      'roleAdd',
      'roleRemove',
      'channelCreate',
      'channelEdit',
      'channelDelete',
      'channelMove',
      'categoryCreate',
    ];
    const more = [
      'categoryEdit',
      'categoryDelete',
      'channelPermissionSet',
      'channelPermissionRemove',
      'timeout',
      'kick',
      'ban',
    ];
    const offered = actions(discordTool.for!(where('discord')).input);
    assert.deepEqual(
      offered,
      Object.keys(DISCORD_CALLS).filter((one) => ![...off, ...more].includes(one)),
    );
    assert.deepEqual(
      SEED.split(' ').filter((one) => !(one in DISCORD_CALLS)),
      [],
      'every action of the seed',
    );
    assert.equal(SEED.split(' ').length, 29);
  });

  it('T198 reacts, takes one or all of its reactions back, and not where that is turned off', async () => {
    await using s = await openTool();
    const messageId = await s.write('hello');
    assert.deepEqual(await answer(s.run('react', { messageId, emoji: '✅\uFE0F' })), {
      ok: true,
      messageId,
      added: '✅\uFE0F',
    });
    assert.equal(
      last(s, 'PUT').path,
      `/channels/${CHANNEL}/messages/${messageId}/reactions/${encodeURIComponent('✅')}/@me`,
    );
    await s.run('react', { messageId, emoji: '<a:party:3001>' });
    assert.match(last(s, 'PUT').path, /party%3A3001|party:3001/);
    assert.deepEqual(await answer(s.run('react', { messageId, emoji: '✅', remove: true })), {
      ok: true,
      messageId,
      removed: '✅',
    });
    assert.match(await failed(s.run('react', { messageId, remove: true })), /emoji is missing/);
    assert.match(await failed(s.run('react', { messageId })), /emoji is missing/);
    await s.run('react', { messageId, emoji: '👍' });
    assert.deepEqual(await answer(s.run('react', { messageId, emoji: '' })), { ok: true, messageId, removed: 'all' });
    assert.deepEqual(
      s.fake.message(messageId).reactions.filter((one: any) => one.me && one.emoji.name === '👍'),
      [],
    );
    await using off = await openTool({ actions: { reactions: false, messages: false } });
    assert.match(await failed(off.run('react', { messageId: '1', emoji: 'x' })), /turned off.*actions\.reactions/);
    assert.match(await failed(off.run('sendMessage', { content: 'hi' })), /turned off.*actions\.messages/);
    assert.deepEqual(off.sent(), []);
  });

  it('lists who reacted, at most 100 each', async () => {
    await using s = await openTool();
    const messageId = await s.write('hello');
    s.fake.message(messageId).reactions = [{ me: false, count: 1, emoji: { id: null, name: '👍' } }];
    s.fake.answers.set(`GET /channels/${CHANNEL}/messages/${messageId}/reactions/${encodeURIComponent('👍')}`, [
      { id: ANN, username: 'ann' },
    ]);
    const { reactions } = await answer(s.run('reactions', { messageId, limit: 1000 }));
    assert.deepEqual(reactions, [{ emoji: '👍', count: 1, users: [{ id: ANN, username: 'ann', name: 'ann' }] }]);
    assert.equal(last(s, 'GET').query.get('limit'), '100');
  });

  it('T199 acts on the account that is named', async () => {
    const seen: unknown[] = [];
    const ctx = { rpc: async (_: string, params: unknown) => void seen.push(params) };
    await using s = await openTool();
    await s.run('channelList', { accountId: 'work' }, ctx);
    await s.run(
      'sendMessage',
      { accountId: 'work', content: 'x' },
      {
        rpc: async (_: string, params: any) => (seen.push(params), { address: s.here, text: 'x', messageIds: ['1'] }),
      },
    );
    assert.deepEqual(
      seen.map((one: any) => one.accountId),
      ['work', 'work'],
    );
  });

  it('T200 tells times of messages as numbers and in UTC, wherever they are read', async () => {
    await using s = await openTool({ by: CAROL, owner: true });
    const messageId = await s.write('a needle');
    const at = Date.parse(s.fake.message(messageId).timestamp);
    await s.run('pinMessage', { messageId });
    const link = `https://discord.com/channels/${GUILD}/${CHANNEL}/${messageId}`;
    const found = [
      (await answer(s.run('readMessages', { limit: 1 }))).messages[0],
      (await answer(s.run('fetchMessage', { messageLink: link }))).message,
      (await answer(s.run('fetchMessage', { messageId }))).message,
      (await answer(s.run('listPins'))).pins[0],
      (await answer(s.run('searchMessages', { content: 'needle' }))).messages[0],
    ];
    for (const one of found) assert.deepEqual([one.timestampMs, one.timestampUtc], [at, new Date(at).toISOString()]);
    assert.match(
      await failed(s.run('fetchMessage', { messageLink: 'https://example.com/1' })),
      /not a link to a Discord message/,
    );
  });

  it('T201 puts a channel into a category and out of it', async () => {
    await using s = await openTool({ actions: ON, owner: true });
    await s.run('channelEdit', { channelId: `channel:${CHANNEL}`, parentId: '7900' });
    assert.equal(last(s, 'PATCH').body.parent_id, '7900');
    await s.run('channelEdit', { channelId: CHANNEL, clearParent: true });
    assert.equal(last(s, 'PATCH').body.parent_id, null);
    await s.run('channelMove', { channelId: CHANNEL, position: 2, clearParent: true });
    assert.deepEqual(last(s, 'PATCH').body, [{ id: CHANNEL, position: 2, parent_id: null }]);
    const made = await answer(s.run('categoryCreate', { name: 'Projects' }));
    assert.equal(last(s, 'POST').body.type, 4);
    await s.run('categoryEdit', { categoryId: made.channel.id, name: 'Old' });
    assert.equal((await answer(s.run('channelInfo', { channelId: made.channel.id }))).channel.name, 'Old');
    await s.run('categoryDelete', { categoryId: made.channel.id });
    assert.match(await failed(s.run('channelInfo', { channelId: made.channel.id })), /could not find it/);
  });

  it('says who may what in a channel, by name, and refuses what is no permission', async () => {
    await using s = await openTool({ actions: ON, owner: true });
    await s.run('channelPermissionSet', {
      channelId: CHANNEL,
      targetId: '4001',
      deny: ['SendMessages'],
      allow: ['ViewChannel'],
    });
    const set = { id: '4001', type: 0, allow: bits(['ViewChannel']), deny: bits(['SendMessages']) };
    assert.deepEqual(s.fake.guild.channels.get(CHANNEL).permission_overwrites, [set]);
    await s.run('channelPermissionRemove', { channelId: CHANNEL, targetId: '4001' });
    assert.deepEqual(s.fake.guild.channels.get(CHANNEL).permission_overwrites, []);
    const wrong = { channelId: CHANNEL, targetId: BOB, targetType: 'member', allow: ['FlyAway'] };
    assert.match(await failed(s.run('channelPermissionSet', wrong)), /no permission of Discord \(FlyAway\)/);
  });

  it('T202 has roles, moderation and channels off by default, and does them once they are on', async () => {
    await using off = await openTool({ owner: true });
    for (const [action, input, gate] of [
      ['roleAdd', { userId: BOB, roleId: '4001' }, 'roles'],
      ['kick', { userId: BOB }, 'moderation'],
      ['channelCreate', { name: 'x' }, 'channels'],
    ] as const)
      assert.match(await failed(off.run(action, input)), new RegExp(`turned off.*actions\\.${gate}`));
    await using s = await openTool({ actions: ON, owner: true });
    await s.run('roleAdd', { userId: ANN, roleId: '4001' });
    assert.deepEqual(s.server.members.get(ANN)!.roles, ['4100', '4001']);
    await s.run('roleRemove', { userId: ANN, roleId: '4001' });
    assert.deepEqual(s.server.members.get(ANN)!.roles, ['4100']);
    await s.run('timeout', { userId: BOB, durationMinutes: 10 });
    assert.ok(Date.parse(s.server.members.get(BOB)!.communication_disabled_until!) > Date.now());
    assert.equal((await answer(s.run('timeout', { userId: BOB }))).until, null);
    await answer(s.run('kick', { userId: BOB, reason: 'spam' }));
    assert.equal(s.server.members.has(BOB), false);
  });

  it('T203 asks 2 to 10 answers for 1 to 768 hours', async () => {
    await using s = await openTool();
    const poll = (more: object) =>
      s.run('poll', { question: 'Lunch, or not?', answers: ['Yes, please', 'No'], ...more });
    const made = await answer(poll({ durationHours: 9999, content: 'Vote' }));
    const { body } = last(s, 'POST');
    assert.deepEqual(
      [
        body.content,
        body.poll.duration,
        body.poll.answers.map((one: any) => one.poll_media.text),
        made.messageId.length > 5,
      ],
      ['Vote', 768, ['Yes, please', 'No'], true],
    );
    await poll({ allowMultiselect: true });
    assert.deepEqual([last(s, 'POST').body.poll.duration, last(s, 'POST').body.poll.allow_multiselect], [24, true]);
    for (const answers of [['one'], Array.from({ length: 11 }, (_, at) => `${at}`)])
      assert.match(await failed(poll({ answers })), /2 to 10 answers/);
    assert.match(await failed(poll({ durationHours: 0 })), /at least 1/);
  });

  it('T204 sends one to three stickers', async () => {
    await using s = await openTool();
    await s.run('sticker', { stickerIds: ['1', '2', '3'], content: 'look' });
    assert.deepEqual([last(s, 'POST').body.sticker_ids, last(s, 'POST').body.content], [['1', '2', '3'], 'look']);
    assert.match(await failed(s.run('sticker', { stickerIds: ['1', '2', '3', '4'] })), /one to three/);
  });

  it('T205 names the permissions the bot lacks, a role that is too low, and closed direct messages', async () => {
    await using s = await openTool({ actions: ON, owner: true });
    s.server.botMay('BanMembers');
    s.server.everybodyMay('ViewChannel', 'ReadMessageHistory');
    const messageId = await s.write('x');
    for (const [action, input, names] of [
      ['react', { messageId, emoji: 'x' }, /may not react there: it lacks AddReactions\./],
      ['threadCreate', { name: 'x' }, /lacks CreatePublicThreads/],
      ['sticker', { stickerIds: ['1'] }, /lacks SendMessages/],
      ['kick', { userId: BOB }, /lacks KickMembers/],
      ['timeout', { userId: BOB, durationMinutes: 1 }, /lacks ModerateMembers/],
      ['channelCreate', { name: 'x' }, /lacks ManageChannels/],
      ['channelEdit', { channelId: CHANNEL, name: 'x' }, /lacks ManageChannels/],
      ['deleteMessage', { messageId }, /lacks ManageMessages/],
      ['pinMessage', { messageId }, /lacks ManageMessages/],
      ['eventCreate', { name: 'x', startTime: '2030-01-01T00:00:00Z', channelId: CHANNEL }, /lacks ManageEvents/],
      ['ban', { userId: CAROL }, /move its role above/],
    ] as const)
      assert.match(await failed(s.run(action, input)), names, action);
    s.fake.guild.channels.get(SECRET).permission_overwrites.pop();
    assert.match(await failed(s.run('readMessages', { channelId: SECRET })), /lacks ViewChannel/);
    s.fake.failSends('refused', 1);
    assert.match(
      await failed(s.run('sticker', { to: `user:${BOB}`, stickerIds: ['1'] })),
      /does not accept direct messages/,
    );
  });

  it('T206 takes no bare number and no name for a receiver', async () => {
    await using s = await openTool({ owner: true });
    assert.match(
      await failed(s.run('sticker', { to: '501', stickerIds: ['1'] })),
      /ambiguous: write user:501 .* or channel:501/,
    );
    assert.match(await failed(s.run('sticker', { to: 'ann', stickerIds: ['1'] })), /channel:<id> or user:<id>/);
    for (const to of [`user:${BOB}`, `discord:${BOB}`, `<@${BOB}>`, `<@!${BOB}>`]) {
      await answer(s.run('sticker', { to, stickerIds: ['1'] }));
      assert.equal(last(s, 'POST').path, `/channels/600${BOB}/messages`, to);
    }
    await answer(s.run('sticker', { to: `<#${CHANNEL}>`, stickerIds: ['1'] }));
    assert.equal(last(s, 'POST').path, `/channels/${CHANNEL}/messages`);
  });

  it('T207 opens public threads, on a message where one is named, and lists them', async () => {
    await using s = await openTool({ owner: true });
    const { threadId } = await answer(
      s.run('threadCreate', { name: 'plans', content: 'first', autoArchiveMinutes: 60 }),
    );
    assert.deepEqual(
      s.fake.calls
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => [body.type, body.auto_archive_duration, body.content]),
      [
        [11, 60, undefined],
        [undefined, undefined, 'first'],
      ],
    );
    assert.match(await failed(s.run('threadCreate', { name: 'x', autoArchiveMinutes: 61 })), /60, 1440, 4320, 10080/);
    const ids = (found: any) => found.threads.map(({ id }: any) => id);
    assert.ok(ids(await answer(s.run('threadList'))).includes(threadId));
    assert.deepEqual(ids(await answer(s.run('threadList', { channelId: CHANNEL, includeArchived: true }))), [THREAD]);
    await answer(s.run('threadReply', { channelId: threadId, content: 'and more' }));
    assert.equal(s.sent().at(-1)!.to.chat.id, threadId);
  });

  it('T208 finds at most 25, and waits while Discord prepares its search', async () => {
    await using s = await openTool({ owner: true });
    await s.write('a needle here');
    s.server.index.missing = 1;
    const found = await answer(
      s.run('searchMessages', { content: 'needle', limit: 99, channelId: CHANNEL, authorIds: [ANN], authorId: BOB }),
    );
    assert.equal(found.messages.length, 1);
    const { query } = last(s, 'GET');
    assert.deepEqual(
      [query.get('limit'), query.getAll('channel_id'), query.getAll('author_id')],
      ['25', [CHANNEL], [BOB, ANN]],
    );
    s.server.index.missing = 9;
    assert.match(await failed(s.run('searchMessages', { content: 'needle' })), /still preparing/);
  });

  it('T209 deletes what was said in at most seven days with a ban', async () => {
    await using s = await openTool({ actions: ON, owner: true });
    await s.run('ban', { userId: BOB, deleteMessageDays: 30, reason: 'spam, again' });
    assert.equal(s.server.bans.get(BOB), 7 * 86_400);
    assert.equal(last(s, 'PUT').reason, `spam, again (asked by ${ANN})`);
  });

  it('T211a waits where Discord asks to, three times at most; no other error is tried again', async () => {
    await using s = await openTool();
    const posts = () => s.fake.calls.filter(({ method }) => method === 'POST').length;
    s.server.limit(/^POST /, 2);
    await answer(s.run('sticker', { stickerIds: ['1'] }));
    assert.equal(posts(), 3);
    assert.equal(s.fake.seen({ kind: 'channel', id: CHANNEL }).length, 1);
    s.server.limit(/^POST /, 3);
    assert.match(await failed(s.run('sticker', { stickerIds: ['1'] })), /limits the rate/);
    assert.equal(posts(), 6);
    s.fake.failSends('server-error', 1);
    await failed(s.run('sticker', { stickerIds: ['1'] }));
    assert.equal(posts(), 7);
  });

  it('T211b opens a direct chat for a person, and works out what the bot may', async () => {
    await using s = await openTool({ owner: true });
    await answer(s.run('sendMessage', { to: `user:${BOB}`, content: 'hi', replyTo: '1' }));
    const { to, message } = s.sent()[0]!;
    assert.deepEqual([to.chat, message.payload.replyTo], [{ kind: 'direct', id: BOB }, { id: '1' }]);
    s.server.botMay('ManageMessages');
    s.fake.guild.channels.get(CHANNEL).permission_overwrites = [
      { id: GUILD, type: 0, allow: '0', deny: bits(['SendMessages']) },
      { id: BOT, type: 1, allow: bits(['AttachFiles']), deny: bits(['AddReactions']) },
    ];
    const { permissions } = await answer(s.run('permissions'));
    const has = (name: string) => permissions.includes(name);
    assert.deepEqual(['ViewChannel', 'ManageMessages', 'AttachFiles', 'SendMessages', 'AddReactions'].map(has), [
      true,
      true,
      true,
      false,
      false,
    ]);
    s.server.botMay('Administrator');
    assert.ok((await answer(s.run('permissions'))).permissions.includes('SendMessages'));
  });

  it('sends embeds as Discord knows them', async () => {
    await using s = await openTool();
    await answer(s.run('sendMessage', { content: 'look', embeds: '[{"title":"A"}]', replyTo: '5' }));
    const { body } = last(s, 'POST');
    assert.deepEqual([body.embeds, body.content, body.message_reference.message_id], [[{ title: 'A' }], 'look', '5']);
    assert.match(await failed(s.run('sendMessage', { embeds: 'nonsense' })), /no JSON/);
    assert.match(await failed(s.run('sendMessage', { embeds: '[{}]', mediaUrl: 'https://x.y/z.png' })), /two messages/);
  });

  it('tells of members, roles, emoji, channels, voice and events', async () => {
    await using s = await openTool({ owner: true });
    assert.equal((await answer(s.run('memberInfo', { userId: ANN }))).name, 'Ann');
    assert.ok((await answer(s.run('roleInfo'))).roles.some(({ name }: any) => name === 'moderators'));
    assert.equal((await answer(s.run('emojiList'))).emoji[0].written, '<:party:3001>');
    assert.ok((await answer(s.run('channelList'))).channels.some(({ id }: any) => id === SECRET));
    s.server.voice.set(BOB, '7700');
    assert.equal((await answer(s.run('voiceStatus', { userId: BOB }))).voice.channel_id, '7700');
    const event = { name: 'Party', startTime: '2030-01-01T18:00:00Z' };
    assert.match(await failed(s.run('eventCreate', { ...event, entityType: 'external' })), /location and endTime/);
    await answer(
      s.run('eventCreate', { ...event, entityType: 'external', location: 'Here', endTime: '2030-01-01T20:00:00Z' }),
    );
    const { entity_type: kind, privacy_level: privacy } = last(s, 'POST').body;
    assert.deepEqual([kind, privacy, (await answer(s.run('eventList'))).events[0].name], [3, 2, 'Party']);
  });
});
