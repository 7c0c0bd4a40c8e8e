/** Discord with a whole gateway: who is answered and where, and the effects of a restart. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN, BOB, CHANNEL, GUILD, THREAD } from '../../src/channels/discord/fake-discord.ts';
import { startFakeDiscord } from '../../src/channels/discord/fake.ts';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { letsStrangerIn, openHarness, saysOnceWithoutReceipt, requested } from './channel-harness.ts';

const DIRECT: Chat = { kind: 'direct', id: ANN };
const STRANGE: Chat = { kind: 'direct', id: BOB };
const GENERAL: Chat = { kind: 'channel', id: CHANNEL };
const REFUSED: Chat = { kind: 'channel', id: '7009' };

async function open(settings: object = {}) {
  const platform = await startFakeDiscord();
  const guilds = { [GUILD]: { channels: { '*': {}, 7009: { allow: false } } } };
  return openHarness({
    channel: 'discord',
    platform,
    ann: ANN,
    settings: { ...platform.config, ...platform.credentials, allowFrom: [ANN], guilds, ...settings },
  });
}

describe('discord', () => {
  it('answers a person in the chat they wrote in', async () => {
    await using harness = await open();
    harness.gateway.models.reply({ text: ['**Hello** Ann'] });
    const asked = await harness.say(DIRECT, { text: 'hello' });
    assert.deepEqual(await harness.said(DIRECT, 1), ['Hello Ann']);
    assert.equal(harness.platform.seen(DIRECT)[0]!.raw, '**Hello** Ann');
    await until(() => harness.platform.acknowledged.includes(asked));
  });

  it('G205 gives a stranger one code, and answers once that is approved', async () => {
    await using harness = await open();
    await letsStrangerIn(harness, { channel: 'discord', stranger: STRANGE });
  });

  it('G219 answers a mention in a channel once, told what was said before, and in no channel that is refused', async () => {
    await using harness = await open();
    await harness.say(REFUSED, { text: 'here?', mention: true });
    await harness.say(GENERAL, { text: 'lunch at noon', by: BOB });
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

  it('keeps a thread a conversation of its own, and answers in it', async () => {
    await using harness = await open();
    const thread = { ...GENERAL, threadId: THREAD };
    await harness.say(thread, { text: 'what of it', mention: true });
    await harness.said(thread, 1);
    await using chat = await harness.gateway.connect();
    const { messages } = await chat.call('chat.history', {
      sessionKey: `agent:main:discord:channel:${CHANNEL}:thread:${THREAD}`,
      limit: 5,
    });
    assert.match(JSON.stringify(messages), /what of it/);
  });

  it('G220 opens a thread for its answer and goes on in it without being mentioned', async () => {
    await using harness = await open({ guilds: { [GUILD]: { channels: { [CHANNEL]: { autoThread: true } } } } });
    const asked = await harness.say(GENERAL, { text: 'a question', mention: true });
    const thread = { ...GENERAL, threadId: asked };
    await harness.said(thread, 1);
    await harness.say(thread, { text: 'and another' });
    await harness.said(thread, 2);
    assert.match(requested(harness.gateway), /a question[\s\S]*and another/);
    assert.deepEqual(harness.platform.seen(GENERAL), []);
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
    const registered = await until(
      () => harness.platform.calls.find(({ method, path }) => method === 'PUT' && path.endsWith('/commands')),
      'the registration',
    );
    assert.ok(registered.body.some(({ name }: { name: string }) => name === 'status'));
    const token = await harness.platform.interact({ chat: GENERAL, by: ANN, data: { name: 'status', type: 1 } });
    const response = await until(
      () => harness.platform.responses(token).find(({ loading }) => !loading),
      'the answer to the command',
    );
    assert.deepEqual(
      [response.ephemeral, harness.gateway.models.requests.length, harness.platform.seen(GENERAL).length],
      [true, 0, 0],
    );
    assert.match(response.content, /\S/);
  });

  it('T211b sends by the discord tool like an answer: split, the first part a reply, not said again', async () => {
    await using harness = await open();
    const words = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    const asked = await harness.say(GENERAL, { text: 'tell them', mention: true });
    const send = { action: 'sendMessage', content: words, replyTo: asked };
    harness.gateway.models.reply({ calls: [{ id: 'c1', name: 'discord', args: send }] }, { text: [words] });
    await harness.said(GENERAL, 2);
    await harness.say(DIRECT, { text: 'a marker' });
    await harness.said(DIRECT, 1);
    assert.deepEqual(
      harness.platform.seen(GENERAL).map(({ text, replyTo }) => [text.split('\n').length < 18, replyTo]),
      [
        [true, asked],
        [true, undefined],
      ],
    );
    const offered = JSON.stringify(harness.gateway.models.requests[0]!.body.tools);
    assert.match(offered, /"name":"discord"/);
    assert.doesNotMatch(offered, /roleAdd/);
  });

  it('loses nothing and says nothing twice over a restart', async () => {
    await using harness = await open();
    harness.gateway.models.reply({ text: ['answer to before'] });
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
    assert.deepEqual(await harness.said(DIRECT, 3), ['answer to before', 'answer to during', 'answer to away']);
  });

  it('finds out whether an answer arrived when the network took the receipt', async () => {
    await using harness = await open();
    await saysOnceWithoutReceipt(harness, DIRECT);
  });
});
