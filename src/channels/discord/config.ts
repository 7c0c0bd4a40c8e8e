/** Settings of a Discord account: the common keys plus guilds, channels and direct messages. */
import { z } from 'zod';
import { channelShape, idList, toolListsSchema } from '../../sdk/index.ts';

const NOTIFICATIONS = ['off', 'own', 'all'] as const;

const channelEntry = z.looseObject({
  allow: z.boolean().optional().describe('False: do not answer here, regardless of the policy.'),
  enabled: z.boolean().optional().describe('Same as `allow`.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default: the setting of the guild.'),
  users: idList.optional().describe('User ids that may write here; replaces the list of the guild.'),
  skills: z.array(z.string()).optional().describe('Skills the agent may use here.'),
  systemPrompt: z.string().optional().describe('Text added to the system prompt in this channel.'),
  autoThread: z
    .boolean()
    .optional()
    .describe('Answer in a new thread on the message; messages in it do not have to mention the bot.'),
  tools: toolListsSchema.optional().describe('Additional tool limits in this channel.'),
  toolsBySender: z
    .record(z.string(), toolListsSchema)
    .optional()
    .describe('Tool limits by Discord user id; replaces `tools`.'),
});

const guildEntry = z.looseObject({
  slug: z.string().optional().describe('Your name for this entry; has no effect.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default: true.'),
  users: idList.optional().describe('User ids that may write in this guild. Absent: all members.'),
  reactionNotifications: z
    .enum(NOTIFICATIONS)
    .optional()
    .describe('Replaces the setting of the account in this guild.'),
  tools: toolListsSchema.optional().describe('Additional tool limits in this guild, unless a channel sets its own.'),
  toolsBySender: z
    .record(z.string(), toolListsSchema)
    .optional()
    .describe('Tool limits by Discord user id; replaces `tools`.'),
  channels: z
    .record(z.string(), channelEntry)
    .optional()
    .describe(
      'Channels by id, or by unique name; `*` for all channels that are not listed. If set, other ' +
        'channels are not answered. A thread counts as its channel.',
    ),
});

const dmEntry = z.looseObject({
  enabled: z.boolean().optional().describe('False: no direct messages.'),
  policy: channelShape.dmPolicy.unwrap().optional().describe('Same as `dmPolicy`; takes precedence.'),
  allowFrom: idList.optional().describe('Same as `allowFrom` for direct messages; takes precedence.'),
  groupEnabled: z.boolean().default(false).describe('Answer in group direct chats.'),
  groupChannels: idList.optional().describe('Group direct chats by id or name. Absent: all.'),
});

export const discordConfig = z.looseObject({
  ...channelShape,
  dmPolicy: channelShape.dmPolicy
    .unwrap()
    .optional()
    .describe(
      'Who may send direct messages. `pairing` (default): unknown senders get a code that the owner approves; ' +
        '`allowlist`: only ' +
        'senders in allowFrom; `open`: everybody (needs `*` in allowFrom); `disabled`: nobody.',
    ),
  token: z
    .string()
    .optional()
    .describe('Bot token. Absent: `tokenFile`, then DISCORD_BOT_TOKEN for the default account.'),
  tokenFile: z.string().optional().describe('File with the token.'),
  apiRoot: z
    .url()
    .default('https://discord.com/api')
    .describe('Base URL of the Discord API, without the version. The gateway address is read from it.'),
  dm: dmEntry.optional().describe('Direct chats.'),
  guilds: z
    .record(z.string(), guildEntry)
    .optional()
    .describe(
      'Guilds (servers) by id, or by unique name; `*` for all guilds that are not listed. If set, ' +
        'other guilds are not answered.',
    ),
  maxLinesPerMessage: z
    .number()
    .int()
    .min(1)
    .default(17)
    .describe('Maximum number of lines of one message; longer text is split.'),
  mediaMaxMb: z.number().positive().default(10).describe('Maximum size of a sent or received file, in megabytes.'),
  allowBots: z
    .boolean()
    .default(false)
    .describe('Accept messages from other bots. Messages of the bot itself are always ignored.'),
  reactionNotifications: z
    .enum(NOTIFICATIONS)
    .default('own')
    .describe('Reactions to report to the agent: on its own messages, on all messages, or none.'),
  slashCommand: z
    .looseObject({
      ephemeral: z.boolean().default(true).describe('Show the answer of a command only to the person who used it.'),
    })
    .optional()
    .describe('Native commands.'),
  intents: z
    .looseObject({
      messageContent: z
        .boolean()
        .default(true)
        .describe('Read messages that do not mention the bot; must be enabled in the Developer Portal.'),
      guildMembers: z.boolean().default(false).describe('Member events; privileged.'),
      presence: z.boolean().default(false).describe('Presence events; privileged.'),
    })
    .optional()
    .describe('Intents to request from the Discord gateway.'),
  catchUp: z.boolean().default(true).describe('After an outage, fetch missed messages in chats known to the bot.'),
});

export type DiscordConfig = z.output<typeof discordConfig>;
export type GuildEntry = z.output<typeof guildEntry>;
export type ChannelEntry = z.output<typeof channelEntry>;
