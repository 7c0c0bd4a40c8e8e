/** Settings of a Microsoft Teams account: the common keys plus those of an Azure bot. */
import { z } from 'zod';
import { channelShape } from '../../sdk/index.ts';

const url = z.url({ protocol: /^https?$/ });

export const teamsConfig = z.looseObject({
  ...channelShape,
  appId: z.uuid().optional().describe('Application (client) id of the bot; also MSTEAMS_APP_ID.'),
  appPassword: z
    .string()
    .optional()
    .describe('Client secret of the bot, or use `appPasswordFile` or MSTEAMS_APP_PASSWORD. Secret.'),
  appPasswordFile: z.string().optional().describe('File that holds the client secret.'),
  tenantId: z.uuid().describe('Directory (tenant) id: only people of this directory are listened to.'),
  webhookPath: z
    .string()
    .startsWith('/')
    .default('/msteams/messages')
    .describe('Path on the gateway that the messaging endpoint of the bot leads to.'),
  replyStyle: z
    .enum(['thread', 'top-level'])
    .default('thread')
    .describe('Answers in a channel: in the thread of the message, or as a new post.'),
  mediaAllowHosts: z
    .array(z.string().min(1))
    .default(['*.sharepoint.com', '*.sharepoint.us', '*.svc.ms', '*.skype.com', '*.trafficmanager.net'])
    .describe('Hosts that files of messages are fetched from.'),
  serviceHosts: z
    .array(z.string().min(1))
    .default(['*.trafficmanager.net', '*.botframework.com', '*.botframework.us'])
    .describe('Hosts that answers may be sent to.'),
  serviceUrl: url
    .default('https://smba.trafficmanager.net/teams/')
    .describe('Bot Connector for people who never wrote to the bot.'),
  loginUrl: url.default('https://login.microsoftonline.com').describe('Where the bot gets its tokens.'),
  openIdUrl: url
    .default('https://login.botframework.com/v1/.well-known/openidconfiguration')
    .describe('Where the keys are listed that the connector signs its requests with.'),
  issuer: z.string().default('https://api.botframework.com').describe('Issuer of those requests.'),
  mediaMaxMb: z
    .number()
    .positive()
    .default(20)
    .describe('Maximum size of a sent or received file, in megabytes. Default: 20.'),
  reactionNotifications: z
    .enum(['off', 'own'])
    .default('own')
    .describe('Reactions to report to the agent: none, or those to its own messages.'),
});

export type TeamsConfig = z.output<typeof teamsConfig>;

/** `*.a.com` is every host below `a.com`; without https only this machine. */
export function isAllowedHost(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  const local = hostname === '127.0.0.1' || hostname === 'localhost';
  if (protocol !== 'https:' && !(protocol === 'http:' && local)) return false;
  return hosts.some((host) => {
    const wanted = host.toLowerCase();
    return wanted.startsWith('*.') ? hostname.endsWith(wanted.slice(1)) : hostname === wanted;
  });
}
