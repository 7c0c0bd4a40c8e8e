/** Settings of one Telegram account: the keys of every channel, and Telegram's own. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

export const INLINE_BUTTON_SCOPES = ['off', 'dm', 'group', 'all', 'allowlist'] as const;

/** Names as Telegram takes them in its commands menu. */
const customCommand = z.object({
  command: z.string().describe('Name without the slash: lower-case letters, digits and `_`, at most 32.'),
  description: z.string().min(1).describe('What the menu says of it.'),
});

export const telegramConfigSchema = z.looseObject({
  ...channelShape,
  botToken: z.string().optional().describe('Token @BotFather gave, or use `tokenFile` or TELEGRAM_BOT_TOKEN. Secret.'),
  tokenFile: z.string().optional().describe('File that holds the token.'),
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telegram.org')
    .describe('Address of the Bot API server.'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(500)
    .default(30)
    .describe('Seconds a call may take; uploads and long polls take longer.'),
  webhookUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public https address Telegram posts to, leading to `webhookPath` of the gateway. Absent: long polling.'),
  webhookSecret: z
    .string()
    .optional()
    .describe(
      'Proves that a post comes from Telegram: 1 to 256 letters, digits, `_` and `-`. Needed with ' +
        '`webhookUrl`. Secret.',
    ),
  webhookPath: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Path on the port of the gateway. Default: the path of `webhookUrl`.'),
  linkPreview: z.boolean().default(true).describe('False: links in answers show no preview.'),
  allowBots: z.boolean().default(false).describe('True: what other bots write is taken too.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all'])
    .default('own')
    .describe('Reactions the agent is told of: none, those to its own messages, all.'),
  capabilities: z
    .union([
      z.array(z.string()),
      z.looseObject({
        inlineButtons: z
          .enum(INLINE_BUTTON_SCOPES)
          .optional()
          .describe(
            "Whose presses of buttons are taken: nobody's (`off`), those in direct chats (`dm`), in groups " +
              '(`group`), everywhere (`all`), or in groups only of people an allowlist names (`allowlist`, the ' +
              'default).',
          ),
      }),
    ])
    .optional()
    .describe('Abilities that can be limited.'),
  customCommands: z
    .array(customCommand)
    .default([])
    .describe('Further entries of the commands menu; a name of a command of ours is left out.'),
});

export type TelegramConfig = z.output<typeof telegramConfigSchema>;
