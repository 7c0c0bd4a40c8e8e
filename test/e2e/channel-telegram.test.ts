/** People on Telegram and a whole gateway: who is answered, where, and what a restart in between costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chat, Said } from '../../src/testing/channel-platform.ts';
import { startFakeTelegram, type FakeTelegram } from '../../src/channels/telegram/fake.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const ANN: Chat = { kind: 'direct', id: '501' };
const EVE: Chat = { kind: 'direct', id: '666' };
const GROUP: Chat = { kind: 'group', id: '-1001' };
const TOPIC: Chat = { kind: 'group', id: '-1002', threadId: '42' };

interface Stage extends AsyncDisposable { readonly telegram: FakeTelegram; readonly gateway: RunningGateway; say(chat: Chat, said: Omit<Said, 'chat' | 'by'> & { by?: string }): Promise<string>; said(chat: Chat, count: number): Promise<readonly string[]> }

async function open(settings: object = {}): Promise<Stage> {
  const telegram = await startFakeTelegram({ forums: ['-1002'] });
  const gateway = await startGateway({ config: { channels: { telegram: { ...telegram.config, ...telegram.credentials, allowFrom: ['tg:501'], groupAllowFrom: ['501'], streaming: 'off', groups: { '*': {} }, ...settings } }, messages: { queue: { mode: 'followup' } } } });
  const texts = (chat: Chat): string[] => telegram.seen(chat).map(({ text }) => text);
  return {
    telegram, gateway,
    say: (chat, { by = '501', ...said }) => telegram.write({ chat, by, ...said }),
    said: async (chat, count) => (await until(() => texts(chat).length >= count, `${count} messages in ${chat.id}`), texts(chat)),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await telegram[Symbol.asyncDispose]();
    },
  };
}

/** What the model was given last. */
const told = ({ models }: RunningGateway): string => JSON.stringify((models.requests.at(-1)!.body as { messages: unknown }).messages);

