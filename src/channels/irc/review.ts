/** Finds errors and risks in an IRC account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import { roomsOf, type IrcConfig } from './config.ts';

const LOCAL = new Set(['localhost', '127.0.0.1', '::1']);

export function review(config: IrcConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  if (!config.tls && !LOCAL.has(config.host))
    problems.push({
      kind: 'security',
      message: 'channels.irc.tls is false: passwords and all that is said cross the network in the clear.',
      fix: 'Leave channels.irc.tls on and use the TLS port of the network, mostly 6697.',
    });
  if (config.dmPolicy === 'open' && config.allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody on the network can talk to the agent in direct messages.',
      fix: 'Use channels.irc.dmPolicy "pairing" unless that is meant.',
    });
  const masks = [...config.allowFrom, ...(config.groupAllowFrom ?? [])].filter((entry) => entry.includes('!'));
  if (masks.length > 0)
    problems.push({
      kind: 'security',
      message: `${masks.join(', ')} in an allowlist is a nick with its host, which others can take over.`,
      fix: "Have these people log in to the network's services and list their accounts.",
    });
  if (config.groupPolicy !== 'disabled' && roomsOf(config).size === 0)
    problems.push({
      kind: 'config',
      message: 'The bot is in no channel: channels.irc.join and channels.irc.groups name none.',
      fix: 'Add channels to channels.irc.join, or set groupPolicy "disabled".',
    });
  return problems;
}
