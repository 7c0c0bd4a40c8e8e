/** Telegram with a whole gateway: who is answered and where, and the effects of a restart. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import { until } from '../../src/testing/until.ts';
import { letsStrangerIn, openHarness, requested } from './channel-harness.ts';

const ANN: Chat = { kind: 'direct', id: '501' };
const EVE: Chat = { kind: 'direct', id: '666' };
const GROUP: Chat = { kind: 'group', id: '-1001' };
const TOPIC: Chat = { kind: 'group', id: '-1002', threadId: '42' };

async function open(settings: object = {}) {
  const platform = await startFakeTelegram({ forums: ['-1002'] });
  return openHarness({
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
    await using harness = await open();
    harness.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await harness.say(ANN, { text: 'hello' });
    assert.deepEqual(await harness.said(ANN, 1), ['Hello Ann']);
    assert.equal(harness.platform.seen(ANN)[0]!.replyTo, asked);
    await until(() => harness.platform.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, G230 and the approved no group', async () => {
    await using harness = await open();
    await letsStrangerIn(harness, { channel: 'telegram', stranger: EVE });
    await harness.say(GROUP, { by: '666', text: 'and here', mention: true });
    await harness.say(ANN, { text: 'a marker' });
    await harness.said(ANN, 1);
    assert.deepEqual(await harness.said(GROUP, 0), []);
  });

  it('takes the press of whoever may approve for an approval, and of nobody else', async () => {
    await using harness = await open({ groups: { '*': { requireMention: false } }, groupAllowFrom: ['501', '666'] });
    const call = { calls: [{ id: 'c', name: 'bash', args: { command: 'touch pressed.txt' } }] };
    harness.gateway.models.reply(call, { text: ['Done.'] });
    await harness.say(GROUP, { text: 'make it' });
    const asked = await until(() => harness.platform.seen(GROUP).find(({ text }) => text.includes('Approval needed')));
    await harness.platform.press!(GROUP, asked.id, 'Allow once', EVE.id);
    const says = (fits: RegExp) => () => harness.platform.seen(GROUP).some(({ text }) => fits.test(text));
    await until(says(/you may not answer approvals here.*"666"/), 'the refusal');
    await harness.platform.press!(GROUP, asked.id, 'Allow once', ANN.id);
    await until(says(/^Done\.$/), 'the end of the turn');
    await harness.platform.press!(GROUP, asked.id, 'Deny', ANN.id);
    await harness.say(ANN, { text: 'a marker' });
    await harness.said(ANN, 1);
    const texts = harness.platform.seen(GROUP).map(({ text }) => text);
    assert.match(texts[2]!, /Approved \w+ \(allow-once\)/);
    assert.equal(texts.length, 4, 'a press below an answered question says nothing more');
  });

  it('answers in a group when mentioned, told what was said before', async () => {
    await using harness = await open();
    await harness.say(GROUP, { text: 'lunch at noon' });
    await harness.say(GROUP, { text: 'when was it', mention: true });
    await harness.said(GROUP, 1);
    assert.match(requested(harness.gateway), /lunch at noon[\s\S]*when was it/);
    assert.equal(harness.gateway.models.requests.length, 1);
  });

  it('G22 keeps a topic a conversation of its own, and answers in it', async () => {
    await using harness = await open();
    await harness.say(TOPIC, { text: 'in the topic', mention: true });
    await harness.said(TOPIC, 1);
    assert.equal(harness.platform.seen(TOPIC)[0]!.threadId, '42');
    await using chat = await harness.gateway.connect();
    const { messages } = await chat.call('chat.history', {
      sessionKey: 'agent:main:telegram:group:-1002:topic:42',
      limit: 5,
    });
    assert.match(JSON.stringify(messages), /in the topic/);
  });

  it('reads a file that comes with a message', async () => {
    await using harness = await open();
    await harness.say(ANN, {
      text: 'sum this',
      file: { name: 'sums.csv', mime: 'text/csv', data: Buffer.from('a,b\n1,2\n') },
    });
    await harness.said(ANN, 1);
    assert.match(requested(harness.gateway), /sums\.csv[\s\S]*a,b/);
  });

  it('obeys a command of those who may, and has put it into the menu', async () => {
    await using harness = await open();
    await until(() => harness.platform.commands.some(({ command }) => command === 'status'));
    await harness.say(ANN, { text: '/whoami' });
    assert.match((await harness.said(ANN, 1))[0]!, /501/);
    await harness.say(GROUP, { text: '/whoami@other_bot' });
    await harness.say(GROUP, { text: '/whoami@test_bot' });
    assert.match((await harness.said(GROUP, 1))[0]!, /501/);
    assert.equal(harness.gateway.models.requests.length, 0);
  });

  it('G218 a press of a button and a reaction reach the agent', async () => {
    await using harness = await open();
    await harness.say(ANN, { text: 'ask me' });
    await harness.said(ANN, 1);
    const { id } = harness.platform.seen(ANN)[0]!;
    await harness.platform.react(ANN, id, '👍', '501');
    harness.platform.push({
      callback_query: {
        id: 'cb1',
        from: { id: 501, is_bot: false, first_name: 'Ann' },
        data: 'yes',
        message: { message_id: Number(id), date: 1, chat: { id: 501, type: 'private' } },
      },
    });
    await harness.said(ANN, 2);
    assert.match(requested(harness.gateway), /reacted with 👍[\s\S]*callback_data: yes/);
  });

  it('loses nothing that was said while it was away, and says nothing twice', async () => {
    await using harness = await open();
    const first = await harness.say(ANN, { text: 'before' });
    await harness.said(ANN, 1);
    await harness.gateway.restart({ while: async () => void (await harness.say(ANN, { text: 'meanwhile' })) });
    await harness.said(ANN, 2);
    await harness.platform.redeliver(first);
    await harness.say(ANN, { text: 'after' });
    await harness.said(ANN, 3);
    assert.equal(harness.gateway.models.requests.length, 3);
  });

  it('shows the answer while it is written, in one message', async () => {
    await using harness = await open({ streaming: 'preview' });
    harness.gateway.models.reply({ text: ['one ', 'two ', 'three'] });
    await harness.say(ANN, { text: 'count' });
    await until(() => harness.platform.seen(ANN).some(({ text }) => text === 'one two three'));
    assert.equal(harness.platform.seen(ANN).length, 1);
  });

  it('offers the words a command takes as buttons, and answers a press on one that is too old', async () => {
    await using harness = await open();
    const { platform } = harness;
    await harness.say(ANN, { text: '/think' });
    await until(() => platform.seen(ANN)[0]?.id, 'the menu');
    await platform.press!(ANN, platform.seen(ANN)[0]!.id, 'high', '501');
    assert.equal((await harness.said(ANN, 2))[1], '⚙️ Thinking: high.');
    platform.push({
      callback_query: {
        id: 'late',
        from: { id: 501, is_bot: false, first_name: 'Ann' },
        data: 'choice:of-an-earlier-life',
        message: platform.message({ chat: ANN, by: '501', text: 'a question' }),
      },
    });
    assert.match((await harness.said(ANN, 3))[2]!, /This button no longer counts/);
    assert.equal(harness.gateway.models.requests.length, 0);
  });

  it('takes posts of a webhook on its own port', async () => {
    await using harness = await open({ webhookUrl: 'http://127.0.0.1:9/hooks/tg', webhookSecret: 'hook-secret' });
    await until(() => harness.platform.webhook);
    const message = harness.platform.message({ chat: ANN, by: '501', text: 'posted' });
    const post = (secret: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${harness.gateway.instance.port}/hooks/tg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify({ update_id: 7, message }),
      });
    assert.deepEqual([(await post('wrong')).status, (await post('hook-secret')).status], [401, 200]);
    await harness.said(ANN, 1);
  });

  it('a token nobody knows degrades this channel alone, and the fix is named', async () => {
    await using harness = await open({ botToken: '1:wrong-test-token' });
    await using chat = await harness.gateway.connect();
    const account = await until(async () => {
      const status = await chat.call('channels.status', { probe: false });
      return JSON.stringify(status).includes('BotFather') && status;
    });
    assert.ok(!JSON.stringify(account).includes('wrong-test-token'));
    assert.equal(await chat.say('still there?'), 'ok');
  });
});
