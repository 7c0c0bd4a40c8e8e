/** The settings of a Discord account: the common keys, and the guilds, channels and direct chats of Discord's own. */
import { z } from 'zod';
import { channelShape, idList, toolListsSchema } from '../../sdk/index.ts';

const NOTIFICATIONS = ['off', 'own', 'all'] as const;

const channelEntry = z.looseObject({
  allow: z.boolean().optional().describe('False: nobody is answered here, whatever the policy says.'),
  enabled: z.boolean().optional().describe('The same as `allow`.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default: as for the guild.'),
  users: idList.optional().describe("Who may write here, by user id; in place of the guild's."),
  skills: z.array(z.string()).optional().describe('Skills the agent may use here.'),
  systemPrompt: z.string().optional().describe('Told to the agent in this channel.'),
  autoThread: z
    .boolean()
    .optional()
    .describe('Answer in a new thread on the message. Inside it nobody needs to mention the bot.'),
  tools: toolListsSchema.optional().describe('Further limits for the tools of this channel.'),
  toolsBySender: z.record(z.string(), toolListsSchema).optional().describe('By Discord user id, in place of `tools`.'),
});

const guildEntry = z.looseObject({
  slug: z.string().optional().describe('A name of your own for this entry; decides nothing.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default true.'),
  users: idList.optional().describe('Who may write in this guild, by user id. Absent: everybody who can.'),
  reactionNotifications: z.enum(NOTIFICATIONS).optional().describe("In place of the account's, for this guild."),
  tools: toolListsSchema
    .optional()
    .describe('Further limits for the tools of this guild, where a channel has none of its own.'),
  toolsBySender: z.record(z.string(), toolListsSchema).optional().describe('By Discord user id, in place of `tools`.'),
  channels: z
    .record(z.string(), channelEntry)
    .optional()
    .describe(
      'Channels by id; by name where nothing else has it; `*` for those not named. When present, other ' +
        'channels are not answered. A thread counts as its channel.',
    ),
});

const dmEntry = z.looseObject({
  enabled: z.boolean().optional().describe('False: no direct chats.'),
  policy: channelShape.dmPolicy.unwrap().optional().describe('The same as `dmPolicy`, and before it.'),
  allowFrom: idList.optional().describe('The same as `allowFrom` for direct chats, and before it.'),
  groupEnabled: z.boolean().default(false).describe('Answer in group direct chats.'),
  groupChannels: idList.optional().describe('Group direct chats by id, or by name; absent: all of them.'),
});

export const discordConfig = z.looseObject({
  ...channelShape,
  dmPolicy: channelShape.dmPolicy
    .unwrap()
    .optional()
    .describe(
      'Direct chats: `pairing` (default) answers strangers with a code the owner approves; `allowlist` only ' +
        'those in allowFrom; `open` everybody (needs `*` in allowFrom); `disabled` nobody.',
    ),
  token: z
    .string()
    .optional()
    .describe("The bot's token. Absent: `tokenFile`, then DISCORD_BOT_TOKEN for the default account."),
  tokenFile: z.string().optional().describe('File that holds the token.'),
  apiRoot: z
    .url()
    .default('https://discord.com/api')
    .describe("Discord's API, without the version. The gateway's address comes from it."),
  dm: dmEntry.optional().describe('Direct chats.'),
  guilds: z
    .record(z.string(), guildEntry)
    .optional()
    .describe(
      'Guilds (servers) by id; by name where nothing else has it; `*` for those not named. When present, ' +
        'other guilds are not answered.',
    ),
  maxLinesPerMessage: z.number().int().min(1).default(17).describe('Lines of one message; longer text is split.'),
  mediaMaxMb: z.number().positive().default(10).describe('Megabytes of a file that is sent or taken.'),
  allowBots: z.boolean().default(false).describe('Take messages of other bots. Its own are never taken.'),
  reactionNotifications: z
    .enum(NOTIFICATIONS)
    .default('own')
    .describe('Tell the agent of reactions: on its own messages, on all, or not at all.'),
  slashCommand: z
    .looseObject({
      ephemeral: z.boolean().default(true).describe('Only the person who used a command sees its answer.'),
    })
    .optional()
    .describe('Native commands.'),
  intents: z
    .looseObject({
      messageContent: z
        .boolean()
        .default(true)
        .describe('Read what is said without a mention; has to be turned on in the Developer Portal.'),
      guildMembers: z.boolean().default(false).describe('Events of members; privileged.'),
      presence: z.boolean().default(false).describe('Who is online; privileged.'),
    })
    .optional()
    .describe("What is asked of Discord's gateway."),
  catchUp: z
    .boolean()
    .default(true)
    .describe('After an outage, fetch what was written meanwhile in chats known to the bot.'),
});

export type DiscordConfig = z.output<typeof discordConfig>;
export type GuildEntry = z.output<typeof guildEntry>;
export type ChannelEntry = z.output<typeof channelEntry>;
