/** People on Slack and a whole gateway: who is answered, where, and what a restart in between costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startFakeSlack } from '../../src/channels/slack/fake.ts';
import { until } from '../../src/testing/until.ts';
import { letsStrangerIn, openStage, saysOnceWithoutReceipt, told } from './channel-stage.ts';

const ANN = 'U0ANN00001';
const EVE = 'U0EVE00001';
const DIRECT: Chat = { kind: 'direct', id: ANN };
const STRANGE: Chat = { kind: 'direct', id: EVE };
const GENERAL: Chat = { kind: 'channel', id: 'C0GENERAL1' };
const REFUSED: Chat = { kind: 'channel', id: 'C0REFUSED1' };

async function open(settings: object = {}) {
  const platform = await startFakeSlack();
  const { userToken: _, ...credentials } = platform.credentials;
  return openStage({
    channel: 'slack',
    platform,
    ann: ANN,
    settings: {
      ...platform.config,
      ...credentials,
      allowFrom: [ANN],
      channels: { '*': {}, C0REFUSED1: { allow: false } },
      ...settings,
    },
  });
}

describe('slack', () => {
  it('answers a person in the chat they wrote in', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await stage.say(DIRECT, { text: 'hello', name: 'Ann' });
    assert.deepEqual(await stage.said(DIRECT, 1), ['*Hello* Ann']);
    await until(() => stage.platform.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, and answers once that is approved', async () => {
    await using stage = await open();
    await letsStrangerIn(stage, { channel: 'slack', stranger: STRANGE });
  });

  it('answers a mention in a channel once, told what was said before, and in no channel that is refused', async () => {
    await using stage = await open();
    await stage.say(REFUSED, { text: 'here?', mention: true });
    await stage.say(GENERAL, { text: 'lunch at noon', by: EVE });
    await stage.say(GENERAL, { text: 'when was it', mention: true });
    await stage.said(GENERAL, 1);
    assert.match(told(stage.gateway), /lunch at noon[\s\S]*when was it/);
    await stage.say(DIRECT, { text: 'a marker' });
    await stage.said(DIRECT, 1);
    assert.deepEqual(
      [(await stage.said(GENERAL, 1)).length, await stage.said(REFUSED, 0), stage.gateway.models.requests.length],
      [1, [], 2],
    );
  });

  it('G26 keeps a thread a conversation of its own, and answers in it', async () => {
    await using stage = await open();
    const root = await stage.say(GENERAL, { text: 'a plan', by: EVE, name: 'Eve' });
    await stage.say({ ...GENERAL, threadId: root }, { text: 'what of it', mention: true });
    const inThread = { ...GENERAL, threadId: root };
    await stage.said(inThread, 1);
    assert.equal(stage.platform.seen(inThread)[0]!.threadId, root);
    await using chat = await stage.gateway.connect();
    const { messages } = await chat.call('chat.history', {
      sessionKey: `agent:main:slack:channel:c0general1:thread:${root}`,
      limit: 5,
    });
    assert.match(JSON.stringify(messages), /what of it/);
    assert.match(told(stage.gateway), /a plan/);
  });

  it('opens a thread with its answers where it is told to', async () => {
    await using stage = await open({ replyToMode: 'all' });
    const asked = await stage.say(GENERAL, { text: 'hello', mention: true });
    await stage.said(GENERAL, 1);
    assert.equal(stage.platform.seen(GENERAL)[0]!.threadId, asked);
  });

  it('reads a file that comes with a message', async () => {
    await using stage = await open();
    await stage.say(DIRECT, {
      text: 'what does it say',
      file: { name: 'note.txt', mime: 'text/plain', data: Buffer.from('the answer is 42') },
    });
    await stage.said(DIRECT, 1);
    assert.match(told(stage.gateway), /the answer is 42/);
  });

  it('does what a slash command says, and answers where only its author sees it', async () => {
    await using stage = await open();
    await stage.platform.slash({ by: ANN, chat: GENERAL, text: 'status' });
    const { body } = await until(() => stage.platform.responses[0], 'the answer to the command');
    assert.deepEqual(
      [body['response_type'], stage.gateway.models.requests.length, stage.platform.seen(GENERAL).length],
      ['ephemeral', 0, 0],
    );
    await stage.platform.slash({ by: ANN, chat: GENERAL, text: 'hello' });
    await until(() => stage.platform.responses.some((one) => one.body['text'] === 'ok'), 'the answer of the agent');
  });

  it('takes signed posts of Slack on the gateway’s own port', async () => {
    await using stage = await open({ mode: 'http' });
    stage.platform.webhook = `http://127.0.0.1:${stage.gateway.life.port}/slack/events`;
    const asked = await stage.say(DIRECT, { text: 'over http' });
    assert.ok(stage.platform.acknowledged.includes(asked));
    assert.deepEqual(await stage.said(DIRECT, 1), ['ok']);
    const forged = await fetch(stage.platform.webhook, {
      method: 'POST',
      body: '{"type":"url_verification","challenge":"x"}',
    });
    assert.equal(forged.status, 401);
  });

  it('loses nothing and says nothing twice over a restart', async () => {
    await using stage = await open();
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
    assert.deepEqual(await stage.said(DIRECT, 3), ['ok', 'answer to during', 'answer to away']);
  });

  it('finds out whether an answer arrived when the network took the receipt', async () => {
    await using stage = await open();
    await saysOnceWithoutReceipt(stage, DIRECT);
  });
});
