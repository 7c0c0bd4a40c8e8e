/** Finds errors and risks in a Slack account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { SlackSettings } from './config.ts';

export function review(config: SlackSettings): readonly ChannelProblem[] {
  return [...openAccess(config), ...transport(config)];
}

function openAccess(config: SlackSettings): ChannelProblem[] {
  const policy = config.dm?.policy ?? config.dmPolicy;
  const allowFrom = config.dm?.allowFrom ?? config.allowFrom;
  const problems: ChannelProblem[] = [];
  if (policy === 'open' && !allowFrom.includes('*'))
    problems.push({
      kind: 'config',
      message: 'Direct messages are open, but `allowFrom` has no `*`: only listed senders are answered.',
      fix: 'Add "*" to channels.slack.allowFrom, or use dmPolicy "pairing".',
    });
  if (policy === 'open' && allowFrom.includes('*'))
    problems.push({
      kind: 'security',
      message: 'Everybody in the workspace can talk to the agent in direct messages.',
      fix: 'Use channels.slack.dmPolicy "pairing" unless this is intended.',
    });
  if (config.groupPolicy === 'open')
    problems.push({
      kind: 'security',
      message: 'Every channel the bot is a member of can talk to the agent.',
      fix: 'Use channels.slack.groupPolicy "allowlist" and list channels in channels.slack.channels.',
    });
  if (config.allowBots)
    problems.push({
      kind: 'security',
      message: 'Messages from other bots are accepted: two bots can talk to each other endlessly.',
      fix: 'Turn off channels.slack.allowBots unless this is intended.',
    });
  return problems;
}

function transport(config: SlackSettings): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  const root = new URL(config.apiRoot);
  if (root.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(root.hostname))
    problems.push({
      kind: 'security',
      message: 'channels.slack.apiRoot is not https: the bot token is sent unencrypted.',
      fix: 'Use an https address.',
    });
  if (config.slashCommand.name.startsWith('/'))
    problems.push({
      kind: 'config',
      message: 'channels.slack.slashCommand.name begins with a slash.',
      fix: `Write "${config.slashCommand.name.slice(1)}".`,
    });
  return problems;
}
