/** Runs a platform with a connected account for one test. */
import type { ChannelConnection } from '../../core/channel.ts';
import type { ChatAddress, InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { OutboundMessage, ReplyPayload } from '../../core/reply.ts';
import { reachAccount, testAccount, type TestAccount } from '../channel-account.ts';
import type { ChannelContract } from './contract.ts';
import type { Chat, ChannelPlatform } from '../channel-platform.ts';
import { until } from '../until.ts';

export interface Harness extends AsyncDisposable {
  readonly platform: ChannelPlatform;
  readonly fixture: TestAccount;
  readonly connection: ChannelConnection;
  address(chat: Chat): ChatAddress;
  /** Sends one message; the token tells it apart. */
  say(chat: Chat, payload: Partial<ReplyPayload>, token?: string): Promise<readonly string[]>;
  /** The first message received that fits. */
  heard(fits: (message: InboundMessage) => boolean): Promise<InboundMessage>;
}

export async function openHarness(
  { plugin, start }: ChannelContract,
  before?: TestAccount['before'],
): Promise<Harness> {
  const platform = await start();
  const fixture = await testAccount(plugin, { config: platform.config, credentials: platform.credentials });
  reachAccount(platform, fixture);
  fixture.before = before;
  const connection = await fixture.connect();
  const address = ({ threadId, ...chat }: Chat): ChatAddress =>
    present({ channel: plugin.id, accountId: 'default', chat, threadId });
  let count = 0;
  return {
    platform,
    fixture,
    connection,
    address,
    async say(chat, payload, token = `token-${++count}`) {
      return (await connection.send(address(chat), outbound(payload, token))).messageIds;
    },
    heard: (fits) => until(() => fixture.received.find(fits), 'a message that fits'),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

export const outbound = (payload: Partial<ReplyPayload>, token: string): OutboundMessage => ({
  token,
  runId: token,
  sessionKey: 'agent:main:main',
  payload: { kind: 'final', ...payload },
});
