/**
 * The keys every channel understands, in `channels.<id>` and again under `accounts.<accountId>`; one accessor merges
 * them.
 */
import { z } from 'zod';
import { DM_POLICIES, GROUP_POLICIES } from '../core/place-rules.ts';
import { visibilitySchema } from './heartbeat-visibility.ts';

/** Stable ids; a number is taken for its digits. */
export const idList = z.array(z.union([z.string(), z.number()]).transform(String));

export const toolListsSchema = z.object({
  allow: z.array(z.string()).optional().describe('Only these tools.'),
  alsoAllow: z
    .array(z.string())
    .optional()
    .describe('Tools beyond those of the profile; a group adds none to what the agent has.'),
  deny: z.array(z.string()).optional().describe('Never these tools.'),
});

const placeShape = {
  enabled: z.boolean().optional().describe('False: nobody is answered here.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default true.'),
  allowFrom: idList.optional().describe('Who may write here, by stable sender id; in place of `groupAllowFrom`.'),
  skills: z.array(z.string()).optional().describe('Skills the agent may use here.'),
  systemPrompt: z.string().optional().describe('Told to the agent in this place.'),
  tools: toolListsSchema.optional().describe('Further limits for the tools of this place.'),
  toolsBySender: z.record(z.string(), toolListsSchema).optional().describe('By sender id, in place of `tools`.'),
};

export const groupSettingsSchema = z.looseObject({
  ...placeShape,
  topics: z
    .record(z.string(), z.looseObject(placeShape))
    .optional()
    .describe('Threads or topics of this group by id; what is absent counts as for the group.'),
});
export type GroupSettings = z.output<typeof groupSettingsSchema>;

export const STREAMING_MODES = ['off', 'preview', 'blocks'] as const;

/** Spread into a channel's own schema. */
export const channelShape = {
  enabled: z.boolean().default(true).describe('False: it is not started.'),
  name: z.string().optional().describe('What people call this account.'),
  dmPolicy: z
    .enum(DM_POLICIES)
    .default('pairing')
    .describe(
      'Direct chats: `pairing` answers strangers with a code the owner approves; `allowlist` only those in allowFrom; `open` everybody (needs `*` in allowFrom); `disabled` nobody.',
    ),
  allowFrom: idList.default([]).describe('Who may write in direct chats, by stable sender id; `*` for everybody.'),
  groupPolicy: z
    .enum(GROUP_POLICIES)
    .default('allowlist')
    .describe(
      'Groups: `allowlist` only listed senders in listed groups; `open` everybody, where addressed; `disabled` nobody.',
    ),
  groupAllowFrom: idList
    .optional()
    .describe(
      'Who may write in groups, by stable sender id. Absent: those written in allowFrom; a pairing never counts here.',
    ),
  groups: z
    .record(z.string(), groupSettingsSchema)
    .optional()
    .describe('Groups by id; `*` stands for every group not named. When present, other groups are not answered.'),
  historyLimit: z
    .number()
    .int()
    .min(0)
    .max(500)
    .optional()
    .describe('Messages since the last answer in a group that are told along; 0: none. Default 50.'),
  textChunkLimit: z
    .number()
    .int()
    .min(100)
    .optional()
    .describe('Characters of one message; at most what the platform takes.'),
  maxLinesPerMessage: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Lines of one message; longer text is split. Absent: what suits the platform.'),
  chunkMode: z
    .enum(['length', 'newline'])
    .default('length')
    .describe('Where long text is cut: at the limit, or at every blank line.'),
  streaming: z
    .enum(STREAMING_MODES)
    .optional()
    .describe(
      'While the answer is written: one message that is edited (`preview`), finished `blocks`, or nothing (`off`).',
    ),
  blockStreaming: z.boolean().optional().describe('True: the same as `streaming: "blocks"`.'),
  blockStreamingCoalesce: z
    .object({
      minChars: z.number().min(1).optional().describe('Merge blocks until there are so many characters.'),
      maxChars: z.number().min(1).optional().describe('Never merge beyond.'),
      idleMs: z.number().min(0).optional().describe('Send what there is after such a pause.'),
    })
    .optional()
    .describe('How finished blocks are merged.'),
  replyToMode: z
    .enum(['off', 'first', 'all'])
    .optional()
    .describe('Whether answers point at the message they answer: none, the first part, every part.'),
  responsePrefix: z.string().optional().describe('In place of `messages.responsePrefix`.'),
  ackReaction: z.string().optional().describe('In place of `messages.ackReaction`.'),
  mediaMaxMb: z.number().positive().optional().describe('Megabytes of a file that is sent or taken.'),
  markdown: z
    .object({
      tables: z
        .enum(['off', 'bullets', 'code'])
        .optional()
        .describe('How tables are shown where the platform has none. Default `code`.'),
    })
    .optional()
    .describe('How Markdown is shown.'),
  configWrites: z.boolean().default(true).describe('May `/config set` and `/allowlist` be used from here?'),
  commands: z
    .object({
      native: z
        .union([z.boolean(), z.literal('auto')])
        .optional()
        .describe('Register commands with the platform; in place of `commands.native`.'),
    })
    .optional(),
  actions: z
    .record(z.string(), z.boolean())
    .default({})
    .describe('What the agent may do here beyond sending, by name.'),
  heartbeat: visibilitySchema.optional().describe('What is shown here of heartbeats.'),
} as const;

export const channelSettingsSchema = z.looseObject(channelShape);
export type ChannelSettings = z.output<typeof channelSettingsSchema>;

type Section = Readonly<Record<string, unknown>>;
/** `channels` of the configuration: a section by the channel's id, checked by that channel. */
export type ChannelSections = Readonly<Record<string, Section | undefined>>;

/**
 * `channels.defaults` under `channels.<id>` under `channels.<id>.accounts.<accountId>`, before any schema. The account
 * is found without regard to case.
 */
export function rawSettings(channels: ChannelSections, channel: string, accountId: string): Section {
  const { accounts, ...own } = channels[channel] ?? {};
  const named =
    typeof accounts === 'object' && accounts !== null ? Object.entries(accounts as Record<string, Section>) : [];
  const account = named.find(([id]) => id.trim().toLowerCase() === accountId)?.[1];
  return { ...channels['defaults'], ...own, ...account };
}

/**
 * The common keys of one account, defaults filled in. Keys that make no sense count as absent, and status names them.
 */
export const settingsOf = (channels: ChannelSections, channel: string, accountId: string): ChannelSettings =>
  sensible(rawSettings(channels, channel, accountId));

/** `settingsOf` that remembers, for as long as a configuration, which is frozen once loaded, is in force. */
export function createChannelSettings(): typeof settingsOf {
  const memo = new WeakMap<object, Map<string, ChannelSettings>>();
  return (channels, channel, accountId) => {
    const known = memo.get(channels) ?? new Map<string, ChannelSettings>();
    memo.set(channels, known);
    const key = `${channel}\n${accountId}`;
    const found = known.get(key) ?? settingsOf(channels, channel, accountId);
    known.set(key, found);
    return found;
  };
}

function sensible(raw: Section): ChannelSettings {
  const read = channelSettingsSchema.safeParse(raw);
  if (read.success) return read.data;
  const wrong = new Set(read.error.issues.map(({ path }) => String(path[0])));
  return channelSettingsSchema.parse(Object.fromEntries(Object.entries(raw).filter(([key]) => !wrong.has(key))));
}
