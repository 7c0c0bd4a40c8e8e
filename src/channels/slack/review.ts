/** What is wrong or dangerous in a Slack account's settings, before anything connects. Pure. */
import type { ChannelProblem } from '../../sdk/index.ts';
import type { SlackSettings } from './config.ts';
import { senderEntry } from './target.ts';

export function review(config: SlackSettings): readonly ChannelProblem[] {
  return [...openDoors(config), ...namesForIds(config), ...toolsByName(config), ...transport(config)];
}

function openDoors(config: SlackSettings): ChannelProblem[] {
  const policy = config.dm?.policy ?? config.dmPolicy;
  const allowFrom = config.dm?.allowFrom ?? config.allowFrom;
  const problems: ChannelProblem[] = [];
  if (policy === 'open' && !allowFrom.includes('*')) problems.push({ kind: 'config', message: 'Direct messages are open, and `allowFrom` has no `*`: nobody but those listed is answered.', fix: 'Add "*" to channels.slack.allowFrom, or use dmPolicy "pairing".' });
  if (policy === 'open' && allowFrom.includes('*')) problems.push({ kind: 'security', message: 'Everybody in the workspace can talk to the agent in direct messages.', fix: 'Use channels.slack.dmPolicy "pairing" unless that is meant.' });
  if (config.groupPolicy === 'open') problems.push({ kind: 'security', message: 'Every channel the bot is a member of can talk to the agent.', fix: 'Use channels.slack.groupPolicy "allowlist" and list channels in channels.slack.channels.' });
  if (config.allowBots) problems.push({ kind: 'security', message: 'Messages of other bots are taken: two bots may talk to each other without end.', fix: 'Turn channels.slack.allowBots off unless that is meant.' });
  return problems;
}

function namesForIds(config: SlackSettings): ChannelProblem[] {
  const lists: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['allowFrom', config.allowFrom], ['dm.allowFrom', config.dm?.allowFrom], ['groupAllowFrom', config.groupAllowFrom],
    ...Object.entries(config.channels ?? {}).map(([key, place]) => [`channels.${key}.users`, place.users ?? place.allowFrom] as const),
  ];
  const people = lists.flatMap(([key, entries]): ChannelProblem[] => {
    const names = (entries ?? []).filter((entry) => senderEntry(entry) === undefined);
    return names.length === 0 ? [] : [{ kind: 'config', message: `channels.slack.${key} names ${names.join(', ')}: no Slack user id, so it lets nobody in. Names can be changed by anybody.`, fix: 'Write the member id (profile, "Copy member ID"), such as U012AB3CD.' }];
  });
  const rooms = Object.keys(config.channels ?? {}).filter((key) => key !== '*' && !/^(?:channel:)?[CG][A-Z0-9]{2,}$/.test(key));
  return [...people, ...(rooms.length === 0 ? [] : [{ kind: 'config', message: `channels.slack.channels names ${rooms.join(', ')} by name: whoever renames a channel changes who is answered.`, fix: 'Write the channel id (channel details, at the bottom), such as C012AB3CD.' } as const])];
}

/** Under a name the limit holds for as long as the channel is called so. */
function toolsByName({ channels = {} }: SlackSettings): ChannelProblem[] {
  const named = Object.entries(channels).filter(([key, { tools, toolsBySender }]) => (tools ?? toolsBySender) !== undefined && key !== '*' && !/^[CG][A-Z0-9]{2,}$/.test(key)).map(([key]) => key);
  return named.length === 0 ? [] : [{ kind: 'security', message: `channels.slack.channels limits tools for ${named.join(', ')}, which is no channel id: whoever renames the channel lifts the limit.`, fix: 'Write the channel id as the key, such as C012AB3CD.' }];
}

function transport(config: SlackSettings): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  const root = new URL(config.apiRoot);
  if (root.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(root.hostname)) problems.push({ kind: 'security', message: 'channels.slack.apiRoot is not https: the bot token crosses the network in the clear.', fix: 'Use an https address.' });
  if (config.slashCommand.name.startsWith('/')) problems.push({ kind: 'config', message: 'channels.slack.slashCommand.name begins with a slash.', fix: `Write "${config.slashCommand.name.slice(1)}".` });
  return problems;
}
