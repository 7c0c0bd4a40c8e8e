/** What is wrong or dangerous in the settings of an account, before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { DiscordConfig } from './config.ts';
import { senderEntry } from './targets.ts';

export function review(config: DiscordConfig): readonly ChannelProblem[] {
  return [...directProblems(config), ...listProblems(config), ...guildProblems(config)];
}

function directProblems({ dm, dmPolicy, allowFrom }: DiscordConfig): readonly ChannelProblem[] {
  const policy = dm?.policy ?? dmPolicy;
  const list = dm?.allowFrom ?? allowFrom;
  if (policy === 'open' && !list.includes('*')) return [{ kind: 'config', message: 'Direct chats are open, but allowFrom does not contain "*".', fix: 'Add "*" to allowFrom, or choose another dmPolicy.' }];
  if (policy === 'open') return [{ kind: 'security', message: 'Anybody on Discord may write to the agent in direct chats.', fix: 'Set channels.discord.dmPolicy to pairing or allowlist.' }];
  return [];
}

function listProblems(config: DiscordConfig): readonly ChannelProblem[] {
  const guilds = Object.entries(config.guilds ?? {});
  const lists: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['allowFrom', config.allowFrom], ['groupAllowFrom', config.groupAllowFrom], ['dm.allowFrom', config.dm?.allowFrom],
    ...guilds.flatMap(([guild, { users, channels }]) => [[`guilds.${guild}.users`, users] as const, ...Object.entries(channels ?? {}).map(([channel, entry]) => [`guilds.${guild}.channels.${channel}.users`, entry.users] as const)]),
  ];
  return lists.flatMap(([key, entries = []]) => entries.filter((entry) => senderEntry(entry) === undefined).map((entry): ChannelProblem => ({
    kind: 'config', message: `channels.discord.${key} has ${JSON.stringify(entry)}, which is no user id: it matches nobody.`,
    fix: 'Turn on Developer Mode in Discord, right-click the person and copy the user id.',
  })));
}

function guildProblems(config: DiscordConfig): readonly ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  for (const [guild, { users, channels }] of Object.entries(config.guilds ?? {})) {
    if (guild !== '*' && !isId(guild)) problems.push({ kind: 'security', message: `channels.discord.guilds.${guild} goes by the name of a server, and anybody can give a server that name.`, fix: 'Use the id of the server.' });
    for (const channel of Object.keys(channels ?? {})) {
      if (channel !== '*' && !isId(channel)) problems.push({ kind: 'config', message: `channels.discord.guilds.${guild}.channels.${channel} goes by the name of a channel: renaming it changes who is answered.`, fix: 'Use the id of the channel.' });
    }
    if (guild === '*' && !users) problems.push({ kind: 'security', message: 'Everybody in every server the bot is in may write to the agent.', fix: 'Name the servers under channels.discord.guilds, or the people in guilds.*.users.' });
  }
  if (config.groupPolicy === 'open' && config.guilds === undefined) problems.push({ kind: 'security', message: 'Everybody in every server the bot is in may write to the agent.', fix: 'Set channels.discord.groupPolicy to allowlist and name servers under channels.discord.guilds.' });
  const on = ['moderation', 'roles', 'channels'].filter((gate) => config.actions[gate]);
  if (on.length > 0) problems.push({ kind: 'security', message: `The agent may use ${on.join(', ')} on Discord: whoever can write to it may talk it into that.`, fix: `Leave channels.discord.actions.${on[0]} off unless you need it.` });
  return problems;
}

const isId = (key: string): boolean => /^\d{1,25}$/.test(key);
