/** What is wrong or dangerous in the settings of a mailbox, before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import { tokenUrlOf } from './token-services.ts';
import type { EmailConfig } from './config.ts';

const LOCAL = new Set(['localhost', '127.0.0.1', '::1']);

export function review(config: EmailConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  for (const server of ['imap', 'smtp'] as const)
    if (config[`${server}Security`] === 'none' && !LOCAL.has(config[`${server}Host`]))
      problems.push({
        kind: 'security',
        message: `channels.email.${server}Security is "none": the password and all mail cross the network unencrypted.`,
        fix: `Set channels.email.${server}Security to "tls" or "starttls".`,
      });
  const lacks = lackingForTokens(config);
  if (lacks !== undefined)
    problems.push({
      kind: 'config',
      message: `channels.email.auth is "oauth2", and channels.email.${lacks} is not set: there is no access token.`,
      fix: `Set channels.email.${lacks}, or channels.email.tokenCommand.`,
    });
  if (config.senderCheck === 'off')
    problems.push({
      kind: 'security',
      message: 'channels.email.senderCheck is "off": anybody can write as somebody else, in commands too.',
      fix: 'Set channels.email.authservIds, and senderCheck to "required".',
    });
  else if (config.authservIds.length === 0)
    problems.push({
      kind: 'config',
      message: 'channels.email.authservIds is empty: no mail is accepted, because no sender can be confirmed.',
      fix: 'Open the source of a received mail and copy the first word of Authentication-Results, e.g. mx.google.com.',
    });
  if (config.dmPolicy === 'open' && config.allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody who has the address can use the agent by mail.',
      fix: 'Set channels.email.dmPolicy to "pairing" unless that is intended.',
    });
  return problems;
}

/** What the exchange of a refresh token cannot do without. */
function lackingForTokens(config: EmailConfig): string | undefined {
  if (config.auth !== 'oauth2' || config.tokenCommand !== undefined) return undefined;
  if (tokenUrlOf(config) === undefined) return 'tokenUrl';
  return config.clientId === undefined ? 'clientId' : undefined;
}
