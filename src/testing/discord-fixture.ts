/** A running Discord channel with its fake server and chats. */
import type { ChannelConnection, NativeCommand } from '../core/channel.ts';
import type { ChatAddress, InboundMessage } from '../core/message.ts';
import type { ReplyPayload } from '../core/reply.ts';
import { testAccount, type TestAccount } from './channel-account.ts';
import { until } from './until.ts';
import { ANN, CHANNEL, type FakeDiscord } from '../channels/discord/fake-discord.ts';
import { startFakeDiscord } from '../channels/discord/fake.ts';
import discord from '../channels/discord/index.ts';

export interface Fixture extends AsyncDisposable {
  readonly fake: FakeDiscord;
  readonly fixture: TestAccount;
  readonly connection: ChannelConnection;
  say(to: ChatAddress, payload: Partial<ReplyPayload>, token?: string): Promise<string>;
  heard(fits: (message: InboundMessage) => boolean): Promise<InboundMessage>;
}

export async function fixture({
  config = {},
  commands = [],
  before,
}: {
  config?: object;
  commands?: readonly NativeCommand[];
  before?: (fake: FakeDiscord) => void;
} = {}): Promise<Fixture> {
  const fake = await startFakeDiscord();
  before?.(fake);
  const context = await testAccount(discord, {
    config: { ...fake.config, ...config },
    credentials: fake.credentials,
    commands,
  });
  const connection = await context.connect();
  let count = 0;
  return {
    fake,
    fixture: context,
    connection,
    say: async (to, payload, token = `t${++count}`) =>
      (
        await connection.send(to, {
          token,
          runId: token,
          sessionKey: 'agent:main:main',
          payload: { kind: 'final', ...payload },
        })
      ).messageIds[0]!,
    heard: (fits) => until(() => context.received.find(fits), 'a message that fits'),
    async [Symbol.asyncDispose]() {
      await context[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

export const general = { kind: 'channel', id: CHANNEL } as const;

export const ann = { kind: 'direct', id: ANN } as const;

export const to = (chat: ChatAddress['chat'], more: Partial<ChatAddress> = {}): ChatAddress => ({
  channel: 'discord',
  accountId: 'default',
  chat,
  ...more,
});
