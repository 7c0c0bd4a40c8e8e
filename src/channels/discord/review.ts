/** Finds errors and risks in an account's settings before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { DiscordConfig } from './config.ts';

export function review(config: DiscordConfig): readonly ChannelProblem[] {
  return [...directProblems(config), ...guildProblems(config)];
}

function directProblems({ dm, dmPolicy, allowFrom }: DiscordConfig): readonly ChannelProblem[] {
  const policy = dm?.policy ?? dmPolicy;
  const list = dm?.allowFrom ?? allowFrom;
  if (policy === 'open' && !list.includes('*'))
    return [
      {
        kind: 'config',
        message: 'Direct chats are open, but allowFrom does not contain "*".',
        fix: 'Add "*" to allowFrom, or choose another dmPolicy.',
      },
    ];
  if (policy === 'open')
    return [
      {
        kind: 'security',
        message: 'Anybody on Discord can send direct messages to the agent.',
        fix: 'Set channels.discord.dmPolicy to pairing or allowlist.',
      },
    ];
  return [];
}

function guildProblems(config: DiscordConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  for (const [guild, { users }] of Object.entries(config.guilds ?? {})) {
    if (guild === '*' && !users)
      problems.push({
        kind: 'security',
        message: 'Everybody in every server of the bot can write to the agent.',
        fix: 'List the servers in channels.discord.guilds, or the people in guilds.*.users.',
      });
  }
  if (config.groupPolicy === 'open' && config.guilds === undefined)
    problems.push({
      kind: 'security',
      message: 'Everybody in every server of the bot can write to the agent.',
      fix: 'Set channels.discord.groupPolicy to allowlist and list the servers in channels.discord.guilds.',
    });
  const on = ['moderation', 'roles', 'channels'].filter((gate) => config.actions[gate]);
  if (on.length > 0)
    problems.push({
      kind: 'security',
      message: `The agent may use ${on.join(', ')} on Discord, and everybody who can write to it may make it do so.`,
      fix: `Turn off channels.discord.actions.${on[0]} unless you need it.`,
    });
  return problems;
}
