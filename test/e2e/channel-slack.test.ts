/** Slack with a whole gateway: who is answered and where, and the effects of a restart. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startFakeSlack } from '../../src/channels/slack/fake.ts';
import { until } from '../../src/testing/until.ts';
import { letsStrangerIn, openHarness, saysOnceWithoutReceipt, requested } from './channel-harness.ts';

const ANN = 'U0ANN00001';
const EVE = 'U0EVE00001';
const DIRECT: Chat = { kind: 'direct', id: ANN };
const STRANGE: Chat = { kind: 'direct', id: EVE };
const GENERAL: Chat = { kind: 'channel', id: 'C0GENERAL1' };
const REFUSED: Chat = { kind: 'channel', id: 'C0REFUSED1' };

async function open(settings: object = {}) {
  const platform = await startFakeSlack();
  const { userToken: _, ...credentials } = platform.credentials;
  return openHarness({
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
    await using harness = await open();
    harness.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await harness.say(DIRECT, { text: 'hello', name: 'Ann' });
    assert.deepEqual(await harness.said(DIRECT, 1), ['*Hello* Ann']);
    await until(() => harness.platform.acknowledged.includes(asked));
  });

  it('offers the words a command takes as buttons; a press is the command', async () => {
    await using harness = await open();
    const { platform } = harness;
    await harness.say(DIRECT, { text: '/reasoning' });
    const menu = await until(() => platform.seen(DIRECT)[0]?.id, 'the menu');
    await platform.press!(DIRECT, menu, 'stream', ANN);
    assert.equal((await harness.said(DIRECT, 2))[1], '⚙️ Reasoning: stream.');
    assert.equal(harness.gateway.models.requests.length, 0);
  });

  it('G205 gives a stranger one code, and answers once that is approved', async () => {
    await using harness = await open();
    await letsStrangerIn(harness, { channel: 'slack', stranger: STRANGE });
  });

  it('answers a mention in a channel once, told what was said before, and in no channel that is refused', async () => {
    await using harness = await open();
    await harness.say(REFUSED, { text: 'here?', mention: true });
    await harness.say(GENERAL, { text: 'lunch at noon', by: EVE });
    await harness.say(GENERAL, { text: 'when was it', mention: true });
    await harness.said(GENERAL, 1);
    assert.match(requested(harness.gateway), /lunch at noon[\s\S]*when was it/);
    await harness.say(DIRECT, { text: 'a marker' });
    await harness.said(DIRECT, 1);
    assert.deepEqual(
      [(await harness.said(GENERAL, 1)).length, await harness.said(REFUSED, 0), harness.gateway.models.requests.length],
      [1, [], 2],
    );
  });

  it('G26 keeps a thread a conversation of its own, and answers in it', async () => {
    await using harness = await open();
    const root = await harness.say(GENERAL, { text: 'a plan', by: EVE, name: 'Eve' });
    await harness.say({ ...GENERAL, threadId: root }, { text: 'what of it', mention: true });
    const inThread = { ...GENERAL, threadId: root };
    await harness.said(inThread, 1);
    assert.equal(harness.platform.seen(inThread)[0]!.threadId, root);
    await using chat = await harness.gateway.connect();
    const { messages } = await chat.call('chat.history', {
      sessionKey: `agent:main:slack:channel:c0general1:thread:${root}`,
      limit: 5,
    });
    assert.match(JSON.stringify(messages), /what of it/);
    assert.match(requested(harness.gateway), /a plan/);
  });

  it('G26 begins a thread with the conversation of its channel where it is told to, once', async () => {
    await using harness = await open({ thread: { inheritParent: true } });
    harness.gateway.models.reply({ text: ['It is blue.'] }, { text: ['Blue.'] }, { text: ['Green now.'] });
    const root = await harness.say(GENERAL, { text: 'what colour', mention: true });
    await harness.said(GENERAL, 1);
    await harness.say({ ...GENERAL, threadId: root }, { text: 'parrotword', mention: true });
    await harness.said({ ...GENERAL, threadId: root }, 1);
    assert.match(requested(harness.gateway), /It is blue\..*parrotword/);
    const asked = (count: number) => until(() => harness.gateway.models.requests.length === count, 'the request');
    await harness.say(GENERAL, { text: 'and what now', mention: true });
    await asked(3);
    assert.doesNotMatch(requested(harness.gateway), /parrotword/, 'the channel hears nothing of the thread');
    await until(() => harness.platform.seen(GENERAL).some(({ text }) => text === 'Green now.'), 'the answer');
    await harness.say({ ...GENERAL, threadId: root }, { text: 'once more', mention: true });
    await asked(4);
    assert.doesNotMatch(requested(harness.gateway), /Green now/, 'what comes later stays there');
  });

  it('opens a thread with its answers where it is told to', async () => {
    await using harness = await open({ replyToMode: 'all' });
    const asked = await harness.say(GENERAL, { text: 'hello', mention: true });
    await harness.said(GENERAL, 1);
    assert.equal(harness.platform.seen(GENERAL)[0]!.threadId, asked);
  });

  it('reads a file that comes with a message', async () => {
    await using harness = await open();
    await harness.say(DIRECT, {
      text: 'what does it say',
      file: { name: 'note.txt', mime: 'text/plain', data: Buffer.from('the answer is 42') },
    });
    await harness.said(DIRECT, 1);
    assert.match(requested(harness.gateway), /the answer is 42/);
  });

  it('does what a slash command says, and answers where only its author sees it', async () => {
    await using harness = await open();
    await harness.platform.slash({ by: ANN, chat: GENERAL, text: 'status' });
    const { body } = await until(() => harness.platform.responses[0], 'the answer to the command');
    assert.deepEqual(
      [body['response_type'], harness.gateway.models.requests.length, harness.platform.seen(GENERAL).length],
      ['ephemeral', 0, 0],
    );
    await harness.platform.slash({ by: ANN, chat: GENERAL, text: 'hello' });
    await until(() => harness.platform.responses.some((one) => one.body['text'] === 'ok'), 'the answer of the agent');
  });

  it('takes signed posts of Slack on the gateway’s own port', async () => {
    await using harness = await open({ mode: 'http' });
    harness.platform.webhook = `http://127.0.0.1:${harness.gateway.instance.port}/slack/events`;
    const asked = await harness.say(DIRECT, { text: 'over http' });
    assert.ok(harness.platform.acknowledged.includes(asked));
    assert.deepEqual(await harness.said(DIRECT, 1), ['ok']);
    const forged = await fetch(harness.platform.webhook, {
      method: 'POST',
      body: '{"type":"url_verification","challenge":"x"}',
    });
    assert.equal(forged.status, 401);
  });

  it('loses nothing and says nothing twice over a restart', async () => {
    await using harness = await open();
    await harness.say(DIRECT, { text: 'before' });
    await harness.said(DIRECT, 1);
    harness.gateway.models.reply({ hang: true, text: ['half'] });
    await harness.say(DIRECT, { text: 'during' });
    await until(() => harness.gateway.models.requests.length === 2, 'the model call');
    await harness.gateway.restart({
      async while() {
        harness.gateway.models.reply({ text: ['answer to during'] }, { text: ['answer to away'] });
        await harness.say(DIRECT, { text: 'while away' });
      },
    });
    assert.deepEqual(await harness.said(DIRECT, 3), ['ok', 'answer to during', 'answer to away']);
  });

  it('finds out whether an answer arrived when the network took the receipt', async () => {
    await using harness = await open();
    await saysOnceWithoutReceipt(harness, DIRECT);
  });
});
