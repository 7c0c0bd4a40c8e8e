// What people can read, write, delete and manage with the discord tool: no more than Discord allows them directly.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, CHANNEL, GUILD, THREAD } from '../../fake-discord.ts';
import { PRIVATE_THREAD, SECRET } from '../../fake-server.ts';
import { answer, failed, last, openTool } from './fake.ts';

const ON = { roles: true, moderation: true, channels: true };

describe('what people may have the discord tool do', () => {
  const open = ['conversations'] as const;

  it('is nothing beyond their own chat, until the owner opens that', async () => {
    await using s = await openTool({ by: BOB });
    assert.match(await failed(s.run('readMessages', { channelId: SECRET })), /only within their own conversation/);
    assert.match(await failed(s.run('channelList')), /only within their own conversation/);
    assert.match(await failed(s.run('sendMessage', { to: `user:${ANN}`, content: 'x' })), /only within their own/);
    assert.equal(s.sent().length, 0);
    await answer(s.run('readMessages'));
    await answer(s.run('readMessages', { channelId: CHANNEL }));
  });

  it('is reading what Discord shows them, and no more', async () => {
    await using s = await openTool({ by: BOB, open });
    await s.write('the secret needle', SECRET);
    await s.write('the private needle', PRIVATE_THREAD);
    await s.write('the open needle', CHANNEL);
    const secret = await s.write('hidden', SECRET);
    for (const [action, input] of [
      ['readMessages', { channelId: SECRET }],
      ['listPins', { channelId: SECRET }],
      ['channelInfo', { channelId: SECRET }],
      ['permissions', { channelId: SECRET }],
      ['reactions', { channelId: SECRET, messageId: secret }],
      ['fetchMessage', { messageLink: `https://discord.com/channels/${GUILD}/${SECRET}/${secret}` }],
      ['fetchMessage', { channelId: SECRET, messageId: secret }],
      ['sticker', { to: `channel:${SECRET}`, stickerIds: ['1'] }],
      ['readMessages', { channelId: PRIVATE_THREAD }],
    ] as const)
      assert.match(
        await failed(s.run(action, input)),
        /502 (?:does not have the permission ViewChannel|is not in)/,
        action,
      );
    assert.match(await failed(s.run('readMessages', { channelId: `600${ANN}` })), /direct chat|was refused/);
    const texts = (found: any) => found.messages.map(({ text }: any) => text);
    assert.deepEqual(texts(await answer(s.run('searchMessages', { content: 'needle' }))), ['the open needle']);
    const { channels } = await answer(s.run('channelList'));
    assert.ok(!channels.some(({ id }: any) => id === SECRET) && channels.some(({ id }: any) => id === CHANNEL));
    const { threads } = await answer(s.run('threadList'));
    assert.ok(!threads.some(({ id }: any) => id === PRIVATE_THREAD) && threads.some(({ id }: any) => id === THREAD));
    s.server.voice.set(ANN, SECRET);
    assert.equal((await answer(s.run('voiceStatus', { userId: ANN }))).voice.channel_id, null);
    await using ann = await openTool({ by: ANN, open });
    await ann.write('the secret needle', SECRET);
    assert.deepEqual(texts(await answer(ann.run('readMessages', { channelId: SECRET }))), ['the secret needle']);
    await answer(ann.run('readMessages', { channelId: PRIVATE_THREAD }));
  });

  it('is taking away what others wrote only where they may manage messages', async () => {
    await using s = await openTool({ by: BOB });
    const others = await s.write('of Ann');
    assert.match(
      await failed(s.run('deleteMessage', { messageId: others })),
      /502 does not have the permission ManageMessages/,
    );
    const { messageId } = await answer(s.run('sticker', { stickerIds: ['1'] }));
    await answer(s.run('deleteMessage', { messageId }));
    await using ann = await openTool({ by: ANN });
    await answer(ann.run('deleteMessage', { messageId: await ann.write('of Ann') }));
  });

  it('is managing a channel as far as their own rights there go, by whatever server they name', async () => {
    await using s = await openTool({ by: BOB, member: true, actions: ON });
    const edit = { channelId: CHANNEL, name: 'mine', guildId: '8888' };
    s.fake.answers.set('GET /guilds/8888', { id: '8888', owner_id: BOB, roles: [] });
    assert.match(await failed(s.run('channelEdit', edit)), /502 does not have the permission ManageChannels/);
    await using ann = await openTool({ by: ANN, member: true, actions: ON });
    await answer(ann.run('channelEdit', edit));
    assert.equal(last(ann, 'PATCH').reason, `asked by ${ANN}`);
    const grant = { channelId: CHANNEL, targetId: ANN, targetType: 'member', allow: ['Administrator'] };
    assert.match(await failed(ann.run('channelPermissionSet', grant)), /permission Administrator to give/);
    await answer(ann.run('channelPermissionSet', { ...grant, allow: ['ManageMessages'] }));
  });
});