describe('telegram', () => {
  it('answers a person in the chat they wrote in, pointing at their message', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await stage.say(ANN, { text: 'hello' });
    assert.deepEqual(await stage.said(ANN, 1), ['Hello Ann']);
    assert.equal(stage.telegram.seen(ANN)[0]!.replyTo, asked);
    await until(() => stage.telegram.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, G230 and the approved no group', async () => {
    await using stage = await open();
    for (const text of ['let me in', 'please']) await stage.say(EVE, { by: '666', text });
    const [code = ''] = await stage.said(EVE, 1);
    const [, secret] = /pairing approve telegram ([A-Z2-9]{8})/.exec(code) ?? [];
    assert.match(code, /666/);
    await using chat = await stage.gateway.connect();
    await chat.call('channel.pairing.approve', { channel: 'telegram', code: secret });
    const before = (await stage.said(EVE, 1)).length;
    await stage.say(EVE, { by: '666', text: 'now' });
    await stage.said(EVE, before + 1);
    await stage.say(GROUP, { by: '666', text: 'and here', mention: true });
    await stage.say(ANN, { text: 'a marker' });
    await stage.said(ANN, 1);
    assert.deepEqual(await stage.said(GROUP, 0), []);
    assert.equal((await stage.said(EVE, 1)).filter((text) => text.includes('pairing approve')).length, 1);
  });

  it('answers in a group when mentioned, told what was said before', async () => {
    await using stage = await open();
    await stage.say(GROUP, { text: 'lunch at noon' });
    await stage.say(GROUP, { text: 'when was it', mention: true });
    await stage.said(GROUP, 1);
    assert.match(told(stage.gateway), /lunch at noon[\s\S]*when was it/);
    assert.equal(stage.gateway.models.requests.length, 1);
  });

  it('G22 keeps a topic a conversation of its own, and answers in it', async () => {
    await using stage = await open();
    await stage.say(TOPIC, { text: 'in the topic', mention: true });
    await stage.said(TOPIC, 1);
    assert.equal(stage.telegram.seen(TOPIC)[0]!.threadId, '42');
    await using chat = await stage.gateway.connect();
    const { messages } = await chat.call('chat.history', { sessionKey: 'agent:main:telegram:group:-1002:topic:42', limit: 5 });
    assert.match(JSON.stringify(messages), /in the topic/);
  });

  it('reads a file that comes with a message', async () => {
    await using stage = await open();
    await stage.say(ANN, { text: 'sum this', file: { name: 'sums.csv', mime: 'text/csv', data: Buffer.from('a,b\n1,2\n') } });
    await stage.said(ANN, 1);
    assert.match(told(stage.gateway), /sums\.csv[\s\S]*a,b/);
  });

  it('obeys a command of those who may, and has put it into the menu', async () => {
    await using stage = await open();
    await until(() => stage.telegram.commands.some(({ command }) => command === 'status'));
    await stage.say(ANN, { text: '/whoami' });
    assert.match((await stage.said(ANN, 1))[0]!, /501/);
    await stage.say(GROUP, { text: '/whoami@other_bot' });
    await stage.say(GROUP, { text: '/whoami@test_bot' });
    assert.match((await stage.said(GROUP, 1))[0]!, /501/);
    assert.equal(stage.gateway.models.requests.length, 0);
  });

  it('G218 a press of a button and a reaction reach the agent', async () => {
    await using stage = await open();
    await stage.say(ANN, { text: 'ask me' });
    await stage.said(ANN, 1);
    const { id } = stage.telegram.seen(ANN)[0]!;
    await stage.telegram.react(ANN, id, '👍', '501');
    stage.telegram.push({ callback_query: { id: 'cb1', from: { id: 501, is_bot: false, first_name: 'Ann' }, data: 'yes', message: { message_id: Number(id), date: 1, chat: { id: 501, type: 'private' } } } });
    await stage.said(ANN, 2);
    assert.match(told(stage.gateway), /reacted with 👍[\s\S]*callback_data: yes/);
  });

  it('loses nothing that was said while it was away, and says nothing twice', async () => {
    await using stage = await open();
    const first = await stage.say(ANN, { text: 'before' });
    await stage.said(ANN, 1);
    await stage.gateway.restart({ while: async () => void await stage.say(ANN, { text: 'meanwhile' }) });
    await stage.said(ANN, 2);
    await stage.telegram.redeliver(first);
    await stage.say(ANN, { text: 'after' });
    await stage.said(ANN, 3);
    assert.equal(stage.gateway.models.requests.length, 3);
  });

  it('shows the answer while it is written, in one message', async () => {
    await using stage = await open({ streaming: 'preview' });
    stage.gateway.models.reply({ text: ['one ', 'two ', 'three'] });
    await stage.say(ANN, { text: 'count' });
    await until(() => stage.telegram.seen(ANN).some(({ text }) => text === 'one two three'));
    assert.equal(stage.telegram.seen(ANN).length, 1);
  });

  it('takes posts of a webhook on its own port', async () => {
    await using stage = await open({ webhookUrl: 'http://127.0.0.1:9/hooks/tg', webhookSecret: 'hook-secret' });
    await until(() => stage.telegram.webhook);
    const message = stage.telegram.message({ chat: ANN, by: '501', text: 'posted' });
    const post = (secret: string): Promise<Response> => fetch(`http://127.0.0.1:${stage.gateway.life.port}/hooks/tg`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }, body: JSON.stringify({ update_id: 7, message }) });
    assert.deepEqual([(await post('wrong')).status, (await post('hook-secret')).status], [401, 200]);
    await stage.said(ANN, 1);
  });

  it('a token nobody knows degrades this channel alone, and the fix is named', async () => {
    await using stage = await open({ botToken: '1:wrong-test-token' });
    await using chat = await stage.gateway.connect();
    const account = await until(async () => {
      const status = await chat.call('channels.status', { probe: false });
      return JSON.stringify(status).includes('BotFather') && status;
    });
    assert.ok(!JSON.stringify(account).includes('wrong-test-token'));
    assert.equal(await chat.say('still there?'), 'ok');
  });
});
