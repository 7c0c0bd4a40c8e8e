/** Finds errors and risks in a WhatsApp account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { WhatsappConfig } from './config.ts';
import { isGroup } from './ids.ts';

export function review(config: WhatsappConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  if (config.dmPolicy === 'open' && config.allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody who knows the number can talk to the agent.',
      fix: 'Use channels.whatsapp.dmPolicy "pairing" unless that is intended.',
    });
  if (config.url?.startsWith('ws://') && !/^ws:\/\/(?:127\.|localhost|\[::1\])/.test(config.url))
    problems.push({
      kind: 'security',
      message: 'channels.whatsapp.url is not encrypted.',
      fix: 'Use an address that begins with wss://.',
    });
  const strange = Object.keys(config.groups ?? {}).filter((key) => key !== '*' && !isGroup(key));
  if (strange.length > 0)
    problems.push({
      kind: 'config',
      message: `${strange.join(', ')} in channels.whatsapp.groups is no group: groups go by their id.`,
      fix: 'Write the id, as the Channels page shows it with a message of the group, e.g. 12036304@g.us.',
    });
  return problems;
}
