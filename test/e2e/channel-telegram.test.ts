/** People on Telegram and a whole gateway: who is answered, where, and what a restart in between costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import { until } from '../../src/testing/until.ts';
import { letsStrangerIn, openStage, told } from './channel-stage.ts';

const ANN: Chat = { kind: 'direct', id: '501' };
const EVE: Chat = { kind: 'direct', id: '666' };
const GROUP: Chat = { kind: 'group', id: '-1001' };
const TOPIC: Chat = { kind: 'group', id: '-1002', threadId: '42' };

async function open(settings: object = {}) {
  const platform = await startFakeTelegram({ forums: ['-1002'] });
  return openStage({
    channel: 'telegram',
    platform,
    ann: ANN.id,
    connected: false,
    settings: {
      ...platform.config,
      ...platform.credentials,
      allowFrom: ['tg:501'],
      groupAllowFrom: ['501'],
      streaming: 'off',
      groups: { '*': {} },
      ...settings,
    },
  });
}

describe('telegram', () => {
  it('answers a person in the chat they wrote in, pointing at their message', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await stage.say(ANN, { text: 'hello' });
    assert.deepEqual(await stage.said(ANN, 1), ['Hello Ann']);
    assert.equal(stage.platform.seen(ANN)[0]!.replyTo, asked);
    await until(() => stage.platform.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, G230 and the approved no group', async () => {
    await using stage = await open();
    await letsStrangerIn(stage, { channel: 'telegram', stranger: EVE });
    await stage.say(GROUP, { by: '666', text: 'and here', mention: true });
    await stage.say(ANN, { text: 'a marker' });
    await stage.said(ANN, 1);
    assert.deepEqual(await stage.said(GROUP, 0), []);
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
    assert.equal(stage.platform.seen(TOPIC)[0]!.threadId, '42');
    await using chat = await stage.gateway.connect();
    const { messages } = await chat.call('chat.history', {
      sessionKey: 'agent:main:telegram:group:-1002:topic:42',
      limit: 5,
    });
    assert.match(JSON.stringify(messages), /in the topic/);
  });

  it('reads a file that comes with a message', async () => {
    await using stage = await open();
    await stage.say(ANN, {
      text: 'sum this',
      file: { name: 'sums.csv', mime: 'text/csv', data: Buffer.from('a,b\n1,2\n') },
    });
    await stage.said(ANN, 1);
    assert.match(told(stage.gateway), /sums\.csv[\s\S]*a,b/);
  });

  it('obeys a command of those who may, and has put it into the menu', async () => {
    await using stage = await open();
    await until(() => stage.platform.commands.some(({ command }) => command === 'status'));
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
    const { id } = stage.platform.seen(ANN)[0]!;
    await stage.platform.react(ANN, id, '👍', '501');
    stage.platform.push({
      callback_query: {
        id: 'cb1',
        from: { id: 501, is_bot: false, first_name: 'Ann' },
        data: 'yes',
        message: { message_id: Number(id), date: 1, chat: { id: 501, type: 'private' } },
      },
    });
    await stage.said(ANN, 2);
    assert.match(told(stage.gateway), /reacted with 👍[\s\S]*callback_data: yes/);
  });

  it('loses nothing that was said while it was away, and says nothing twice', async () => {
    await using stage = await open();
    const first = await stage.say(ANN, { text: 'before' });
    await stage.said(ANN, 1);
    await stage.gateway.restart({ while: async () => void (await stage.say(ANN, { text: 'meanwhile' })) });
    await stage.said(ANN, 2);
    await stage.platform.redeliver(first);
    await stage.say(ANN, { text: 'after' });
    await stage.said(ANN, 3);
    assert.equal(stage.gateway.models.requests.length, 3);
  });

  it('shows the answer while it is written, in one message', async () => {
    await using stage = await open({ streaming: 'preview' });
    stage.gateway.models.reply({ text: ['one ', 'two ', 'three'] });
    await stage.say(ANN, { text: 'count' });
    await until(() => stage.platform.seen(ANN).some(({ text }) => text === 'one two three'));
    assert.equal(stage.platform.seen(ANN).length, 1);
  });

  it('takes posts of a webhook on its own port', async () => {
    await using stage = await open({ webhookUrl: 'http://127.0.0.1:9/hooks/tg', webhookSecret: 'hook-secret' });
    await until(() => stage.platform.webhook);
    const message = stage.platform.message({ chat: ANN, by: '501', text: 'posted' });
    const post = (secret: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${stage.gateway.life.port}/hooks/tg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify({ update_id: 7, message }),
      });
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
