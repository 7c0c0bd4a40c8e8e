/** Settings of one WhatsApp account: the common keys plus WhatsApp's own. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

const reconnect = z
  .object({
    firstMs: z.number().int().min(0).default(2000).describe('Milliseconds before the first new attempt.'),
    maxMs: z.number().int().min(1).default(30_000).describe('Longest pause between attempts, in milliseconds.'),
    factor: z.number().min(1).max(10).default(1.8).describe('Each pause is this many times the one before.'),
    maxAttempts: z
      .number()
      .int()
      .min(1)
      .default(12)
      .describe('Attempts in a row; then the gateway restarts the account with its own pauses.'),
  })
  .describe('How the connection is opened again after it broke.');

export const whatsappConfig = z.looseObject({
  ...channelShape,
  authDir: z
    .string()
    .regex(/^(?:\/|[a-z]:[\\/])/i, 'must be an absolute path')
    .optional()
    .describe('Folder of the linked device. Default: a folder of this account in the state directory.'),
  selfChatMode: z
    .boolean()
    .default(false)
    .describe(
      'True: the account is your own number. Only your chat with yourself and people in allowFrom are answered, ' +
        'nobody gets a pairing code, and nothing is marked as read.',
    ),
  messagePrefix: z
    .string()
    .optional()
    .describe('Text before answers in your chat with yourself. Default: the name of the account in brackets.'),
  sendReadReceipts: z.boolean().default(true).describe('Mark messages as read once the gateway has taken them.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all'])
    .default('own')
    .describe('Reactions to report to the agent: none, those to its own messages, or all.'),
  catchUp: z
    .boolean()
    .default(true)
    .describe('After an outage, also take messages that only the history of the phone still has.'),
  catchUpHours: z
    .number()
    .min(1)
    .max(24 * 14)
    .default(24 * 3)
    .describe('Older messages of an outage are not answered, in hours.'),
  url: z
    .url({ protocol: /^wss?$/ })
    .optional()
    .describe('Address of the WhatsApp Web server. Default: that of the library.'),
  webVersion: z
    .string()
    .regex(/^\d{1,3}\.\d{1,6}\.\d{1,12}$/, 'must be three numbers, e.g. 2.3000.1043857760')
    .optional()
    .describe('Version of WhatsApp Web to report, for when WhatsApp refuses that of the library.'),
  library: z
    .string()
    .min(1)
    .default('baileys')
    .describe('Package, or absolute path of a module, that speaks WhatsApp Web with the API of baileys 7.'),
  reconnect: reconnect.prefault({}),
});

export type WhatsappConfig = z.output<typeof whatsappConfig>;
