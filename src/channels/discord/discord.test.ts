/** Discord's own functions: threads for answers, slash commands, buttons, intents, catching up, permissions. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ANN, BOB, BOT, CHANNEL, FORUM, GUILD, type FakeDiscord } from './fake-discord.ts';
import { fixture, general, ann, to } from '../../testing/discord-fixture.ts';

const posts = (fake: FakeDiscord): readonly any[] =>
  fake.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).map(({ body }) => body);

describe('threads', () => {
  it('220: answers in a thread of its own on the message, opened once, where nobody needs to mention it', async () => {
    await using s = await fixture({
      config: { guilds: { [GUILD]: { channels: { [CHANNEL]: { autoThread: true } } } } },
    });
    const id = await s.fake.write({ chat: general, by: ANN, text: 'how do I build it', mention: true });
    const asked = await s.heard((message) => message.id === id);
    assert.equal(asked.address.threadId, id);
    for (const text of ['one', 'two']) await s.say(asked.address, { text, replyTo: { id } });
    const thread = { kind: 'channel', id: CHANNEL, threadId: id } as const;
    assert.deepEqual(
      s.fake.seen(thread).map(({ text, replyTo }) => [text, replyTo]),
      [
        ['one', undefined],
        ['two', undefined],
      ],
    );
    assert.deepEqual(
      s.fake.calls.filter(({ path }) => path.endsWith('/threads')).map(({ body }) => body.name),
      ['how do I build it'],
    );
    await s.fake.write({ chat: thread, by: BOB, text: 'and test it' });
    const inside = await s.heard(({ text }) => text === 'and test it');
    assert.deepEqual(
      [inside.addressesBot, inside.address.chat.id, inside.address.threadId, inside.place?.thread],
      [true, CHANNEL, id, 'how do I build it'],
    );
  });

  it('answers in the channel where it may open no thread', async () => {
    await using s = await fixture({
      config: { guilds: { [GUILD]: { channels: { [CHANNEL]: { autoThread: true } } } } },
    });
    await s.say(to(general, { threadId: '77', via: 'thread' }), { text: 'here then' });
    assert.deepEqual(
      s.fake.seen(general).map(({ text }) => text),
      ['here then'],
    );
  });

  it('tells what a post in a forum began with', async () => {
    await using s = await fixture();
    s.fake.addChannel({ id: '7200', type: 11, name: 'It crashes', parent_id: FORUM, owner_id: ANN });
    s.fake.answers.set('GET /channels/7200/messages/7200', {
      id: '7200',
      content: 'It crashes on start',
      author: { id: ANN, username: 'ann' },
    });
    await s.fake.write({ chat: { kind: 'channel', id: FORUM, threadId: '7200' }, by: BOB, text: 'same here' });
    const { threadStarter, place, address } = await s.heard(({ text }) => text === 'same here');
    assert.deepEqual(
      [threadStarter, place, address.chat.id],
      [
        { text: 'It crashes on start', sender: 'ann', senderId: '501' },
        { chat: 'help', space: 'The Place', thread: 'It crashes' },
        FORUM,
      ],
    );
  });
});

describe('what is sent', () => {
  it('pings nobody but who is answered, and carries a nonce', async () => {
    await using s = await fixture();
    const asked = await s.fake.write({ chat: general, by: ANN, text: 'x' });
    await s.say(to(general), { text: '@everyone <@&4001>' });
    await s.say(to(general), { text: 'yes', replyTo: { id: asked } });
    const [loud, reply] = posts(s.fake);
    assert.deepEqual(
      [loud.allowed_mentions, reply.allowed_mentions],
      [
        { parse: [], replied_user: false },
        { parse: [], replied_user: true },
      ],
    );
    assert.deepEqual(
      [reply.message_reference, reply.enforce_nonce, reply.nonce.length <= 25],
      [{ message_id: asked, fail_if_not_exists: false }, true, true],
    );
  });

  it('shows one message for one token, even if it is sent again', async () => {
    await using s = await fixture();
    const ids = [await s.say(to(ann), { text: 'once' }, 'same'), await s.say(to(ann), { text: 'once' }, 'same')];
    assert.equal(ids[0], ids[1]);
    assert.equal(s.fake.seen(ann).length, 1);
  });

  it('tells two equal messages apart when it looks them up', async () => {
    await using s = await fixture();
    const since = Date.now();
    const first = await s.say(to(ann), { text: 'ok' }, 'a');
    const readBack = (token: string): Promise<readonly string[] | undefined> =>
      s.connection.readBack!(to(ann), token, { payload: { kind: 'final', text: 'ok' }, since });
    assert.deepEqual([await readBack('a'), await readBack('b')], [[first], []]);
    s.fake.failSends('dropped', 1);
    await assert.rejects(s.say(to(ann), { text: 'ok' }, 'b'), { code: 'network' });
    assert.deepEqual(await readBack('b'), []);
  });

  it('names the permissions that are missing, and what a person who takes no messages can do', async () => {
    await using s = await fixture();
    s.fake.answers.set(`GET /guilds/${GUILD}`, {
      id: GUILD,
      owner_id: ANN,
      roles: [{ id: GUILD, name: '@everyone', permissions: String(1 << 10) }],
    });
    s.fake.answers.set(`GET /guilds/${GUILD}/members/${BOT}`, { roles: [] });
    await s.fake.write({ chat: general, by: ANN, text: 'x' });
    s.fake.failSends('refused', 1);
    await assert.rejects(s.say(to(ann), { text: 'x' }), { code: 'denied', message: /does not accept direct messages/ });
    const permissions = await s.connection.act!('permissions', {
      to: to(general),
      parameters: {},
      signal: new AbortController().signal,
    });
    assert.deepEqual((permissions as any).permissions, ['ViewChannel']);
  });

  it("sends a poll within Discord's bounds", async () => {
    await using s = await fixture();
    const { messageIds } = await s.connection.poll!(to(general), {
      question: 'Lunch?',
      options: ['Soup', 'Bread'],
      maxSelections: 2,
      durationHours: 9999,
    });
    assert.deepEqual(s.fake.message(messageIds[0]!).poll, {
      question: { text: 'Lunch?' },
      answers: [{ poll_media: { text: 'Soup' } }, { poll_media: { text: 'Bread' } }],
      duration: 768,
      allow_multiselect: true,
      layout_type: 1,
    });
    await assert.rejects(s.connection.poll!(to(general), { question: 'x', options: ['a'], maxSelections: 1 }), {
      code: 'invalid',
    });
  });

  it('sends a recording with words beside it as a file', async () => {
    await using s = await fixture();
    const path = join(s.fixture.account.stateDir, 'a.ogg');
    await writeFile(path, 'OggS');
    await s.say(to(ann), { text: 'hear', media: [{ from: 'file', path, mime: 'audio/ogg' }], audioAsVoice: true });
    assert.deepEqual(
      s.fake.seen(ann).map(({ text, file }) => [text, file?.voice]),
      [['hear', false]],
    );
  });

  it('fetches files from Discord alone, and without the token', async () => {
    await using s = await fixture();
    const limits = { maxBytes: 1000, signal: AbortSignal.timeout(60_000) };
    for (const ref of [
      'http://cdn.discordapp.com/a',
      'https://cdn.discordapp.com.evil.example/a',
      'https://cdn.discordapp.com:8443/a',
      'https://127.0.0.1/a',
      'file:///etc/passwd',
      'nothing',
    ]) {
      await assert.rejects(s.connection.download!(ref, limits), { code: 'denied' }, ref);
    }
    await assert.rejects(s.connection.download!(`${s.fake.config['apiRoot'] as string}/files/1/x`, limits), {
      code: 'not_found',
    });
  });
});

describe('reactions and bots', () => {
  it('reports reactions to messages of others only if configured, and none if disabled', async () => {
    for (const [config, heard] of [
      [{}, 0],
      [{ reactionNotifications: 'all' }, 1],
      [{ reactionNotifications: 'all', guilds: { [GUILD]: { reactionNotifications: 'off' } } }, 0],
    ] as const) {
      await using s = await fixture({ config });
      const id = await s.fake.write({ chat: general, by: ANN, text: 'x' });
      await s.fake.react(general, id, '👀', BOB);
      await s.fake.write({ chat: general, by: ANN, text: 'end' });
      await s.heard(({ text }) => text === 'end');
      assert.equal(s.fixture.received.filter(({ quiet }) => quiet).length, heard);
    }
  });
});
