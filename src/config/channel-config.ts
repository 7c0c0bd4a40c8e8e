/** The keys common to all channels, in `channels.<id>` and `accounts.<accountId>`; one accessor merges them. */
import { z } from 'zod';
import { DM_POLICIES, GROUP_POLICIES } from '../core/place-rules.ts';
import { visibilitySchema } from './heartbeat-visibility.ts';

/** Stable ids; a number is taken for its digits. */
export const idList = z.array(z.union([z.string(), z.number()]).transform(String));

export const toolListsSchema = z.object({
  allow: z.array(z.string()).optional().describe('Allow only these tools.'),
  alsoAllow: z
    .array(z.string())
    .optional()
    .describe('Tools to add to the profile; a group cannot add tools the agent does not have.'),
  deny: z.array(z.string()).optional().describe('Deny these tools.'),
});

const placeShape = {
  enabled: z.boolean().optional().describe('False: do not answer here.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default: true.'),
  allowFrom: idList.optional().describe('Sender ids that may write here; replaces `groupAllowFrom`.'),
  skills: z.array(z.string()).optional().describe('Skills the agent may use here.'),
  systemPrompt: z.string().optional().describe('Text added to the system prompt in this chat.'),
  tools: toolListsSchema.optional().describe('Additional tool limits in this chat.'),
  toolsBySender: z
    .record(z.string(), toolListsSchema)
    .optional()
    .describe('Tool limits by sender id; replaces `tools`.'),
};

export const groupSettingsSchema = z.looseObject({
  ...placeShape,
  topics: z
    .record(z.string(), z.looseObject(placeShape))
    .optional()
    .describe('Threads or topics of this group by id; missing settings come from the group.'),
});
export type GroupSettings = z.output<typeof groupSettingsSchema>;

const ackModesSchema = z.object({
  emoji: z.string().optional().describe('Emoji reaction to received messages. Default: `messages.ackReaction`.'),
  direct: z.boolean().default(true).describe('React in direct chats.'),
  group: z
    .enum(['always', 'mentions', 'never'])
    .default('mentions')
    .describe('React in groups: to every message that is answered, to those that address the agent, or to none.'),
});

export const STREAMING_MODES = ['off', 'preview', 'blocks'] as const;

/** Spread into a channel's own schema. */
export const channelShape = {
  enabled: z.boolean().default(true).describe('False: do not start this account.'),
  name: z.string().optional().describe('Display name of this account.'),
  dmPolicy: z
    .enum(DM_POLICIES)
    .default('pairing')
    .describe(
      'Who may send direct messages. `pairing`: unknown senders get a code that the owner approves; ' +
        '`allowlist`: only senders in allowFrom; `open`: everybody (needs `*` in allowFrom); `disabled`: nobody.',
    ),
  allowFrom: idList.default([]).describe('Sender ids that may send direct messages; `*` for everybody.'),
  groupPolicy: z
    .enum(GROUP_POLICIES)
    .default('allowlist')
    .describe(
      'Who is answered in groups. `allowlist`: only listed senders in listed groups; `open`: everybody who ' +
        'addresses the agent; `disabled`: nobody.',
    ),
  groupAllowFrom: idList
    .optional()
    .describe('Sender ids that may write in groups. Absent: those in allowFrom. Pairing does not apply to groups.'),
  groups: z
    .record(z.string(), groupSettingsSchema)
    .optional()
    .describe(
      'Groups by id; `*` applies to all groups that are not listed. When present, other groups are not answered.',
    ),
  historyLimit: z
    .number()
    .int()
    .min(0)
    .max(500)
    .optional()
    .describe('Number of messages since the last answer in a group to include as context; 0: none. Default: 50.'),
  textChunkLimit: z
    .number()
    .int()
    .min(100)
    .optional()
    .describe('Maximum length of one message in characters, up to the limit of the platform.'),
  maxLinesPerMessage: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Maximum number of lines of one message; longer text is split. Absent: the default of the channel.'),
  chunkMode: z
    .enum(['length', 'newline'])
    .default('length')
    .describe('Where long text is split: at the limit, or at every blank line.'),
  streaming: z
    .enum(STREAMING_MODES)
    .optional()
    .describe(
      'What to send while an answer is generated: one message that is edited (`preview`), completed `blocks`, ' +
        'or nothing (`off`).',
    ),
  blockStreaming: z.boolean().optional().describe('True: same as `streaming: "blocks"`.'),
  blockStreamingCoalesce: z
    .object({
      minChars: z.number().min(1).optional().describe('Merge blocks until they have this many characters.'),
      maxChars: z.number().min(1).optional().describe('Never merge into more than this many characters.'),
      idleMs: z.number().min(0).optional().describe('Send merged blocks after this pause, in milliseconds.'),
    })
    .optional()
    .describe('How finished blocks are merged.'),
  replyToMode: z
    .enum(['off', 'first', 'all'])
    .optional()
    .describe('Which parts of an answer are sent as a reply to the message: none, the first, or all.'),
  replyToModeByChatType: z
    .object({
      direct: z.enum(['off', 'first', 'all']).optional().describe('For direct messages.'),
      group: z.enum(['off', 'first', 'all']).optional().describe('For groups, and group direct messages.'),
      channel: z.enum(['off', 'first', 'all']).optional().describe('For channels.'),
    })
    .optional()
    .describe('Replaces `replyToMode` for one kind of chat.'),
  thread: z
    .looseObject({
      historyScope: z
        .enum(['thread', 'channel'])
        .optional()
        .describe(
          'Which messages since the last answer a thread includes as context: its own (`thread`, the default), or ' +
            'those of the whole chat (`channel`).',
        ),
      inheritParent: z
        .boolean()
        .optional()
        .describe(
          'True: a new thread begins with a copy of the conversation the agent had in the chat around it. Default: ' +
            'false, it begins empty, with the message the thread started from.',
        ),
    })
    .optional()
    .describe('Threads.'),
  responsePrefix: z.string().optional().describe('Replaces `messages.responsePrefix`.'),
  ackReaction: z
    .union([z.string(), ackModesSchema])
    .optional()
    .describe(
      'Replaces `messages.ackReaction`; as an object also says for which messages, instead of ' +
        '`messages.ackReactionScope`.',
    ),
  mediaMaxMb: z.number().positive().optional().describe('Maximum size of a sent or received file, in megabytes.'),
  markdown: z
    .object({
      tables: z
        .enum(['off', 'bullets', 'code'])
        .optional()
        .describe('How tables are rendered if the platform does not support them. Default: `code`.'),
    })
    .optional()
    .describe('Markdown rendering.'),
  configWrites: z.boolean().default(true).describe('Allow `/config set` and `/allowlist` on this channel.'),
  commands: z
    .object({
      native: z
        .union([z.boolean(), z.literal('auto')])
        .optional()
        .describe('Register commands with the platform; replaces `commands.native`.'),
    })
    .optional(),
  actions: z
    .record(z.string(), z.boolean())
    .default({})
    .describe('Actions besides sending that the agent may use here, by name.'),
  heartbeat: visibilitySchema.optional().describe('Heartbeat messages on this channel.'),
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
