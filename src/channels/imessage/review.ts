/** Finds errors and risks in an iMessage account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { ImessageConfig } from './config.ts';

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

export function review(config: ImessageConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  for (const key of ['serverUrl', 'webhookUrl'] as const) {
    const url = config[key] === undefined ? undefined : new URL(config[key]);
    if (url?.protocol === 'http:' && !LOCAL.has(url.hostname))
      problems.push({
        kind: 'security',
        message: `channels.imessage.${key} is not https: the password and all messages cross the network unencrypted.`,
        fix: 'Use https, or a tunnel between the two machines.',
      });
  }
  if (config.serverUrl !== undefined && config.remoteHost !== undefined)
    problems.push({
      kind: 'config',
      message: 'channels.imessage names a BlueBubbles server and a Mac for imsg: the server is used.',
      fix: 'Remove serverUrl or remoteHost.',
    });
  if (config.webhookUrl !== undefined && config.serverUrl === undefined)
    problems.push({
      kind: 'config',
      message: 'channels.imessage.webhookUrl has no effect without serverUrl.',
      fix: 'Set serverUrl, or remove webhookUrl.',
    });
  if (config.dmPolicy === 'open' && config.allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody who knows the address can talk to the agent.',
      fix: 'Use channels.imessage.dmPolicy "pairing" unless this is intended.',
    });
  if (config.groupPolicy === 'open')
    problems.push({
      kind: 'security',
      message: 'Everybody in every group can talk to the agent.',
      fix: 'Use channels.imessage.groupPolicy "allowlist" and list groups in channels.imessage.groups.',
    });
  return problems;
}
