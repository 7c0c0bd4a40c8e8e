/** Settings of one mailbox: the keys of every channel, and those of its IMAP and SMTP servers. */
import { z } from 'zod';
import { channelShape, idList } from '../../sdk/index.ts';

const security = z.enum(['tls', 'starttls', 'none']);
const isLocal = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);
const port = z.number().int().min(1).max(65_535).optional();

export const emailConfig = z.looseObject({
  ...channelShape,
  address: z
    .string()
    .regex(/^[^\s@<>"(),:;\\/]{1,64}@[A-Za-z0-9.-]{1,255}$/, 'must be an e-mail address')
    .transform((address) => address.toLowerCase())
    .describe('Address of the mailbox; answers are sent from it.'),
  displayName: z.string().max(100).optional().describe('Name shown beside the address. Default: Clawdbot.'),
  imapHost: z.string().min(1).describe('IMAP server, e.g. imap.example.com.'),
  imapPort: port.describe('Default: 993, or 143 without `tls`.'),
  imapSecurity: security
    .default('tls')
    .describe('`tls`: encrypted from the start; `starttls`: encrypted by command, required; `none`: not encrypted.'),
  smtpHost: z.string().min(1).describe('SMTP server for sending, e.g. smtp.example.com.'),
  smtpPort: port.describe('Default: 465, or 587 without `tls`.'),
  smtpSecurity: security.default('tls').describe('Same values as `imapSecurity`.'),
  tlsCaFile: z
    .string()
    .optional()
    .describe('File with certificates (PEM) to trust in addition to those of the system.'),
  username: z.string().optional().describe('User name on both servers. Default: the address.'),
  password: z
    .string()
    .optional()
    .describe('Password for both servers, or use `passwordFile` or EMAIL_PASSWORD. Secret.'),
  passwordFile: z.string().optional().describe('File that contains the password.'),
  auth: z
    .enum(['password', 'oauth2'])
    .default('password')
    .describe('`password`, or `oauth2` (XOAUTH2) for servers that take access tokens, e.g. those of Microsoft 365.'),
  tokenCommand: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Program and arguments that print an access token, run without a shell; instead of a refresh token.'),
  refreshToken: z
    .string()
    .optional()
    .describe('Refresh token for `oauth2`, or use `refreshTokenFile` or EMAIL_REFRESH_TOKEN. Secret.'),
  refreshTokenFile: z.string().optional().describe('File that contains the refresh token.'),
  clientId: z.string().optional().describe('Client id of the application that the refresh token was granted to.'),
  clientSecret: z.string().optional().describe('Client secret of that application, if it has one. Secret.'),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || isLocal(new URL(url).hostname), 'must begin with https://')
    .optional()
    .describe('Where the refresh token is exchanged. Default: the address of Google or Microsoft, by `imapHost`.'),
  tokenScope: z.string().optional().describe('Scope to ask for in that exchange. Default: the scope that was granted.'),
  mailbox: z.string().min(1).default('INBOX').describe('Folder that is read.'),
  markSeen: z.boolean().default(true).describe('Mark mail as read once the gateway has stored it.'),
  pollSeconds: z
    .number()
    .int()
    .min(5)
    .max(3600)
    .default(60)
    .describe('How often to look for new mail on servers without IDLE, in seconds.'),
  authservIds: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Names under which your mail server records its sender checks (the first word of its Authentication-Results ' +
        'header). Without a name no mail is accepted.',
    ),
  senderCheck: z
    .enum(['required', 'off'])
    .default('required')
    .describe(
      '`required`: accept mail only when the server of `authservIds` confirmed the domain of the sender; `off`: ' +
        'trust the From header, which anybody can forge.',
    ),
  sendTo: idList
    .default([])
    .describe(
      'Addresses (`ann@example.com`) and domains (`@example.com`) the bot may write to first; `*` for everybody. ' +
        'It can always answer people who wrote to it, and write to those in the allowlists.',
    ),
});

export type EmailConfig = z.output<typeof emailConfig>;
