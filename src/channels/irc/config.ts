/** Settings of an IRC account: the common keys plus those of a network. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

export const ircConfig = z.looseObject({
  ...channelShape,
  host: z.string().min(1).describe('Server of the network, e.g. irc.libera.chat.'),
  port: z.number().int().min(1).max(65_535).optional().describe('Absent: 6697, without TLS 6667.'),
  tls: z.boolean().default(true).describe('False: in the clear. Passwords and all that is said can then be read.'),
  tlsCaFile: z
    .string()
    .optional()
    .describe('File with certificates (PEM) trusted beside those of the system, for a server that signs its own.'),
  nick: z
    .string()
    .regex(/^[^\s!@:#&,*]{1,30}$/, 'must be a nick')
    .describe('What the bot is called there.'),
  username: z
    .string()
    .regex(/^[^\s!@]{1,10}$/, 'must be 1 to 10 characters without spaces, ! and @')
    .default('clawdbot')
    .describe('User name (ident).'),
  realname: z.string().default('Clawdbot').describe('Shown to who asks about the bot.'),
  account: z.string().optional().describe("Account with the network's services. Absent: the nick."),
  password: z.string().optional().describe('Password of that account, or use `passwordFile` or IRC_PASSWORD. Secret.'),
  passwordFile: z.string().optional().describe('File that holds the password.'),
  certificate: z
    .string()
    .optional()
    .describe('Client certificate and its private key (PEM), or use `certificateFile`. Needs `tls`. Secret.'),
  certificateFile: z
    .string()
    .optional()
    .describe('File with the client certificate and its private key (PEM): the account is proven by SASL EXTERNAL.'),
  auth: z
    .enum(['auto', 'sasl', 'nickserv'])
    .default('auto')
    .describe(
      'How the account is proven: by SASL where the server offers it (EXTERNAL with a certificate, else PLAIN), else ' +
        'by the password to NickServ; or one of them.',
    ),
  serverPassword: z.string().optional().describe('Password of the server itself (PASS). Secret.'),
  serverPasswordFile: z.string().optional().describe('File that holds it.'),
  join: z
    .array(z.string().regex(/^[#&][^\s,:]{1,100}(?: \S{1,50})?$/, 'must be #channel, or #channel and its key'))
    .default([])
    .describe('Channels to be in, each with its key after a space where it has one; those in `groups` come along.'),
  linesAtOnce: z.number().int().min(1).max(20).default(4).describe('Lines that are sent without a pause.'),
  linePauseMs: z.number().int().min(0).max(10_000).default(1000).describe('Milliseconds between further lines.'),
  allowBots: z.boolean().default(false).describe('Hear who says to be a bot. Its own voice is never heard.'),
  catchUp: z
    .boolean()
    .default(true)
    .describe('After an outage, fetch what was written meanwhile, where the server keeps a history.'),
});

export type IrcConfig = z.output<typeof ircConfig>;

/** What the gateway is in: each room once, with its key. */
export function roomsOf({ join, groups = {} }: IrcConfig): ReadonlyMap<string, string | undefined> {
  const named = Object.keys(groups).filter((key) => /^[#&]/.test(key));
  return new Map(
    [...named, ...join].map((entry) => {
      const [room = '', key] = entry.split(' ');
      return [room, key] as const;
    }),
  );
}
