/** Finds errors and risks in a Signal account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import { startsDaemon, type SignalConfig } from './config.ts';

const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

export function review(config: SignalConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  const host = config.httpUrl === undefined ? config.httpHost : new URL(config.httpUrl).hostname;
  const plain = config.httpUrl === undefined || config.httpUrl.startsWith('http:');
  if (plain && !LOCAL.has(host))
    problems.push({
      kind: 'security',
      message: `The signal-cli daemon at ${host} has no password: whoever reaches it reads and writes as the bot.`,
      fix: 'Let it listen on 127.0.0.1, or put it behind https with access control.',
    });
  if (config.httpUrl !== undefined && startsDaemon(config))
    problems.push({
      kind: 'config',
      message:
        'channels.signal.autoStart is on, and httpUrl names a daemon: a daemon is started only where none answers.',
      fix: 'Set one of both.',
    });
  if (config.dmPolicy === 'open' && config.allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody who knows the number can talk to the agent.',
      fix: 'Use channels.signal.dmPolicy "pairing" unless that is meant.',
    });
  if (config.groupPolicy === 'open')
    problems.push({
      kind: 'security',
      message: 'Everybody in every group the bot is added to can talk to the agent.',
      fix: 'Use channels.signal.groupPolicy "allowlist" and list groups in channels.signal.groups.',
    });
  return problems;
}
