/**
 * Runs a whole gateway with the fake platform of one channel and its users; the cases every channel must pass are here.
 */
import assert from 'node:assert/strict';
import type { ChannelPlatform, Chat, Said } from '../../src/testing/channel-platform.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

export interface ChannelHarness<P extends ChannelPlatform> extends AsyncDisposable {
  readonly platform: P;
  readonly gateway: RunningGateway;
  /** By Ann, unless somebody else is named. */
  say(chat: Chat, said: Omit<Said, 'chat' | 'by'> & { readonly by?: string }): Promise<string>;
  /** What the bot said there, once there are so many messages. */
  said(chat: Chat, count: number): Promise<readonly string[]>;
}

export interface HarnessOptions<P extends ChannelPlatform> {
  readonly channel: string;
  /** Closed with the harness. */
  readonly platform: P;
  readonly settings: object;
  /** Settings beside those of the channel. */
  readonly config?: object;
  /** The id of whoever speaks when nobody is named. */
  readonly ann: string;
  /** False: the test is about an account that may not connect. */
  readonly connected?: boolean;
}

export async function openHarness<P extends ChannelPlatform>({
  channel,
  platform,
  settings,
  config = {},
  ann,
  connected = true,
}: HarnessOptions<P>): Promise<ChannelHarness<P>> {
  const gateway = await startGateway({
    config: { channels: { [channel]: settings }, messages: { queue: { mode: 'followup' } }, ...config },
  });
  const texts = (chat: Chat): string[] => platform.seen(chat).map(({ text }) => text);
  await using chat = await gateway.connect();
  if (connected)
    await until(
      async () =>
        (await chat.call('channels.status', {})).channelAccounts?.[channel]?.some(
          (account: { connected?: boolean }) => account.connected,
        ),
      `the connection to ${channel}`,
    );
  return {
    platform,
    gateway,
    say: (where, { by = ann, ...said }) => platform.write({ chat: where, by, ...said }),
    said: async (where, count) => (
      await until(() => texts(where).length >= count, `${count} messages in ${where.id}`), texts(where)
    ),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

/** What the model was given last. */
export const requested = ({ models }: RunningGateway): string =>
  JSON.stringify((models.requests.at(-1)!.body as { messages: unknown }).messages);

/** Somebody nobody knows gets one code, however often they write; once the owner approves it they are answered. */
export async function letsStrangerIn<P extends ChannelPlatform>(
  { say, said, gateway }: ChannelHarness<P>,
  { channel, stranger }: { readonly channel: string; readonly stranger: Chat },
): Promise<void> {
  const by = stranger.id;
  for (const text of ['let me in', 'please']) await say(stranger, { by, text });
  const [notice = ''] = await said(stranger, 1);
  const [, code] = new RegExp(`pairing approve ${channel} ([A-Z2-9]{8})`).exec(notice) ?? [];
  assert.match(notice, new RegExp(by));
  await using chat = await gateway.connect();
  await chat.call('channel.pairing.approve', { channel, code });
  const before = (await said(stranger, 1)).length;
  await say(stranger, { by, text: 'now' });
  const all = await said(stranger, before + 1);
  assert.equal(all.filter((text) => text.includes('pairing approve')).length, 1);
}

/** A send the platform took, and whose receipt was lost, is found there and not said again. */
export async function saysOnceWithoutReceipt<P extends ChannelPlatform>(
  { say, said, gateway, platform }: ChannelHarness<P>,
  chat: Chat,
): Promise<void> {
  platform.failSends('accepted-timeout', 1);
  gateway.models.reply({ text: ['said once'] }, { text: ['the next'] });
  await say(chat, { text: 'hello' });
  await said(chat, 1);
  await say(chat, { text: 'again' });
  assert.deepEqual(await said(chat, 2), ['said once', 'the next']);
}
