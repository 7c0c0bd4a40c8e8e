/** People on Discord and a whole gateway: who is answered, where, and what a restart in between costs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, CHANNEL, GUILD, THREAD } from '../../src/channels/discord/fake-discord.ts';
import { startFakeDiscord } from '../../src/channels/discord/fake.ts';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { letsStrangerIn, openStage, saysOnceWithoutReceipt, told } from './channel-stage.ts';

const DIRECT: Chat = { kind: 'direct', id: ANN };
const STRANGE: Chat = { kind: 'direct', id: BOB };
const GENERAL: Chat = { kind: 'channel', id: CHANNEL };
const REFUSED: Chat = { kind: 'channel', id: '7009' };

async function open(settings: object = {}) {
  const platform = await startFakeDiscord();
  const guilds = { [GUILD]: { channels: { '*': {}, 7009: { allow: false } } } };
  return openStage({
    channel: 'discord',
    platform,
    ann: ANN,
    settings: { ...platform.config, ...platform.credentials, allowFrom: [ANN], guilds, ...settings },
  });
}

describe('discord', () => {
  it('answers a person in the chat they wrote in', async () => {
    await using stage = await open();
    stage.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await stage.say(DIRECT, { text: 'hello' });
    assert.deepEqual(await stage.said(DIRECT, 1), ['Hello Ann']);
    assert.equal(stage.platform.seen(DIRECT)[0]!.raw, '**Hello** Ann');
    await until(() => stage.platform.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, and answers once that is approved', async () => {
    await using stage = await open();
    await letsStrangerIn(stage, { channel: 'discord', stranger: STRANGE });
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
    assert.deepEqual(
      [(await stage.said(GENERAL, 1)).length, await stage.said(REFUSED, 0), stage.gateway.models.requests.length],
      [1, [], 2],
    );
  });

  it('keeps a thread a conversation of its own, and answers in it', async () => {
    await using stage = await open();
    const thread = { ...GENERAL, threadId: THREAD };
    await stage.say(thread, { text: 'what of it', mention: true });
    await stage.said(thread, 1);
    await using chat = await stage.gateway.connect();
    const { messages } = await chat.call('chat.history', {
      sessionKey: `agent:main:discord:channel:${CHANNEL}:thread:${THREAD}`,
      limit: 5,
    });
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
    assert.deepEqual(stage.platform.seen(GENERAL), []);
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
    const registered = await until(
      () => stage.platform.calls.find(({ method, path }) => method === 'PUT' && path.endsWith('/commands')),
      'the registration',
    );
    assert.ok(registered.body.some(({ name }: { name: string }) => name === 'status'));
    const token = await stage.platform.interact({ chat: GENERAL, by: ANN, data: { name: 'status', type: 1 } });
    const response = await until(
      () => stage.platform.responses(token).find(({ loading }) => !loading),
      'the answer to the command',
    );
    assert.deepEqual(
      [response.ephemeral, stage.gateway.models.requests.length, stage.platform.seen(GENERAL).length],
      [true, 0, 0],
    );
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
    await saysOnceWithoutReceipt(stage, DIRECT);
  });
});
