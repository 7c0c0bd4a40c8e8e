/** Settings of a Signal account: the common keys plus those of signal-cli. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

export const signalConfig = z.looseObject({
  ...channelShape,
  account: z
    .string()
    .regex(
      /^\+[1-9]\d{5,14}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
      'must be +491701234567, or an account id',
    )
    .describe('Number of the bot in international form (E.164), or the account id of an account without a number.'),
  httpUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of a signal-cli daemon that runs already. Absent: the gateway starts one.'),
  autoStart: z
    .boolean()
    .optional()
    .describe('Start signal-cli and stop it with the gateway. Default: true without `httpUrl`, false with it.'),
  cliPath: z.string().min(1).default('signal-cli').describe('signal-cli, where it is not on PATH under this name.'),
  httpHost: z.string().min(1).default('127.0.0.1').describe('Where a daemon that the gateway starts listens.'),
  httpPort: z.number().int().min(1).max(65_535).default(8080).describe('Its port; each account needs its own.'),
  startupTimeoutMs: z
    .number()
    .int()
    .min(1000)
    .max(120_000)
    .default(30_000)
    .describe('Milliseconds a daemon may take until it answers; at most 120000.'),
  receiveMode: z
    .enum(['on-start', 'manual'])
    .default('on-start')
    .describe('When a daemon that the gateway starts receives: from its start, or once the gateway reads (`manual`).'),
  ignoreAttachments: z.boolean().default(false).describe('Do not fetch files of messages.'),
  ignoreStories: z.boolean().default(true).describe('Do not receive stories.'),
  sendReadReceipts: z.boolean().default(false).describe('Mark messages as read once they are stored.'),
  reactionNotifications: z
    .enum(['off', 'own', 'all'])
    .default('own')
    .describe('Reactions to report to the agent: none, those to its own messages, or all.'),
  mediaMaxMb: z
    .number()
    .positive()
    .default(8)
    .describe('Maximum size of a sent or received file, in megabytes. Default: 8.'),
});

export type SignalConfig = z.output<typeof signalConfig>;

export const startsDaemon = ({ autoStart, httpUrl }: SignalConfig): boolean => autoStart ?? httpUrl === undefined;

export function daemonUrl({ httpUrl, httpHost, httpPort }: SignalConfig): string {
  if (httpUrl !== undefined) return httpUrl.replace(/(?<!\/)\/+$/, '');
  return `http://${httpHost.includes(':') ? `[${httpHost}]` : httpHost}:${httpPort}`;
}
