/** People on Slack and a whole gateway: who is answered, where, and what a restart in between costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chat, Said } from '../../src/testing/channel-platform.ts';
import { startFakeSlack, type FakeSlack } from '../../src/channels/slack/fake.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const ANN = 'U0ANN00001';
const EVE = 'U0EVE00001';
const DIRECT: Chat = { kind: 'direct', id: ANN };
const STRANGE: Chat = { kind: 'direct', id: EVE };
const GENERAL: Chat = { kind: 'channel', id: 'C0GENERAL1' };
const REFUSED: Chat = { kind: 'channel', id: 'C0REFUSED1' };

interface Stage extends AsyncDisposable { readonly slack: FakeSlack; readonly gateway: RunningGateway; say(chat: Chat, said: Omit<Said, 'chat' | 'by'> & { by?: string }): Promise<string>; said(chat: Chat, count: number): Promise<readonly string[]> }

async function open(settings: object = {}): Promise<Stage> {
  const slack = await startFakeSlack();
  const { userToken: _, ...credentials } = slack.credentials;
  const gateway = await startGateway({ config: { channels: { slack: { ...slack.config, ...credentials, allowFrom: [ANN], channels: { '*': {}, C0REFUSED1: { allow: false } }, ...settings } }, messages: { queue: { mode: 'followup' } } } });
  const texts = (chat: Chat): string[] => slack.seen(chat).map(({ text }) => text);
  await using chat = await gateway.connect();
  await until(async () => (await chat.call('channels.status', {})).channelAccounts?.slack?.some(({ connected }: { connected?: boolean }) => connected), 'the connection to Slack');
  return {
    slack, gateway,
    say: (where, { by = ANN, ...said }) => slack.write({ chat: where, by, ...said }),
    said: async (where, count) => (await until(() => texts(where).length >= count, `${count} messages in ${where.id}`), texts(where)),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await slack[Symbol.asyncDispose]();
    },
  };
}

/** What the model was given last. */
const told = ({ models }: RunningGateway): string => JSON.stringify((models.requests.at(-1)!.body as { messages: unknown }).messages);

describe('slack', () => {
  it('answers a person in the chat they wrote in', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await stage.say(DIRECT, { text: 'hello', name: 'Ann' });
    assert.deepEqual(await stage.said(DIRECT, 1), ['*Hello* Ann']);
    await until(() => stage.slack.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, and answers once that is approved', async () => {
    await using stage = await open();
    for (const text of ['let me in', 'please']) await stage.say(STRANGE, { by: EVE, text });
    const [code = ''] = await stage.said(STRANGE, 1);
    const [, secret] = /pairing approve slack ([A-Z2-9]{8})/.exec(code) ?? [];
    assert.match(code, new RegExp(EVE));
    await using chat = await stage.gateway.connect();
    await chat.call('channel.pairing.approve', { channel: 'slack', code: secret });
    const before = (await stage.said(STRANGE, 1)).length;
    await stage.say(STRANGE, { by: EVE, text: 'now' });
    await stage.said(STRANGE, before + 1);
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
    assert.deepEqual([(await stage.said(GENERAL, 1)).length, await stage.said(REFUSED, 0), stage.gateway.models.requests.length], [1, [], 2]);
  });

  it('G26 keeps a thread a conversation of its own, and answers in it', async () => {
    await using stage = await open();
    const root = await stage.say(GENERAL, { text: 'a plan', by: EVE, name: 'Eve' });
    await stage.say({ ...GENERAL, threadId: root }, { text: 'what of it', mention: true });
    const inThread = { ...GENERAL, threadId: root };
    await stage.said(inThread, 1);
    assert.equal(stage.slack.seen(inThread)[0]!.threadId, root);
    await using chat = await stage.gateway.connect();
    const { messages } = await chat.call('chat.history', { sessionKey: `agent:main:slack:channel:c0general1:thread:${root}`, limit: 5 });
    assert.match(JSON.stringify(messages), /what of it/);
    assert.match(told(stage.gateway), /a plan/);
  });

  it('opens a thread with its answers where it is told to', async () => {
    await using stage = await open({ replyToMode: 'all' });
    const asked = await stage.say(GENERAL, { text: 'hello', mention: true });
    await stage.said(GENERAL, 1);
    assert.equal(stage.slack.seen(GENERAL)[0]!.threadId, asked);
  });

  it('reads a file that comes with a message', async () => {
    await using stage = await open();
    await stage.say(DIRECT, { text: 'what does it say', file: { name: 'note.txt', mime: 'text/plain', data: Buffer.from('the answer is 42') } });
    await stage.said(DIRECT, 1);
    assert.match(told(stage.gateway), /the answer is 42/);
  });

  it('does what a slash command says, and answers where only its author sees it', async () => {
    await using stage = await open();
    await stage.slack.slash({ by: ANN, chat: GENERAL, text: 'status' });
    const { body } = await until(() => stage.slack.responses[0], 'the answer to the command');
    assert.deepEqual([body['response_type'], stage.gateway.models.requests.length, stage.slack.seen(GENERAL).length], ['ephemeral', 0, 0]);
    await stage.slack.slash({ by: ANN, chat: GENERAL, text: 'hello' });
    await until(() => stage.slack.responses.some((one) => one.body['text'] === 'ok'), 'the answer of the agent');
  });

  it('takes signed posts of Slack on the gateway’s own port', async () => {
    await using stage = await open({ mode: 'http' });
    stage.slack.webhook = `http://127.0.0.1:${stage.gateway.life.port}/slack/events`;
    const asked = await stage.say(DIRECT, { text: 'over http' });
    assert.ok(stage.slack.acknowledged.includes(asked));
    assert.deepEqual(await stage.said(DIRECT, 1), ['ok']);
    const forged = await fetch(stage.slack.webhook, { method: 'POST', body: '{"type":"url_verification","challenge":"x"}' });
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
    stage.slack.failSends('accepted-timeout', 1);
    stage.gateway.models.reply({ text: ['said once'] }, { text: ['the next'] });
    await stage.say(DIRECT, { text: 'hello' });
    await stage.said(DIRECT, 1);
    await stage.say(DIRECT, { text: 'again' });
    assert.deepEqual(await stage.said(DIRECT, 2), ['said once', 'the next']);
  });
});
