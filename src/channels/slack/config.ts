/** Settings of a Slack account: the common keys, and what only Slack has. */
import { z } from 'zod';
import { channelShape, idList, toolListsSchema } from '../../sdk/index.ts';

const replyTo = z.enum(['off', 'first', 'all']);

const placeSchema = z.looseObject({
  allow: z.boolean().optional().describe('False: nobody is answered here, whatever `groupPolicy` says.'),
  enabled: z.boolean().optional().describe('The same as `allow`.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default true.'),
  users: idList.optional().describe('Who may write here, by Slack user id. Absent: every member of the channel.'),
  allowFrom: idList.optional().describe('The same as `users`.'),
  skills: z.array(z.string()).optional().describe('Skills the agent may use here.'),
  systemPrompt: z.string().optional().describe('Told to the agent in this channel.'),
  tools: toolListsSchema.optional().describe('Further limits for the tools of this channel.'),
  toolsBySender: z.record(z.string(), toolListsSchema).optional().describe('By Slack user id, in place of `tools`.'),
});

const dmSchema = z.looseObject({
  enabled: z.boolean().optional().describe('False: no direct messages.'),
  policy: z.enum(['pairing', 'allowlist', 'open', 'disabled']).optional().describe('In place of `dmPolicy`.'),
  allowFrom: idList.optional().describe('In place of `allowFrom`, for direct messages.'),
  groupEnabled: z.boolean().optional().describe('False: no group direct messages. Absent: as `groupPolicy` says.'),
  groupChannels: idList.optional().describe('Group direct messages that may be answered, by id.'),
});

export const slackSchema = z.looseObject({
  ...channelShape,
  mode: z
    .enum(['socket', 'http'])
    .default('socket')
    .describe('How messages come in: over a socket we open (`socket`), or posted by Slack to `webhookPath` (`http`).'),
  botToken: z.string().optional().describe('Bot token, `xoxb-…`. Secret. Else SLACK_BOT_TOKEN.'),
  appToken: z
    .string()
    .optional()
    .describe(
      'App-level token with `connections:write`, `xapp-…`, for `mode: "socket"`. Secret. Else SLACK_APP_TOKEN.',
    ),
  userToken: z.string().optional().describe('User token, `xoxp-…`, for searching only. Secret.'),
  userTokenReadOnly: z.boolean().default(true).describe('Accepted; the user token is never used to write.'),
  signingSecret: z.string().optional().describe('Signing secret of the app, for `mode: "http"`. Secret.'),
  webhookPath: z
    .string()
    .startsWith('/')
    .default('/slack/events')
    .describe('Path on the gateway that Slack posts to, for `mode: "http"`.'),
  apiRoot: z.url().default('https://slack.com/api/').describe('Address of the Web API.'),
  timeoutSeconds: z.number().positive().max(300).default(30).describe('Seconds a call of the Web API may take.'),
  mediaMaxMb: channelShape.mediaMaxMb.default(20),
  requireMention: z.boolean().optional().describe('In channels that do not say otherwise. Default true.'),
  channels: z
    .record(z.string(), placeSchema)
    .optional()
    .describe(
      'Channels by id, or by `#name`; `*` stands for every one not named. When present, others are not ' +
        'answered, unless `groupPolicy` is `open`.',
    ),
  dm: dmSchema.optional().describe('Direct messages; an older spelling of the common keys, which it overrules.'),
  replyToMode: replyTo
    .optional()
    .describe(
      'Answers to a message outside threads: in the channel (`off`), the first part in a thread (`first`), ' +
        'all in a thread (`all`). Default `off`.',
    ),
  replyToModeByChatType: z
    .object({
      direct: replyTo.optional().describe('For direct messages.'),
      group: replyTo.optional().describe('For group direct messages.'),
      channel: replyTo.optional().describe('For channels.'),
    })
    .optional()
    .describe('`off` here overrules `replyToMode` for one kind of chat.'),
  thread: z
    .looseObject({
      historyScope: z.enum(['thread', 'channel']).optional().describe('Accepted; a thread has a history of its own.'),
      inheritParent: z.boolean().optional().describe('Accepted; a thread has a conversation of its own.'),
    })
    .optional()
    .describe('Threads.'),
  slashCommand: z
    .looseObject({
      enabled: z.boolean().default(true).describe('False: slash commands are refused.'),
      name: z
        .string()
        .default('clawd')
        .describe('The command of the Slack app that stands for all of ours: `/clawd status` means `/status`.'),
      ephemeral: z.boolean().default(true).describe('Only the person who typed the command sees the answer.'),
    })
    .prefault({})
    .describe('The slash command of the Slack app.'),
  allowBots: z.boolean().default(false).describe('Take messages of other bots.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all', 'allowlist'])
    .default('own')
    .describe(
      'Which reactions the agent is told of: none, those to its own messages, all, or all by people in ' +
        '`reactionAllowlist`.',
    ),
  reactionAllowlist: idList.optional().describe('Slack user ids for `reactionNotifications: "allowlist"`.'),
  catchUp: z
    .boolean()
    .default(true)
    .describe('After an outage, read what was written meanwhile in the chats used before.'),
  deafAfterMinutes: z
    .number()
    .min(0)
    .max(1440)
    .default(10)
    .describe(
      'Over a socket, after so many minutes without a message, look whether Slack has some that it did not ' +
        'deliver, and connect anew if so. 0: never.',
    ),
  unfurl: z.boolean().default(false).describe('Let Slack show previews of links in answers.'),
});

export type SlackSettings = z.output<typeof slackSchema>;
