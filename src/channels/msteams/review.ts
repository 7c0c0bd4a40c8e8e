/** Finds errors and risks in a Teams account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { TeamsConfig } from './config.ts';

const OFFICIAL = {
  loginUrl: /^https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\/?$/,
  openIdUrl: /^https:\/\/login\.botframework\.(?:com|azure\.us)\//,
} as const;

export function review(config: TeamsConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  for (const key of ['loginUrl', 'openIdUrl'] as const)
    if (!OFFICIAL[key].test(config[key]))
      problems.push({
        kind: 'security',
        message: `channels.msteams.${key} is not an address of Microsoft: whoever runs it can speak for anybody.`,
        fix: `Remove channels.msteams.${key} unless this is a test.`,
      });
  if (config.dmPolicy === 'open' && config.allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody in the directory can talk to the agent.',
      fix: 'Use channels.msteams.dmPolicy "pairing" unless this is intended.',
    });
  if (config.groupPolicy === 'open')
    problems.push({
      kind: 'security',
      message: 'Everybody in every chat and team the bot is added to can talk to the agent.',
      fix: 'Use channels.msteams.groupPolicy "allowlist" and list chats in channels.msteams.groups.',
    });
  return problems;
}
