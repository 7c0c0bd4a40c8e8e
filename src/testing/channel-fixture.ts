/** Channels in memory with a real outbox, for tests of sends and actions without a turn. */
import { join } from 'node:path';
import { createChannelService, createReachable } from '../channel-host/sending/channel-service.ts';
import type { ChannelHub } from '../channel-host/accounts/channel-hub.ts';
import type { Note } from '../pipeline/outbound/sent-note.ts';
import { channelSettingsSchema } from '../config/channel-config.ts';
import type {
  ActionCall,
  ChannelAction,
  ChannelCapabilities,
  ChannelConnection,
  ChannelPlugin,
} from '../core/channel.ts';
import { silentLog } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import type { OutboundMessage, ReplyPayload } from '../core/reply.ts';
import { createJournal } from '../journal/create-journal.ts';
import { createOutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import { createSendLines } from '../pipeline/delivery/send-lines.ts';
import { createFakeClock } from './fake-clock.ts';
import { tempDir } from './temp-dir.ts';
import { instantDisk } from './instant-disk.ts';

export const capabilities: ChannelCapabilities = {
  chats: ['direct', 'group'],
  threads: true,
  edit: true,
  remove: true,
  react: true,
  typing: false,
  media: true,
  voice: true,
  polls: { maxOptions: 10 },
  markdown: 'full',
  maxTextLength: 4000,
  idempotentSend: true,
  deliverable: true,
};

/** Targets are `user:<id>` and numbers, which are groups. */
export const plugin = (id: string, over: Partial<ChannelPlugin> = {}): ChannelPlugin => ({
  id,
  label: id[0]!.toUpperCase() + id.slice(1),
  config: channelSettingsSchema,
  capabilities,
  targetHint: 'user:<id> or a group’s number',
  parseTarget: (target) => {
    const found = /^(?:(user):(\w+)|(-?\d+))$/.exec(target);
    return found
      ? { chat: found[1] ? { kind: 'direct', id: found[2]! } : { kind: 'group', id: found[3]! } }
      : undefined;
  },
  connect: () => Promise.reject(new Error('not in this test')),
  ...over,
});

export const PIN: ChannelAction = {
  name: 'pin',
  summary: 'Pin a message',
  parameters: { target: '', messageId: '', silent: 'Tell nobody' },
  required: ['messageId'],
  gate: 'pins',
};
export const KICK: ChannelAction = {
  name: 'kick',
  summary: 'Throw somebody out',
  parameters: { userId: '' },
  required: ['userId'],
  gate: 'moderation',
  offByDefault: true,
};
export const webchat = plugin('webchat', { capabilities: { ...capabilities, deliverable: false } });

export interface FixtureOptions {
  readonly plugins?: readonly ChannelPlugin[];
  readonly config?: Readonly<Record<string, Record<string, unknown>>>;
  /** Ends the next send so. */
  readonly answers?: (Error | Promise<unknown>)[];
  readonly connection?: Partial<ChannelConnection>;
  plan?(address: ChatAddress, payload: ReplyPayload): readonly ReplyPayload[];
}

export async function channelFixture({
  plugins = [plugin('alpha', { actions: [PIN, KICK] }), plugin('beta'), webchat],
  config = {},
  answers = [],
  connection: own = {},
  plan = (_address, payload) => [payload],
}: FixtureOptions = {}) {
  const dir = await tempDir('channels');
  const clock = createFakeClock();
  const journal = createJournal({ ...instantDisk, path: join(dir.path, 'journal.sqlite'), now: () => clock.now() });
  const state = { connected: true };
  const sent: { to: ChatAddress; message: OutboundMessage }[] = [];
  const acted: { action: string; call: ActionCall }[] = [];
  const done: unknown[][] = [];
  const notes: Note[] = [];
  const connection: ChannelConnection = {
    async send(to, message) {
      sent.push({ to, message });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      await answer;
      return { messageIds: [`m${sent.length}`] };
    },
    probe: async () => ({ ok: true }),
    react: async (...call) => void done.push(['react', ...call]),
    edit: async (...call) => void done.push(['edit', ...call]),
    remove: async (...call) => void done.push(['remove', ...call]),
    poll: async (...call) => {
      done.push(['poll', ...call]);
      return { messageIds: ['poll-1'], pollId: 'q1' };
    },
    act: async (action, call) => {
      acted.push({ action, call });
      return { acted: action };
    },
    [Symbol.asyncDispose]: async () => {},
    ...own,
  };
  const connected = () => (state.connected ? { connection, capabilities } : undefined);
  const sender = createOutboxSender({
    outbox: journal.outbox,
    lines: createSendLines(connected),
    log: silentLog,
    clock,
    maxAttempts: 1,
    checkpoint: () => {},
  });
  const targets = {
    plugins: () => plugins,
    accounts: (channel: string) => Object.keys((config[channel]?.['accounts'] as object | undefined) ?? { default: 0 }),
    config: () => config,
  };
  const begin = () =>
    createChannelService({
      channels: {} as unknown as ChannelHub,
      connection: connected,
      journal,
      sender,
      clock,
      ...targets,
      plan,
      sessionKeyOf: ({ channel, chat }) => `agent:main:${channel}:${chat.kind}:${chat.id}`,
      keep: async ({ name = 'file' }) => ({ path: `/kept/${name}` }),
      note: async (note) => {
        if (note.text !== '') notes.push(note);
      },
    });
  return {
    service: begin(),
    begin,
    sent,
    acted,
    done,
    notes,
    state,
    clock,
    journal,
    reachable: createReachable(targets),
    async [Symbol.asyncDispose]() {
      await sender.close(0);
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
