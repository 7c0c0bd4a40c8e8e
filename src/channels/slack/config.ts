/** Settings of a Slack account: the common keys plus Slack's own. */
import { z } from 'zod';
import { channelShape, idList, toolListsSchema } from '../../sdk/index.ts';

const replyTo = z.enum(['off', 'first', 'all']);

const placeSchema = z.looseObject({
  allow: z.boolean().optional().describe('False: do not answer here, regardless of `groupPolicy`.'),
  enabled: z.boolean().optional().describe('Same as `allow`.'),
  requireMention: z.boolean().optional().describe('Answer only when addressed. Default: true.'),
  users: idList.optional().describe('Slack user ids that may write here. Absent: all members of the channel.'),
  allowFrom: idList.optional().describe('Same as `users`.'),
  skills: z.array(z.string()).optional().describe('Skills the agent may use here.'),
  systemPrompt: z.string().optional().describe('Text added to the system prompt in this channel.'),
  tools: toolListsSchema.optional().describe('Additional tool limits in this channel.'),
  toolsBySender: z
    .record(z.string(), toolListsSchema)
    .optional()
    .describe('Tool limits by Slack user id; replaces `tools`.'),
});

const dmSchema = z.looseObject({
  enabled: z.boolean().optional().describe('False: no direct messages.'),
  policy: z.enum(['pairing', 'allowlist', 'open', 'disabled']).optional().describe('Replaces `dmPolicy`.'),
  allowFrom: idList.optional().describe('Replaces `allowFrom` for direct messages.'),
  groupEnabled: z.boolean().optional().describe('False: no group direct messages. Absent: `groupPolicy` applies.'),
  groupChannels: idList.optional().describe('Ids of group direct messages that are answered.'),
});

export const slackSchema = z.looseObject({
  ...channelShape,
  mode: z
    .enum(['socket', 'http'])
    .default('socket')
    .describe(
      'How messages are received: over a socket that the gateway opens (`socket`), or as requests from Slack to ' +
        '`webhookPath` (`http`).',
    ),
  botToken: z.string().optional().describe('Bot token, `xoxb-…`. Absent: SLACK_BOT_TOKEN. Secret.'),
  appToken: z
    .string()
    .optional()
    .describe(
      'App-level token with `connections:write`, `xapp-…`, for `mode: "socket"`. Absent: SLACK_APP_TOKEN. Secret.',
    ),
  userToken: z.string().optional().describe('User token, `xoxp-…`, for searching only. Secret.'),
  userTokenReadOnly: z.boolean().default(true).describe('Accepted; the user token is never used to write.'),
  signingSecret: z.string().optional().describe('Signing secret of the app, for `mode: "http"`. Secret.'),
  webhookPath: z
    .string()
    .startsWith('/')
    .default('/slack/events')
    .describe('Path on the gateway that Slack posts to, for `mode: "http"`.'),
  apiRoot: z.url().default('https://slack.com/api/').describe('Base URL of the Web API.'),
  timeoutSeconds: z.number().positive().max(300).default(30).describe('Timeout of a Web API call in seconds.'),
  mediaMaxMb: channelShape.mediaMaxMb.default(20),
  requireMention: z
    .boolean()
    .optional()
    .describe('Answer only when addressed, in channels without their own setting. Default: true.'),
  channels: z
    .record(z.string(), placeSchema)
    .optional()
    .describe(
      'Channels by id or `#name`; `*` for all channels that are not listed. If set, others are not ' +
        'answered, unless `groupPolicy` is `open`.',
    ),
  dm: dmSchema.optional().describe('Direct messages; older names of the common keys. These take precedence.'),
  replyToMode: replyTo
    .optional()
    .describe(
      'Where to answer messages outside threads: in the channel (`off`), the first part in a thread (`first`), ' +
        'all in a thread (`all`). Default `off`.',
    ),
  slashCommand: z
    .looseObject({
      enabled: z.boolean().default(true).describe('False: reject slash commands.'),
      name: z
        .string()
        .default('clawd')
        .describe('Slash command of the Slack app that runs all commands: `/clawd status` means `/status`.'),
      ephemeral: z.boolean().default(true).describe('Show the answer only to the person who typed the command.'),
    })
    .prefault({})
    .describe('The slash command of the Slack app.'),
  allowBots: z.boolean().default(false).describe('Accept messages from other bots.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all', 'allowlist'])
    .default('own')
    .describe(
      'Reactions to report to the agent: none, those to its own messages, all, or all by people in ' +
        '`reactionAllowlist`.',
    ),
  reactionAllowlist: idList.optional().describe('Slack user ids for `reactionNotifications: "allowlist"`.'),
  catchUp: z.boolean().default(true).describe('After an outage, read missed messages in chats used before.'),
  deafAfterMinutes: z
    .number()
    .min(0)
    .max(1440)
    .default(10)
    .describe(
      'Socket mode: after this many minutes without a message, check whether Slack has undelivered ' +
        'messages, and reconnect if so. 0: never.',
    ),
  unfurl: z.boolean().default(false).describe('Show link previews in answers.'),
});

export type SlackSettings = z.output<typeof slackSchema>;
