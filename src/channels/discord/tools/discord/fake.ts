/** Runs the discord tool as in a turn: with access rights, a connected account and a fake server. */
import assert from 'node:assert/strict';
import type { Opening } from '../../../../core/access-table.ts';
import type { ChatAddress } from '../../../../core/message.ts';
import type { ToolContext, ToolResult } from '../../../../core/tool.ts';
import { textOf } from '../../../../core/transcript.ts';
import type { Turn } from '../../../../core/turn.ts';
import { messageToolSchema } from '../../../../config/message-tool-config.ts';
import { createToolMessaging } from '../../../../tool-methods/tool-messaging.ts';
import { testAccount } from '../../../../testing/channel-account.ts';
import { channelFixture } from '../../../../testing/channel-fixture.ts';
import { peopleAuthority } from '../../../../testing/sample-authority.ts';
import { runTool, toolContext } from '../../../../testing/tool-contract.ts';
import { ANN, CHANNEL } from '../../fake-discord.ts';
import { keepServer } from '../../fake-server.ts';
import { startFakeDiscord } from '../../fake.ts';
import discord from '../../index.ts';
import discordTool from './index.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const HERE: ChatAddress = { channel: 'discord', accountId: 'default', chat: { kind: 'channel', id: CHANNEL } };

export interface Asking {
  readonly actions?: Readonly<Record<string, boolean>>;
  /** Who asked; Ann unless somebody else is named. */
  readonly by?: string;
  /** They own the gateway. */
  readonly owner?: boolean;
  /** They may use commands. */
  readonly member?: boolean;
  readonly open?: readonly Opening[];
}

export type OpenTool = Awaited<ReturnType<typeof openTool>>;

export async function openTool({ actions = {}, by = ANN, owner = false, member = false, open = [] }: Asking = {}) {
  const fake = await startFakeDiscord();
  const server = keepServer(fake);
  const account = await testAccount(discord, { config: fake.config, credentials: fake.credentials });
  // What is uploaded comes from the network, which tests do not have.
  Object.assign(account.account, { open: async () => ({ data: PNG, mime: 'image/png', name: 'a.png' }) });
  const { send: _outbox, ...connection } = await account.connect();
  const channels = await channelFixture({
    plugins: [discord],
    config: { discord: { actions } },
    connection,
  });
  const authority = peopleAuthority({
    home: { agentId: 'main', sessionKey: `agent:main:discord:channel:${CHANNEL}`, address: HERE },
    ids: [by],
    rights: owner ? ['configure'] : [],
    commands: owner || member,
  });
  const turn = { id: 't1', route: { agentId: 'main', sessionKey: 'k', replyTo: HERE }, authority } as unknown as Turn;
  const messaging = createToolMessaging({
    turn,
    channels: channels.service,
    isDeliverable: (id) => id === 'discord',
    keepFiles: async () => [],
    config: () => messageToolSchema.parse({ crossContext: { marker: { enabled: false } } }),
    open: () => open,
    sentBefore: async () => [],
  });
  const state = { calls: 0 };
  const rpc = (method: string, params: any): Promise<unknown> =>
    method === 'message.act' ? messaging.act(params) : messaging.send(params);
  return {
    fake,
    server,
    here: HERE,
    channels: channels.reachable,
    sent: () => channels.sent,
    write: (text: string, channel = CHANNEL) =>
      fake.write({ chat: { kind: 'channel', id: channel }, by: ANN, name: 'Ann', text }),
    run: (action: string, input: object = {}, more: Partial<ToolContext> = {}): Promise<ToolResult> =>
      runTool(
        discordTool,
        { action, ...input },
        toolContext('/nowhere', {
          callId: `c${state.calls++}`,
          route: { ...toolContext('').route, replyTo: HERE },
          rpc,
          ...more,
        }),
      ),
    async [Symbol.asyncDispose]() {
      await channels[Symbol.asyncDispose]();
      await account[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

/** What it says went wrong. */
export const failed = async (run: Promise<ToolResult>): Promise<string> => {
  const result = await run;
  assert.equal(result.isError, true, textOf(result.content));
  return textOf(result.content);
};
/** Discord's answer. */
export const answer = async (run: Promise<ToolResult>): Promise<any> => {
  const result = await run;
  assert.notEqual(result.isError, true, textOf(result.content));
  return (result.details as { answer: any }).answer;
};
export const last = ({ fake }: OpenTool, method: string) => fake.calls.findLast((call) => call.method === method)!;
