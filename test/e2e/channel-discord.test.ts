/** People on Discord and a whole gateway: who is answered, where, and what a restart in between costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, CHANNEL, GUILD, startFakeDiscord, THREAD, type FakeDiscord } from '../../src/channels/discord/fake.ts';
import type { Chat, Said } from '../../src/testing/channel-platform.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const DIRECT: Chat = { kind: 'direct', id: ANN };
const STRANGE: Chat = { kind: 'direct', id: BOB };
const GENERAL: Chat = { kind: 'channel', id: CHANNEL };
const REFUSED: Chat = { kind: 'channel', id: '7009' };

interface Stage extends AsyncDisposable { readonly discord: FakeDiscord; readonly gateway: RunningGateway; say(chat: Chat, said: Omit<Said, 'chat' | 'by'> & { by?: string }): Promise<string>; said(chat: Chat, count: number): Promise<readonly string[]> }

async function open(settings: object = {}): Promise<Stage> {
  const discord = await startFakeDiscord();
  const gateway = await startGateway({ config: { channels: { discord: { ...discord.config, ...discord.credentials, allowFrom: [ANN], guilds: { [GUILD]: { channels: { '*': {}, 7009: { allow: false } } } }, ...settings } }, messages: { queue: { mode: 'followup' } } } });
  const texts = (chat: Chat): string[] => discord.seen(chat).map(({ text }) => text);
  await using chat = await gateway.connect();
  await until(async () => (await chat.call('channels.status', {})).channelAccounts?.discord?.some(({ connected }: { connected?: boolean }) => connected), 'the connection to Discord');
  return {
    discord, gateway,
    say: (where, { by = ANN, ...said }) => discord.write({ chat: where, by, ...said }),
    said: async (where, count) => (await until(() => texts(where).length >= count, `${count} messages in ${where.id}`), texts(where)),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
    },
  };
}

/** What the model was given last. */
const told = ({ models }: RunningGateway): string => JSON.stringify((models.requests.at(-1)!.body as { messages: unknown }).messages);

describe('discord', () => {
  it('answers a person in the chat they wrote in', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await stage.say(DIRECT, { text: 'hello' });
    assert.deepEqual(await stage.said(DIRECT, 1), ['Hello Ann']);
    assert.equal(stage.discord.seen(DIRECT)[0]!.raw, '**Hello** Ann');
    await until(() => stage.discord.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, and answers once that is approved', async () => {
    await using stage = await open();
    for (const text of ['let me in', 'please']) await stage.say(STRANGE, { by: BOB, text });
    const [code = ''] = await stage.said(STRANGE, 1);
    const [, secret] = /pairing approve discord ([A-Z2-9]{8})/.exec(code) ?? [];
    assert.match(code, new RegExp(BOB));
    await using chat = await stage.gateway.connect();
    await chat.call('channel.pairing.approve', { channel: 'discord', code: secret });
    const before = (await stage.said(STRANGE, 1)).length;
    await stage.say(STRANGE, { by: BOB, text: 'now' });
    await stage.said(STRANGE, before + 1);
  });

  it('G219 answers a mention in a channel once, told what was said before, and in no channel that is refused', async () => {
    await using stage = await open();
    await stage.say(REFUSED, { text: 'here?', mention: true });
    await stage.say(GENERAL, { text: 'lunch at noon', by: BOB });
    await stage.say(GENERAL, { text: 'when was it', mention: true });
    await stage.said(GENERAL, 1);
    assert.match(told(stage.gateway), /lunch at noon[\s\S]*when was it/);
    await stage.say(DIRECT, { text: 'a marker' });
    await stage.said(DIRECT, 1);
    assert.deepEqual([(await stage.said(GENERAL, 1)).length, await stage.said(REFUSED, 0), stage.gateway.models.requests.length], [1, [], 2]);
  });

  it('keeps a thread a conversation of its own, and answers in it', async () => {
    await using stage = await open();
    const thread = { ...GENERAL, threadId: THREAD };
    await stage.say(thread, { text: 'what of it', mention: true });
    await stage.said(thread, 1);
    await using chat = await stage.gateway.connect();
    const { messages } = await chat.call('chat.history', { sessionKey: `agent:main:discord:channel:${CHANNEL}:thread:${THREAD}`, limit: 5 });
    assert.match(JSON.stringify(messages), /what of it/);
  });

  it('G220 opens a thread for its answer and goes on in it without being mentioned', async () => {
    await using stage = await open({ guilds: { [GUILD]: { channels: { [CHANNEL]: { autoThread: true } } } } });
    const asked = await stage.say(GENERAL, { text: 'a question', mention: true });
    const thread = { ...GENERAL, threadId: asked };
    await stage.said(thread, 1);
    await stage.say(thread, { text: 'and another' });
    await stage.said(thread, 2);
    assert.match(told(stage.gateway), /a question[\s\S]*and another/);
    assert.deepEqual(stage.discord.seen(GENERAL), []);
  });

  it('reads a file that comes with a message', async () => {
    await using stage = await open();
    await stage.say(DIRECT, { text: 'what does it say', file: { name: 'note.txt', mime: 'text/plain', data: Buffer.from('the answer is 42') } });
    await stage.said(DIRECT, 1);
    assert.match(told(stage.gateway), /the answer is 42/);
  });

  it('does what a slash command says, and answers where only its author sees it', async () => {
    await using stage = await open();
    const registered = await until(() => stage.discord.calls.find(({ method, path }) => method === 'PUT' && path.endsWith('/commands')), 'the registration');
    assert.ok(registered.body.some(({ name }: { name: string }) => name === 'status'));
    const token = await stage.discord.interact({ chat: GENERAL, by: ANN, data: { name: 'status', type: 1 } });
    const response = await until(() => stage.discord.responses(token).find(({ loading }) => !loading), 'the answer to the command');
    assert.deepEqual([response.ephemeral, stage.gateway.models.requests.length, stage.discord.seen(GENERAL).length], [true, 0, 0]);
    assert.match(response.content, /\S/);
  });

  it('loses nothing and says nothing twice over a restart', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['answer to before'] });
    await stage.say(DIRECT, { text: 'before' });
    await stage.said(DIRECT, 1);
    stage.gateway.models.reply({ hang: true, text: ['half'] });
    await stage.say(DIRECT, { text: 'during' });
    await until(() => stage.gateway.models.requests.length === 2, 'the model call');
    await stage.gateway.restart({
      async while() {
        stage.gateway.models.reply({ text: ['answer to during'] }, { text: ['answer to away'] });
        await stage.say(DIRECT, { text: 'while away' });
      },
    });
    assert.deepEqual(await stage.said(DIRECT, 3), ['answer to before', 'answer to during', 'answer to away']);
  });

  it('finds out whether an answer arrived when the network took the receipt', async () => {
    await using stage = await open();
    stage.discord.failSends('accepted-timeout', 1);
    stage.gateway.models.reply({ text: ['said once'] }, { text: ['the next'] });
    await stage.say(DIRECT, { text: 'hello' });
    await stage.said(DIRECT, 1);
    await stage.say(DIRECT, { text: 'again' });
    assert.deepEqual(await stage.said(DIRECT, 2), ['said once', 'the next']);
  });
});
