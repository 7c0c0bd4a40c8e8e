/** What is Discord's own: threads for answers, slash commands, buttons, intents, catching up, permissions. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ChannelConnection, NativeCommand } from '../../core/channel.ts';
import type { ChatAddress, InboundMessage } from '../../core/message.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { ANN, BOB, BOT, CHANNEL, FORUM, GUILD, startFakeDiscord, THREAD, type FakeDiscord } from './fake.ts';
import discord from './index.ts';

interface Scene extends AsyncDisposable {
  readonly fake: FakeDiscord;
  readonly world: TestAccount;
  readonly connection: ChannelConnection;
  say(to: ChatAddress, payload: Partial<ReplyPayload>, token?: string): Promise<string>;
  heard(fits: (message: InboundMessage) => boolean): Promise<InboundMessage>;
}

async function scene({ config = {}, commands = [], before }: { config?: object; commands?: readonly NativeCommand[]; before?: (fake: FakeDiscord) => void } = {}): Promise<Scene> {
  const fake = await startFakeDiscord();
  before?.(fake);
  const world = await testAccount(discord, { config: { ...fake.config, ...config }, credentials: fake.credentials, commands });
  const connection = await world.connect();
  let count = 0;
  return {
    fake, world, connection,
    say: async (to, payload, token = `t${++count}`) => (await connection.send(to, { token, runId: token, sessionKey: 'agent:main:main', payload: { kind: 'final', ...payload } })).messageIds[0]!,
    heard: (fits) => until(() => world.received.find(fits), 'a message that fits'),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const general = { kind: 'channel', id: CHANNEL } as const;
const ann = { kind: 'direct', id: ANN } as const;
const to = (chat: ChatAddress['chat'], more: Partial<ChatAddress> = {}): ChatAddress => ({ channel: 'discord', accountId: 'default', chat, ...more });
const posts = (fake: FakeDiscord): readonly any[] => fake.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).map(({ body }) => body);

describe('threads', () => {
  it('220: answers in a thread of its own on the message, opened once, where nobody needs to mention the bot', async () => {
    await using s = await scene({ config: { guilds: { [GUILD]: { channels: { [CHANNEL]: { autoThread: true } } } } } });
    const id = await s.fake.write({ chat: general, by: ANN, text: 'how do I build it', mention: true });
    const asked = await s.heard((message) => message.id === id);
    assert.equal(asked.address.threadId, id);
    for (const text of ['one', 'two']) await s.say(asked.address, { text, replyTo: { id } });
    const thread = { kind: 'channel', id: CHANNEL, threadId: id } as const;
    assert.deepEqual(s.fake.seen(thread).map(({ text, replyTo }) => [text, replyTo]), [['one', undefined], ['two', undefined]]);
    assert.deepEqual(s.fake.calls.filter(({ path }) => path.endsWith('/threads')).map(({ body }) => body.name), ['how do I build it']);
    await s.fake.write({ chat: thread, by: BOB, text: 'and test it' });
    const inside = await s.heard(({ text }) => text === 'and test it');
    assert.deepEqual([inside.addressesBot, inside.address.chat.id, inside.address.threadId, inside.place?.thread], [true, CHANNEL, id, 'how do I build it']);
  });

  it('answers in the channel where it may open no thread', async () => {
    await using s = await scene({ config: { guilds: { [GUILD]: { channels: { [CHANNEL]: { autoThread: true } } } } } });
    await s.say(to(general, { threadId: '77', via: 'thread' }), { text: 'here then' });
    assert.deepEqual(s.fake.seen(general).map(({ text }) => text), ['here then']);
  });

  it('tells what a post in a forum began with', async () => {
    await using s = await scene();
    s.fake.addChannel({ id: '7200', type: 11, name: 'It crashes', parent_id: FORUM, owner_id: ANN });
    s.fake.answers.set('GET /channels/7200/messages/7200', { id: '7200', content: 'It crashes on start', author: { id: ANN, username: 'ann' } });
    await s.fake.write({ chat: { kind: 'channel', id: FORUM, threadId: '7200' }, by: BOB, text: 'same here' });
    const { threadStarter, place, address } = await s.heard(({ text }) => text === 'same here');
    assert.deepEqual([threadStarter, place, address.chat.id], [{ text: 'It crashes on start', sender: 'ann', senderId: '501' }, { chat: 'help', space: 'The Place', thread: 'It crashes' }, FORUM]);
  });
});

describe('native commands', () => {
  const commands: readonly NativeCommand[] = [{ name: 'model', description: 'Choose the model', args: [{ name: 'model', description: 'Which', choices: ['a', 'b'] }, { name: 'must', description: 'Needed', required: true }] }];

  it('are registered as a whole, and not again while they are the same', async () => {
    await using s = await scene({ commands });
    const puts = (): readonly any[] => s.fake.calls.filter(({ method, path }) => method === 'PUT' && path.endsWith('/commands')).map(({ body }) => body);
    assert.deepEqual(puts(), [[{ name: 'model', type: 1, description: 'Choose the model', options: [
      { type: 3, name: 'must', description: 'Needed', required: true },
      { type: 3, name: 'model', description: 'Which', required: false, choices: [{ name: 'a', value: 'a' }, { name: 'b', value: 'b' }] },
    ] }]]);
    await s.connection[Symbol.asyncDispose]();
    await s.world.connect();
    assert.equal(puts().length, 1);
  });

  it('are acknowledged at once and answered where they were used, for that person alone', async () => {
    await using s = await scene({ commands });
    const token = await s.fake.interact({ chat: general, by: ANN, data: { name: 'model', type: 1, options: [{ name: 'model', value: 'a' }] } });
    const { address, text, native, sender } = await s.heard((message) => message.native === true);
    assert.deepEqual([text, sender.id, s.fake.responses(token)], ['/model a', ANN, [{ content: '', ephemeral: true, loading: true }]]);
    for (const words of ['It is a.', 'Anything else?']) await s.say(address, { text: words });
    assert.deepEqual([native, s.fake.responses(token)], [true, [{ content: 'It is a.', ephemeral: true, loading: false }, { content: 'Anything else?', ephemeral: true, loading: false }]]);
    assert.deepEqual(s.fake.seen(general), []);
  });

  it('are answered in the chat when the response expired', async () => {
    await using s = await scene({ commands, config: { slashCommand: { ephemeral: false } } });
    await s.say(to(general, { via: 'interaction:901:gone:1' }), { text: 'late' });
    await s.say(to(general, { via: `interaction:901:unknown-token:${Date.now() + 60_000}` }), { text: 'later' });
    assert.deepEqual(s.fake.seen(general).map(({ text }) => text), ['late', 'later']);
  });

  it('take a pressed button for words, without a response of its own', async () => {
    await using s = await scene();
    const asked = await s.say(to(general), { text: 'Sure?' });
    await s.fake.interact({ chat: general, by: BOB, type: 3, data: { custom_id: 'yes', component_type: 2 }, message: { id: asked } });
    const pressed = await s.heard(({ text }) => text === 'callback_data: yes');
    assert.deepEqual([pressed.sender.id, pressed.quoted?.id, pressed.address.via], [BOB, asked, undefined]);
  });
});

describe('what is sent', () => {
  it('pings nobody but who is answered, and carries a nonce', async () => {
    await using s = await scene();
    const asked = await s.fake.write({ chat: general, by: ANN, text: 'x' });
    await s.say(to(general), { text: '@everyone <@&4001>' });
    await s.say(to(general), { text: 'yes', replyTo: { id: asked } });
    const [loud, reply] = posts(s.fake);
    assert.deepEqual([loud.allowed_mentions, reply.allowed_mentions], [{ parse: [], replied_user: false }, { parse: [], replied_user: true }]);
    assert.deepEqual([reply.message_reference, reply.enforce_nonce, reply.nonce.length <= 25], [{ message_id: asked, fail_if_not_exists: false }, true, true]);
  });

  it('shows one message for one token, whoever sends it again', async () => {
    await using s = await scene();
    const ids = [await s.say(to(ann), { text: 'once' }, 'same'), await s.say(to(ann), { text: 'once' }, 'same')];
    assert.equal(ids[0], ids[1]);
    assert.equal(s.fake.seen(ann).length, 1);
  });

  it('tells two equal messages apart when it looks them up', async () => {
    await using s = await scene();
    const since = Date.now();
    const first = await s.say(to(ann), { text: 'ok' }, 'a');
    const look = (token: string): Promise<readonly string[] | undefined> => s.connection.readBack!(to(ann), token, { payload: { kind: 'final', text: 'ok' }, since });
    assert.deepEqual([await look('a'), await look('b')], [[first], []]);
    s.fake.failSends('dropped', 1);
    await assert.rejects(s.say(to(ann), { text: 'ok' }, 'b'), { code: 'network' });
    assert.deepEqual(await look('b'), []);
  });

  it('names the permissions that are missing, and what a person who takes no messages can do', async () => {
    await using s = await scene();
    s.fake.answers.set(`GET /guilds/${GUILD}`, { id: GUILD, owner_id: ANN, roles: [{ id: GUILD, name: '@everyone', permissions: String(1 << 10) }] });
    s.fake.answers.set(`GET /guilds/${GUILD}/members/${BOT}`, { roles: [] });
    await s.fake.write({ chat: general, by: ANN, text: 'x' });
    s.fake.failSends('refused', 1);
    await assert.rejects(s.say(to(ann), { text: 'x' }), { code: 'denied', message: /does not accept direct messages/ });
    const permissions = await s.connection.act!('permissions', { to: to(general), parameters: {}, signal: new AbortController().signal });
    assert.deepEqual((permissions as any).permissions, ['ViewChannel']);
  });

  it('sends a poll within Discord\'s bounds', async () => {
    await using s = await scene();
    const { messageIds } = await s.connection.poll!(to(general), { question: 'Lunch?', options: ['Soup', 'Bread'], maxSelections: 2, durationHours: 9999 });
    assert.deepEqual(s.fake.message(messageIds[0]!).poll, { question: { text: 'Lunch?' }, answers: [{ poll_media: { text: 'Soup' } }, { poll_media: { text: 'Bread' } }], duration: 768, allow_multiselect: true, layout_type: 1 });
    await assert.rejects(s.connection.poll!(to(general), { question: 'x', options: ['a'], maxSelections: 1 }), { code: 'invalid' });
  });

  it('sends a recording with words beside it as a file', async () => {
    await using s = await scene();
    const path = join(s.world.account.stateDir, 'a.ogg');
    await writeFile(path, 'OggS');
    await s.say(to(ann), { text: 'hear', media: [{ from: 'file', path, mime: 'audio/ogg' }], audioAsVoice: true });
    assert.deepEqual(s.fake.seen(ann).map(({ text, file }) => [text, file?.voice]), [['hear', false]]);
  });

  it('fetches files from Discord alone, and without the token', async () => {
    await using s = await scene();
    const limits = { maxBytes: 1000, signal: AbortSignal.timeout(5000) };
    for (const ref of ['http://cdn.discordapp.com/a', 'https://cdn.discordapp.com.evil.example/a', 'https://cdn.discordapp.com:8443/a', 'https://127.0.0.1/a', 'file:///etc/passwd', 'nothing']) {
      await assert.rejects(s.connection.download!(ref, limits), { code: 'denied' }, ref);
    }
    await assert.rejects(s.connection.download!(`${s.fake.config['apiRoot'] as string}/files/1/x`, limits), { code: 'not_found' });
  });
});

describe('reactions and bots', () => {
  it('tells of reactions to messages of others only when asked to, and of none when told so', async () => {
    for (const [config, heard] of [[{}, 0], [{ reactionNotifications: 'all' }, 1], [{ reactionNotifications: 'all', guilds: { [GUILD]: { reactionNotifications: 'off' } } }, 0]] as const) {
      await using s = await scene({ config });
      const id = await s.fake.write({ chat: general, by: ANN, text: 'x' });
      await s.fake.react(general, id, '👀', BOB);
      await s.fake.write({ chat: general, by: ANN, text: 'end' });
      await s.heard(({ text }) => text === 'end');
      assert.equal(s.world.received.filter(({ quiet }) => quiet).length, heard);
    }
  });
});

describe('the actions', () => {
  const act = async (s: Scene, name: string, parameters: object, where: ChatAddress = to(general)): Promise<any> => s.connection.act!(name, { to: where, parameters: { ...parameters }, signal: new AbortController().signal });

  it('are all there is in the table, and each has its handler', async () => {
    await using s = await scene();
    for (const { name } of discord.actions!) {
      const error = await act(s, name, {}).then(() => undefined, (thrown: { code?: string }) => thrown);
      assert.notEqual(error?.code, 'unsupported', name);
    }
    await assert.rejects(act(s, 'nothing', {}), { code: 'unsupported' });
  });

  it('keep roles, moderation and changes of channels off by default', () => {
    const off = discord.actions!.filter(({ offByDefault }) => offByDefault).map(({ name }) => name);
    assert.deepEqual(off, ['role-add', 'role-remove', 'channel-create', 'channel-edit', 'channel-delete', 'channel-move', 'timeout', 'kick', 'ban']);
  });

  it('read what was said, with names and times', async () => {
    await using s = await scene();
    const id = await s.fake.write({ chat: general, by: ANN, text: 'hello' });
    const { messages } = await act(s, 'read', { limit: 500 });
    assert.deepEqual([messages.length, messages[0].id, messages[0].text, messages[0].author], [1, id, 'hello', { id: ANN, name: 'Ann' }]);
    assert.equal((await act(s, 'fetch', { messageLink: `https://discord.com/channels/${GUILD}/${CHANNEL}/${id}` })).message.text, 'hello');
    await assert.rejects(act(s, 'fetch', { messageLink: 'https://example.com' }), { code: 'invalid', message: /messageLink/ });
  });

  it('open public threads, and check what they are given', async () => {
    await using s = await scene();
    s.fake.answers.set(`POST /channels/${CHANNEL}/threads`, { id: '7300', name: 'new' });
    assert.deepEqual(await act(s, 'thread-create', { name: 'new' }), { ok: true, threadId: '7300', channelId: CHANNEL, name: 'new' });
    assert.equal(s.fake.calls.find(({ path }) => path.endsWith('/threads'))!.body.type, 11);
    await assert.rejects(act(s, 'thread-create', { name: 'new' }, to({ kind: 'channel', id: FORUM })), { code: 'invalid', message: /begins with one/ });
    await assert.rejects(act(s, 'sticker', { stickerIds: ['1', '2', '3', '4'] }), { code: 'invalid' });
    await assert.rejects(act(s, 'member-info', { userId: 'ann' }), { code: 'invalid', message: /id of digits/ });
    await assert.rejects(act(s, 'event-create', { name: 'x', startTime: '2026-05-01', entityType: 'external' }), { code: 'invalid', message: /location and endTime/ });
    await assert.rejects(act(s, 'role-info', {}, to(ann)), { code: 'invalid', message: /belongs to no server/ });
    await assert.rejects(act(s, 'emoji-upload', { name: 'x', media: '/etc/passwd' }), { code: 'invalid', message: /https address/ });
  });

  it('silence a member for at most 28 days', async () => {
    await using s = await scene();
    s.fake.answers.set(`PATCH /guilds/${GUILD}/members/${BOB}`, {});
    await act(s, 'timeout', { userId: BOB, durationMinutes: 10, reason: 'späm' });
    const until = Date.parse(s.fake.calls.find(({ method, path }) => method === 'PATCH' && path.endsWith(BOB))!.body.communication_disabled_until);
    assert.ok(Math.abs(until - Date.now() - 600_000) < 60_000);
    assert.equal((await act(s, 'timeout', { userId: BOB })).until, null);
    await assert.rejects(act(s, 'timeout', { userId: BOB, until: '2999-01-01' }), { code: 'invalid' });
  });

  it('read in threads', async () => {
    await using s = await scene();
    await s.fake.write({ chat: { ...general, threadId: THREAD }, by: BOB, text: 'in here' });
    assert.equal((await act(s, 'read', {}, to(general, { threadId: THREAD }))).messages[0].text, 'in here');
  });
});
