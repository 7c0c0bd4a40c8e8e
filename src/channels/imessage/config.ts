/** Settings of an iMessage account: the common keys plus those of imsg or BlueBubbles. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

export const imessageConfig = z.looseObject({
  ...channelShape,
  cliPath: z.string().min(1).default('imsg').describe('imsg, where it is not on PATH under this name.'),
  dbPath: z.string().optional().describe('Messages database. Absent: ~/Library/Messages/chat.db of the Mac.'),
  remoteHost: z
    .string()
    .regex(/^(?!-)[\w.@:%[\]-]{1,255}$/, 'must be a host as ssh takes it: user@mac.local')
    .optional()
    .describe('Mac that imsg runs on, reached by ssh with a key: user@mac.local. Absent: this machine.'),
  attachmentRoots: z
    .array(z.string().min(1))
    .default(['~/Library/Messages/Attachments'])
    .describe('Folders of this machine that files of messages are read from.'),
  serverUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of a BlueBubbles server, in place of imsg.'),
  password: z.string().optional().describe('Its password, or use `passwordFile` or BLUEBUBBLES_PASSWORD. Secret.'),
  passwordFile: z.string().optional().describe('File that holds the password.'),
  webhookUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address under which the BlueBubbles server reaches `webhookPath` of the gateway; it is registered there. ' +
        'Absent: the gateway only polls.',
    ),
  webhookPath: z.string().startsWith('/').default('/imessage/webhook').describe('Path on the gateway.'),
  pollSeconds: z
    .number()
    .min(0.05)
    .max(3600)
    .optional()
    .describe('Seconds between two queries of BlueBubbles. Default: 3, with a webhook 30.'),
  service: z
    .enum(['auto', 'imessage', 'sms'])
    .default('auto')
    .describe('How direct messages are sent: by iMessage or SMS as the Mac decides (`auto`), or by one of them.'),
  smsFallback: z
    .boolean()
    .default(true)
    .describe('With `service: "auto"`: send by SMS to somebody who has no iMessage.'),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters, e.g. US')
    .default('US')
    .describe('Country of numbers without a prefix.'),
  includeAttachments: z.boolean().default(true).describe('Receive files.'),
  sendReadReceipts: z.boolean().default(false).describe('Mark a chat as read once its message is stored.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all'])
    .default('own')
    .describe('Tapbacks to report to the agent: none, those to its own messages, or all.'),
  mediaMaxMb: z
    .number()
    .positive()
    .default(16)
    .describe('Maximum size of a sent or received file, in megabytes. Default: 16.'),
});

export type ImessageConfig = z.output<typeof imessageConfig>;
