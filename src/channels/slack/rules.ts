/** What a Slack account's settings say of a place: channels by id or name, and direct messages in both spellings. Pure. */
import type { PlaceFacts, PlaceRules, Setting } from '../../sdk/index.ts';
import type { SlackSettings } from './config.ts';

type Place = NonNullable<SlackSettings['channels']>[string];
interface Found { readonly path: string; readonly place: Place }

export function rules(config: SlackSettings, facts: PlaceFacts): PlaceRules {
  const at = (key: string): string => `${facts.settingsPath}.${key}`;
  const { systemPrompt, skills } = merged(placesOf(config, facts, at));
  return {
    direct: directRules(config, at),
    group: facts.chat.kind === 'group' ? groupChatRules(config, facts, at) : channelRules(config, facts, at),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(skills === undefined ? {} : { skills }),
  };
}

type At = (key: string) => string;

function directRules({ dm, dmPolicy, allowFrom }: SlackSettings, at: At): PlaceRules['direct'] {
  const policy: Setting<PlaceRules['direct']['value']> = dm?.enabled === false ? { value: 'disabled', path: at('dm.enabled') }
    : dm?.policy ? { value: dm.policy, path: at('dm.policy') }
    : { value: dmPolicy, path: at('dmPolicy') };
  return { ...policy, allowFrom: dm?.allowFrom ? { value: dm.allowFrom, path: at('dm.allowFrom') } : { value: allowFrom, path: at('allowFrom') } };
}

function channelRules(config: SlackSettings, facts: PlaceFacts, at: At): PlaceRules['group'] {
  const found = placesOf(config, facts, at);
  const listed = listedAs(config, found, at);
  const senders = sendersOf(config, found, at);
  return {
    value: config.groupPolicy, path: at('groupPolicy'),
    ...(listed ? { listed } : {}),
    ...(senders ? { senders } : {}),
    requireMention: own(found, 'requireMention') ?? (config.requireMention === undefined ? { value: true, path: at('channels') } : { value: config.requireMention, path: at('requireMention') }),
  };
}

/** Group direct messages have two settings of their own; else they count as a channel. */
function groupChatRules(config: SlackSettings, facts: PlaceFacts, at: At): PlaceRules['group'] {
  const { dm } = config;
  const as = channelRules(config, facts, at);
  if (dm?.groupEnabled === false) return { ...as, value: 'disabled', path: at('dm.groupEnabled') };
  if (!dm?.groupChannels) return as;
  return { ...as, listed: { value: dm.groupChannels.includes(facts.chat.id) || dm.groupChannels.includes('*'), path: at('dm.groupChannels') } };
}

/** `open` takes channels that are not named; one that is refused stays refused. */
function listedAs(config: SlackSettings, found: readonly Found[], at: At): Setting<boolean> | undefined {
  const said = own(found, 'allow') ?? own(found, 'enabled');
  if (said?.value === false) return said;
  if (config.groupPolicy === 'open') return undefined;
  return tableOf(config) && { value: found.length > 0, path: said?.path ?? found[0]?.path ?? at('channels') };
}

/** A channel that is named admits its members; without a table of channels the senders alone decide. */
function sendersOf(config: SlackSettings, found: readonly Found[], at: At): Setting<readonly string[]> | undefined {
  const named = own(found, 'users') ?? own(found, 'allowFrom');
  if (named) return named;
  if (config.groupAllowFrom && config.groupPolicy !== 'open') return { value: config.groupAllowFrom, path: at('groupAllowFrom') };
  if (config.groupPolicy === 'open' || found.length > 0) return undefined;
  return { value: config.allowFrom, path: at('allowFrom') };
}

const tableOf = (config: SlackSettings): { readonly key: string; readonly table: Readonly<Record<string, Place>> } | undefined =>
  config.channels ? { key: 'channels', table: config.channels } : config.groups ? { key: 'groups', table: config.groups as Readonly<Record<string, Place>> } : undefined;

/** Most specific first: by id, by name, `*`. */
function placesOf(config: SlackSettings, { chat, names }: PlaceFacts, at: At): readonly Found[] {
  const source = tableOf(config);
  if (!source || chat.kind === 'direct') return [];
  const { key, table } = source;
  const name = names?.chat?.replace(/^#/, '').toLowerCase();
  const entries = Object.entries(table);
  const spelled = (fits: (entry: string) => boolean): Found[] => entries.filter(([entry]) => fits(entry)).map(([entry, place]) => ({ path: at(`${key}.${entry}`), place }));
  return [
    ...spelled((entry) => bare(entry).toUpperCase() === chat.id),
    ...(name === undefined ? [] : spelled((entry) => entry !== '*' && bare(entry).toLowerCase() === name)),
    ...spelled((entry) => entry === '*'),
  ];
}

const bare = (entry: string): string => entry.replace(/^(?:slack:)?(?:channel:)?#?/i, '');

function own<K extends keyof Place & string>(found: readonly Found[], key: K): Setting<NonNullable<Place[K]>> | undefined {
  const hit = found.find(({ place }) => place[key] !== undefined);
  return hit && { value: hit.place[key] as NonNullable<Place[K]>, path: `${hit.path}.${key}` };
}

const merged = (found: readonly Found[]): Pick<Place, 'systemPrompt' | 'skills'> => ({ systemPrompt: own(found, 'systemPrompt')?.value, skills: own(found, 'skills')?.value });
