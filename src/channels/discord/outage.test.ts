/** Outages of Discord's connection, and that no message is lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { ANN, BOB, CHANNEL, GUILD } from './fake-discord.ts';
import { startFakeDiscord } from './fake.ts';
import discord from './index.ts';
import { idAt } from './place.ts';

const general = { kind: 'channel', id: CHANNEL } as const;
const ann = { kind: 'direct', id: ANN } as const;

async function open(more: object = {}) {
  const fake = await startFakeDiscord();
  const fixture = await testAccount(discord, { config: { ...fake.config, ...more }, credentials: fake.credentials });
  return {
    fake,
    fixture,
    texts: () => fixture.received.map(({ text }) => text),
    heard: (text: string) => until(() => fixture.received.find((message) => message.text === text), text),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

describe('an outage of Discord', () => {
  it('is caught up with when the session is lost: direct chats, and channels that were spoken in', async () => {
    await using s = await open();
    await s.fixture.connect();
    await s.fake.write({ chat: ann, by: ANN, text: 'before' });
    await s.fake.write({ chat: general, by: BOB, text: 'also before' });
    await s.heard('before');
    await s.heard('also before');
    s.fake.forgetSessions();
    s.fake.cut();
    for (const text of ['missed 1', 'missed 2']) await s.fake.write({ chat: ann, by: ANN, text });
    await s.fake.write({ chat: general, by: BOB, text: 'missed 3' });
    await until(() => s.fake.gateways.identified === 2, 'a new session');
    await s.fake.write({ chat: ann, by: ANN, text: 'now' });
    await s.heard('missed 3');
    await s.heard('now');
    // What is said while it catches up may come twice, with one identity: the journal knows.
    assert.deepEqual(
      [...new Set(s.texts())].filter((text) => text === 'now' || /missed [12]/.test(text)),
      ['missed 1', 'missed 2', 'now'],
      'in order, the new behind the missed',
    );
    const missed = s.fixture.received.find(({ text }) => text === 'missed 3')!;
    assert.deepEqual([missed.spaceId, missed.roles, missed.address.chat], [GUILD, ['4001'], general]);
  });

  it('is caught up with after a restart by taking the session up, even with people never heard of', async () => {
    await using s = await open();
    const first = await s.fixture.connect();
    await s.fake.write({ chat: ann, by: ANN, text: 'before' });
    await s.heard('before');
    await first[Symbol.asyncDispose]();
    await until(() => s.fake.consumers === 0);
    await s.fake.write({ chat: { kind: 'direct', id: '777' }, by: '777', text: 'hello, I am new' });
    await s.fixture.connect();
    await s.heard('hello, I am new');
    assert.deepEqual(
      [s.fake.gateways.identified, s.fake.gateways.resumed, s.texts()],
      [1, 1, ['before', 'hello, I am new']],
    );
  });

  it('offers again after a restart what had not been taken', async () => {
    await using s = await open();
    s.fixture.before = async () => {
      throw new AppError('unavailable', 'not now', { retryAfterMs: 60_000 });
    };
    const first = await s.fixture.connect();
    await s.fake.write({ chat: ann, by: ANN, text: 'keep me' });
    await until(() => s.fake.calls.some(({ path }) => path === `/channels/600${ANN}`), 'that it was looked at');
    await first[Symbol.asyncDispose]();
    s.fixture.before = undefined;
    await s.fixture.connect();
    await s.heard('keep me');
  });

  it('looks after channels named in the settings from the start', async () => {
    await using s = await open({ guilds: { [GUILD]: { channels: { [CHANNEL]: {} } } } });
    await s.fake.write({ chat: general, by: ANN, text: 'long ago' });
    await s.fixture.connect();
    s.fake.forgetSessions();
    s.fake.cut();
    await s.fake.write({ chat: general, by: ANN, text: 'meanwhile' });
    await s.heard('meanwhile');
    assert.deepEqual(s.texts(), ['meanwhile']);
  });

  it('stays away when the socket is closed while it waits to come back', async () => {
    await using s = await open();
    const connection = await s.fixture.connect();
    s.fake.cut();
    await until(() => s.fixture.facts.connected === false);
    await connection[Symbol.asyncDispose]();
    await using again = await testAccount(discord, { config: s.fake.config, credentials: s.fake.credentials });
    await again.connect();
    await until(() => s.fake.consumers === 1);
    assert.deepEqual([s.fake.gateways.identified, s.fake.gateways.resumed], [2, 0]);
  });
});

describe('signing in to Discord', () => {
  it('goes on without the message content intent, and says what to do', async () => {
    await using s = await open();
    s.fake.application.flags = 0;
    await s.fixture.connect();
    assert.equal(s.fake.gateways.intents & (1 << 15), 0);
    const [problem] = s.fixture.facts.problems!;
    assert.equal(problem!.kind, 'intent');
    assert.match(problem!.fix!, /Developer Portal/);
  });

  it('asks for no privileged intent but the one it needs', async () => {
    await using s = await open();
    await s.fixture.connect();
    assert.equal(s.fake.gateways.intents & ((1 << 1) | (1 << 8)), 0);
    assert.notEqual(s.fake.gateways.intents & (1 << 15), 0);
  });

  it('waits when Discord allows no further session today', async () => {
    await using s = await open();
    Object.assign(s.fake.limit, { remaining: 0, reset_after: 90_000 });
    await assert.rejects(
      s.fixture.connect(),
      (error: AppError) => error.code === 'rate_limited' && error.retryAfterMs === 90_000,
    );
    assert.equal(s.fake.consumers, 0);
  });

  it('says what is missing without a token, and what cannot be reached', async () => {
    await using none = await testAccount(discord, { config: {} });
    await assert.rejects(none.connect(), { code: 'auth', message: /DISCORD_BOT_TOKEN/ });
    await using nowhere = await testAccount(discord, {
      config: { apiRoot: 'http://127.0.0.1:1' },
      credentials: { token: 'x' },
    });
    await assert.rejects(nowhere.connect(), { code: 'unavailable', message: /cannot be reached/ });
  });

  it('notices a second gateway that speaks with its voice', async () => {
    await using s = await open();
    const connection = await s.fixture.connect();
    const spoken = (id: string, nonce: string): void =>
      s.fake.emit('MESSAGE_CREATE', {
        id,
        channel_id: CHANNEL,
        guild_id: GUILD,
        type: 0,
        content: 'x',
        author: { id: s.fake.botId, bot: true },
        nonce,
        timestamp: new Date().toISOString(),
      });
    await connection.send(
      { channel: 'discord', accountId: 'default', chat: general },
      { token: 't', runId: 't', sessionKey: 'agent:main:main', payload: { kind: 'final', text: 'my own' } },
    );
    spoken(idAt(Date.now() + 60_000), 'a nonce of somebody else');
    spoken(idAt(Date.now() - 60_000), `cb${'0'.repeat(22)}`);
    await s.fake.write({ chat: ann, by: ANN, text: 'so far so good' });
    await s.heard('so far so good');
    assert.deepEqual(s.fixture.facts.problems ?? [], []);
    spoken(idAt(Date.now() + 60_000), `cb${'1'.repeat(22)}`);
    const [problem] = await until(() => s.fixture.facts.problems, 'the problem');
    assert.match(problem!.message, /Another program/);
  });

  it('keeps two accounts apart', async () => {
    await using one = await open();
    await using two = await open();
    await one.fixture.connect();
    await two.fixture.connect();
    await one.fake.write({ chat: ann, by: ANN, text: 'for one' });
    await two.fake.write({ chat: ann, by: ANN, text: 'for two' });
    await one.heard('for one');
    await two.heard('for two');
    assert.deepEqual([one.texts(), two.texts()], [['for one'], ['for two']]);
  });
});

describe('nonsense from Discord', () => {
  it('is passed over, and the next message is heard', async () => {
    await using s = await open();
    await s.fixture.connect();
    for (const d of [
      null,
      {},
      7,
      'x',
      [],
      { id: 1, channel_id: 2 },
      { id: '1', channel_id: CHANNEL },
      { id: '1', channel_id: CHANNEL, author: null },
      { id: '1', channel_id: CHANNEL, author: { id: ANN }, content: {}, attachments: 'no', timestamp: {} },
    ]) {
      for (const t of [
        'MESSAGE_CREATE',
        'MESSAGE_UPDATE',
        'MESSAGE_REACTION_ADD',
        'INTERACTION_CREATE',
        'GUILD_CREATE',
        'CHANNEL_UPDATE',
        'THREAD_LIST_SYNC',
        'GUILD_ROLE_UPDATE',
        'SOMETHING_NEW',
      ])
        s.fake.emit(t, d);
    }
    await s.fake.write({ chat: ann, by: ANN, text: 'sense' });
    await s.heard('sense');
    assert.equal(s.fake.gateways.identified, 1);
  });
});
