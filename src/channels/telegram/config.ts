/** Settings of one Telegram account: the common keys plus Telegram's own. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

export const INLINE_BUTTON_SCOPES = ['off', 'dm', 'group', 'all', 'allowlist'] as const;

/** Names as Telegram takes them in its commands menu. */
const customCommand = z.object({
  command: z.string().describe('Name without the slash: lower-case letters, digits and `_`, at most 32.'),
  description: z.string().min(1).describe('Description in the menu.'),
});

export const telegramConfigSchema = z.looseObject({
  ...channelShape,
  botToken: z
    .string()
    .optional()
    .describe('Bot token from @BotFather. Absent: `tokenFile`, then TELEGRAM_BOT_TOKEN. Secret.'),
  tokenFile: z.string().optional().describe('File with the token.'),
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telegram.org')
    .describe('Base URL of the Bot API server.'),
  proxy: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('HTTP proxy for all requests to Telegram, e.g. http://127.0.0.1:3128. Default: none.'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(500)
    .default(30)
    .describe('Timeout of a call in seconds; uploads and long polls have longer timeouts.'),
  webhookUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Public https URL that Telegram posts to; it must lead to `webhookPath` of the gateway. Absent: long polling.',
    ),
  webhookSecret: z
    .string()
    .optional()
    .describe(
      'Secret that Telegram sends with each request: 1 to 256 letters, digits, `_` and `-`. Required with ' +
        '`webhookUrl`. Secret.',
    ),
  webhookPath: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Path on the gateway. Default: the path of `webhookUrl`.'),
  linkPreview: z.boolean().default(true).describe('Show link previews in answers.'),
  allowBots: z.boolean().default(false).describe('Accept messages from other bots.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all'])
    .default('own')
    .describe('Reactions to report to the agent: none, those to its own messages, or all.'),
  capabilities: z
    .union([
      z.array(z.string()),
      z.looseObject({
        inlineButtons: z
          .enum(INLINE_BUTTON_SCOPES)
          .optional()
          .describe(
            'Where button presses are accepted: nowhere (`off`), in direct chats (`dm`), in groups ' +
              '(`group`), everywhere (`all`), or in groups only of people an allowlist names (`allowlist`, the ' +
              'default).',
          ),
      }),
    ])
    .optional()
    .describe('Capabilities that can be limited.'),
  customCommands: z
    .array(customCommand)
    .default([])
    .describe('Additional entries of the command menu; names of built-in commands are ignored.'),
});

export type TelegramConfig = z.output<typeof telegramConfigSchema>;
