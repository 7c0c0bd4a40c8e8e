/** The access rules of one chat, each with the path of the setting that its value comes from. */
import type { ChannelPlugin } from '../../core/channel.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { PlaceFacts, PlaceRules } from '../../core/place-rules.ts';
import { rawSettings, settingsOf } from '../../config/channel-config.ts';
import { commonRules } from '../../config/channel-rules.ts';
import { present } from '../../core/present.ts';

type Channels = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** What of a message tells its place. */
export type Placed = Pick<InboundMessage, 'address' | 'spaceId' | 'place'>;

/** `problem`: the settings make no sense, so the place is shut. */
export interface RulesFound {
  readonly rules: PlaceRules;
  readonly problem?: string;
}

export type ReadPlaceRules = (
  plugin: Pick<ChannelPlugin, 'id' | 'config' | 'rules' | 'capabilities'>,
  channels: Channels,
  message: Placed,
) => RulesFound;

/** Remembers parsed settings for as long as their configuration, which is frozen once loaded, is in force. */
export function createPlaceRules(): ReadPlaceRules {
  const memo = new WeakMap<Channels, Map<string, Parsed>>();
  const parsed = (plugin: Parameters<ReadPlaceRules>[0], channels: Channels, accountId: string): Parsed => {
    const known = memo.get(channels) ?? new Map<string, Parsed>();
    memo.set(channels, known);
    const key = `${plugin.id}\n${accountId}`;
    const found = known.get(key) ?? parse(plugin, channels, accountId);
    known.set(key, found);
    return found;
  };
  return (plugin, channels, { address, spaceId, place }) => {
    const facts: PlaceFacts = present({
      chat: address.chat,
      settingsPath: `channels.${plugin.id}`,
      threadId: address.threadId,
      spaceId,
      names: place,
      ids: plugin.capabilities.ids,
    });
    if (!plugin.rules) return { rules: commonRules(settingsOf(channels, plugin.id, address.accountId), facts) };
    const settings = parsed(plugin, channels, address.accountId);
    return 'problem' in settings
      ? { rules: shut(facts.settingsPath), problem: settings.problem }
      : { rules: plugin.rules(settings.config, facts) };
  };
}

type Parsed = { readonly config: unknown } | { readonly problem: string };

function parse(plugin: Parameters<ReadPlaceRules>[0], channels: Channels, accountId: string): Parsed {
  const read = plugin.config.safeParse(rawSettings(channels, plugin.id, accountId));
  if (read.success) return { config: read.data };
  const [issue] = read.error.issues;
  return { problem: `channels.${plugin.id}.${(issue?.path ?? []).join('.')}: ${issue?.message ?? 'is not valid'}` };
}

const shut = (path: string): PlaceRules => ({
  direct: { value: 'disabled', path, allowFrom: { value: [], path } },
  group: { value: 'disabled', path, requireMention: { value: true, path } },
});

/**
 * Rules speak of `channels.<id>`; this says where a value stands: with the account, with the channel, or in
 * `channels.defaults`.
 */
export function whereSet(
  channels: Channels,
  { channel, accountId }: { readonly channel: string; readonly accountId: string },
): (setting: string) => string {
  const own = `channels.${channel}.`;
  const accounts = channels[channel]?.['accounts'];
  const named = Object.entries(isSection(accounts) ? accounts : {}).find(
    ([id]) => id.trim().toLowerCase() === accountId,
  );
  return (setting) => {
    if (!setting.startsWith(own)) return setting;
    const rest = setting.slice(own.length);
    const key = rest.split('.')[0]!;
    if (named && isSection(named[1]) && key in named[1]) return `${own}accounts.${named[0]}.${rest}`;
    return !(key in (channels[channel] ?? {})) && key in (channels['defaults'] ?? {})
      ? `channels.defaults.${rest}`
      : setting;
  };
}

const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
