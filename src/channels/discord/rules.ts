/** Access rules for a Discord location: `guilds` and their channels, and both spellings of direct messages. Pure. */
import {
  commonRules,
  keysFor,
  type PlaceFacing,
  type PlaceFacts,
  type PlaceRules,
  type Setting,
  present,
} from '../../sdk/index.ts';
import type { ChannelEntry, DiscordConfig, GuildEntry } from './config.ts';
import { DISCORD_IDS } from './targets.ts';

export function discordRules(config: DiscordConfig, place: PlaceFacts): PlaceRules {
  const direct = directRules(config, place.settingsPath);
  if (place.chat.kind === 'group') return { direct, group: groupChatRules(config, place) };
  if (config.guilds === undefined) return { ...commonRules({ ...config, dmPolicy: direct.value }, place), direct };
  const at = `${place.settingsPath}.guilds`;
  const guild = guildOf(config, place);
  if (!guild)
    return {
      direct,
      group: {
        ...policyOf(config, place),
        listed: { value: false, path: at },
        requireMention: { value: true, path: at },
      },
    };
  return { direct, ...guildRules(config, place, guild) };
}

interface Found<T> {
  readonly key: string;
  readonly entry: T;
  readonly byName: boolean;
}

/** By id, by its name, then `*`. */
export function guildOf(
  config: Pick<DiscordConfig, 'guilds'>,
  { spaceId, names }: Pick<PlaceFacts, 'spaceId' | 'names'>,
): Found<GuildEntry> | undefined {
  return pick(config.guilds, { ids: [spaceId], name: names?.space });
}

/** A thread by its own id first; its name is the choice of whoever opened it and finds nothing. */
export function channelOf(
  guild: GuildEntry,
  { chat, threadId, names }: Pick<PlaceFacts, 'chat' | 'threadId' | 'names'>,
): Found<ChannelEntry> | undefined {
  return pick(guild.channels, { ids: [threadId, chat.id], name: names?.chat });
}

/** `*` stands in for no place that an entry may mean by a name nobody told. */
function pick<T>(entries: Readonly<Record<string, T>> = {}, place: PlaceFacing): Found<T> | undefined {
  const {
    keys: [key],
    maybe,
    named,
  } = keysFor(Object.keys(entries), place, KEYS);
  return key === undefined || (key.trim() === '*' && maybe.length > 0)
    ? undefined
    : { key, entry: entries[key]!, byName: named.includes(key) };
}

const KEYS = { form: DISCORD_IDS.chat, channel: 'discord' } as const;

function directRules(config: DiscordConfig, at: string): PlaceRules['direct'] {
  const { dm } = config;
  const allowFrom = dm?.allowFrom
    ? { value: dm.allowFrom, path: `${at}.dm.allowFrom` }
    : { value: config.allowFrom, path: `${at}.allowFrom` };
  if (dm?.enabled === false) return { value: 'disabled', path: `${at}.dm.enabled`, allowFrom };
  if (dm?.policy) return { value: dm.policy, path: `${at}.dm.policy`, allowFrom };
  return { value: config.dmPolicy ?? 'pairing', path: `${at}.dmPolicy`, allowFrom };
}

const policyOf = (
  { groupPolicy }: DiscordConfig,
  { settingsPath }: PlaceFacts,
): Setting<DiscordConfig['groupPolicy']> => ({ value: groupPolicy, path: `${settingsPath}.groupPolicy` });

/** Group direct chats: off unless turned on, then by list. */
function groupChatRules(config: DiscordConfig, place: PlaceFacts): PlaceRules['group'] {
  const at = `${place.settingsPath}.dm`;
  const requireMention = { value: true, path: at };
  if (!config.dm?.groupEnabled) return { value: 'disabled', path: `${at}.groupEnabled`, requireMention };
  const { groupChannels } = config.dm;
  return {
    ...policyOf(config, place),
    requireMention,
    ...present({
      listed: groupChannels
        ? {
            value: keysFor(groupChannels, { ids: [place.chat.id], name: place.names?.chat }, KEYS).keys.length > 0,
            path: `${at}.groupChannels`,
          }
        : undefined,
      senders: config.groupPolicy !== 'open' ? groupSenders(config, place.settingsPath) : undefined,
    }),
  };
}

function groupSenders(config: DiscordConfig, at: string): Setting<readonly string[]> {
  if (config.groupAllowFrom) return { value: config.groupAllowFrom, path: `${at}.groupAllowFrom` };
  return config.dm?.allowFrom
    ? { value: config.dm.allowFrom, path: `${at}.dm.allowFrom` }
    : { value: config.allowFrom, path: `${at}.allowFrom` };
}

function guildRules(
  config: DiscordConfig,
  place: PlaceFacts,
  { key, entry: guild, byName }: Found<GuildEntry>,
): Omit<PlaceRules, 'direct'> {
  const at = `${place.settingsPath}.guilds.${key}`;
  const channel = channelOf(guild, place);
  const channelAt = channel ? `${at}.channels.${channel.key}` : at;
  const own = <K extends 'users' | 'requireMention'>(name: K): Setting<NonNullable<ChannelEntry[K]>> | undefined => {
    if (channel?.entry[name] !== undefined)
      return { value: channel.entry[name] as NonNullable<ChannelEntry[K]>, path: `${channelAt}.${name}` };
    return guild[name] === undefined
      ? undefined
      : { value: guild[name] as NonNullable<ChannelEntry[K]>, path: `${at}.${name}` };
  };
  const senders =
    own('users') ??
    (config.groupAllowFrom && config.groupPolicy !== 'open' ? groupSenders(config, place.settingsPath) : undefined);
  return {
    group: {
      ...policyOf(config, place),
      listed: {
        ...listed(guild, channel, { at, channelAt }),
        ...present({ byName: byName || channel?.byName ? true : undefined }),
      },
      ...present({ senders }),
      requireMention: own('requireMention') ?? { value: true, path: at },
    },
    ...(channel?.entry.systemPrompt === undefined ? {} : { systemPrompt: channel.entry.systemPrompt }),
    ...(channel?.entry.skills === undefined ? {} : { skills: channel.entry.skills }),
  };
}

/** A guild that is named is listed with all its channels, until it lists channels itself. A deny beats everything. */
function listed(
  guild: GuildEntry,
  channel: Found<ChannelEntry> | undefined,
  { at, channelAt }: { at: string; channelAt: string },
): Setting<boolean> {
  if (!guild.channels) return { value: true, path: at };
  if (!channel) return { value: false, path: `${at}.channels` };
  if (channel.entry.allow === false) return { value: false, path: `${channelAt}.allow` };
  return {
    value: channel.entry.enabled !== false,
    path: channel.entry.enabled === false ? `${channelAt}.enabled` : channelAt,
  };
}
