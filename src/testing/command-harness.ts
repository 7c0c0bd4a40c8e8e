/** Runs slash commands with a session, models and a configuration in memory. */
import { AppError } from '../core/errors.ts';
import type { InboundMessage } from '../core/message.ts';
import type { Right } from '../core/principal.ts';
import { channelSettingsSchema } from '../config/channel-config.ts';
import { present } from '../core/present.ts';
import type { CommandHost, NamedModel } from '../pipeline/commands/command-host.ts';
import { commandsConfigSchema } from '../pipeline/commands/config.ts';
import type { InboundRow } from '../pipeline/commands/inbound-row.ts';
import { readSaid, type ReadRules } from '../pipeline/commands/read-said.ts';
import { runCommand } from '../pipeline/commands/run-command.ts';
import { COMMANDS } from '../pipeline/commands/table.ts';
import { messagesConfigSchema } from '../sessions/config.ts';
import type { SessionEntry, SessionPatch } from '../sessions/entry.ts';
import { peopleAuthority } from './sample-authority.ts';
import { typed } from '../core/saying.ts';

export interface Person {
  readonly authorized?: boolean;
  readonly rights?: readonly Right[];
  readonly channel?: string;
  readonly kind?: 'direct' | 'group';
  readonly over?: Partial<InboundMessage>;
  readonly commands?: boolean;
}

export const READ: ReadRules = {
  commands: COMMANDS,
  text: true,
  resetTriggers: ['/new', '/reset'],
  modelNames: ['opus'],
};

export const commandRow = (
  text: string,
  {
    authorized = true,
    rights = authorized ? ['configure'] : [],
    channel = 'telegram',
    kind = 'direct',
    over = {},
    commands,
  }: Person = {},
): InboundRow => ({
  runId: 'r',
  authority: peopleAuthority({
    home: { address: { channel, accountId: 'default', chat: { kind, id: 'c1' } } },
    ids: ['4711'],
    commands: authorized,
    rights,
  }),
  ...present({ commands }),
  message: {
    id: '1',
    address: { channel, accountId: 'default', chat: { kind, id: 'c1' } },
    sender: { id: '4711', name: 'Ann', handle: '@ann' },
    text,
    said: typed(text),
    attachments: [],
    addressesBot: true,
    receivedAt: 0,
    ...over,
  },
});

export interface HarnessOptions {
  readonly commands?: object;
  readonly channel?: object;
  readonly models?: readonly NamedModel[];
  readonly entry?: Partial<SessionEntry>;
}

const MODELS: readonly NamedModel[] = [
  { provider: 'anthropic', id: 'claude-opus-4-6', alias: 'opus' },
  { provider: 'anthropic', id: 'claude-sonnet-4-6' },
  { provider: 'openai', id: 'gpt-5.2' },
  { provider: 'openai', id: 'gpt-5.2-mini' },
];

export function commandHarness({ commands = {}, channel = {}, models = MODELS, entry = {} }: HarnessOptions = {}) {
  const state: {
    entry: Record<string, unknown>;
    written: [string, unknown][];
    overrides: Record<string, unknown>;
    calls: string[];
  } = { entry: { sessionId: 's', updatedAt: 0, ...entry }, written: [], overrides: {}, calls: [] };
  const refuse = (value: unknown): void => {
    if (value === 'bad') throw new AppError('invalid', 'The change would leave the configuration invalid.');
  };
  const host: CommandHost = {
    commands: COMMANDS,
    settings: () => ({
      commands: commandsConfigSchema.parse(commands),
      messages: messagesConfigSchema.parse({}),
      channelIds: ['telegram', 'slack'],
      account: () => channelSettingsSchema.parse(channel),
      channelPath: (id) => `channels.${id}`,
    }),
    entry: () => state.entry as unknown as SessionEntry,
    async patch(_key, patch: SessionPatch) {
      for (const [key, value] of Object.entries(patch))
        if (value === null) delete state.entry[key];
        else if (value !== undefined) state.entry[key] = value;
    },
    resetSession: async () => void state.calls.push('reset'),
    models: {
      list: async () => models,
      current: async () => ({
        model: state.entry['modelOverride']
          ? `${String(state.entry['providerOverride'])}/${String(state.entry['modelOverride'])}`
          : 'anthropic/claude-sonnet-4-6',
        source: 'config',
        chosen: 'modelOverride' in state.entry,
        fallbacks: ['openai/gpt-5.2'],
      }),
      async choose(_key, reference) {
        const known = models.find(({ provider, id }) => `${provider}/${id}` === reference);
        if (!known) return undefined;
        Object.assign(state.entry, { providerOverride: known.provider, modelOverride: known.id });
        return reference;
      },
    },
    config: {
      show: (path) =>
        path === undefined ? { gateway: { auth: { token: 'HIDDEN' } } } : path === 'messages.queue.cap' ? 7 : undefined,
      async set(path, value) {
        refuse(value);
        state.written.push([path, value]);
        return { restarts: path.startsWith('gateway') };
      },
      async unset(path) {
        state.written.push([path, undefined]);
        return { restarts: false };
      },
      overrides: () => state.overrides,
      async override(path, value) {
        refuse(value);
        if (value === undefined) delete state.overrides[path];
        else state.overrides[path] = value;
      },
      async resetOverrides() {
        state.overrides = {};
      },
    },
    stop: async () => ({ turns: 1, queued: 0, subagents: 0 }),
    compact: async () => ({ compacted: true, before: 10, after: 2 }),
    statusCard: async () => '⚙️ the card',
    contextReport: async () => ({
      parts: [
        { name: 'Prompt', tokens: 900 },
        { name: 'Tools (4)', tokens: 1100 },
      ],
      used: 2000,
      window: 8000,
    }),
    approve: async () => 'Approved.',
    approvals: () => [],
    elevate: async (_call, level) => `Elevated is ${level ?? 'off'}.`,
    restart: () => {
      state.calls.push('restart');
      return { inMs: 2000 };
    },
    skills: async () => [{ name: 'maps', description: 'Finds the way.' }],
    subagents: async () => [
      { id: 'x1', label: 'Look it up', agentId: 'main' },
      { id: 'x2', label: 'Count', agentId: 'main' },
    ],
    async stopSubagents(_key, ids) {
      state.calls.push(`stop ${ids.join(',')}`);
      return ids.length;
    },
    async bash(_call, request) {
      state.calls.push(`bash ${JSON.stringify(request)}`);
      return '⚙️ Code 0';
    },
    senderEntry: (_channel, one) => (/^\d+$/.test(one) ? one : undefined),
  };
  return {
    state,
    host,
    /** The answers to a message that is nothing but commands; undefined: it is for the agent. */
    async say(text: string, person: Person = {}): Promise<string | undefined> {
      const row = commandRow(text, person);
      const { alone } = readSaid(row, READ);
      const answers = await Promise.all(
        alone.map(({ command, args }) => runCommand(command, { args, row, sessionKey: 'agent:main:main' }, host)),
      );
      return alone.length === 0
        ? undefined
        : answers.map((answer) => ('reply' in answer ? answer.reply : JSON.stringify(answer))).join('\n');
    },
  };
}
