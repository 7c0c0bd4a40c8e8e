/** Access rules for a Slack location: channels by id or name, and both spellings of direct messages. Pure. */
import { keysFor, type PlaceFacts, type PlaceRules, type Setting, present } from '../../sdk/index.ts';
import type { SlackSettings } from './config.ts';
import { SLACK_IDS } from './target.ts';

type Place = NonNullable<SlackSettings['channels']>[string];
interface Found {
  readonly path: string;
  readonly place: Place;
  readonly byName: boolean;
}

export function rules(config: SlackSettings, facts: PlaceFacts): PlaceRules {
  const at = (key: string): string => `${facts.settingsPath}.${key}`;
  const { systemPrompt, skills } = merged(placesOf(config, facts, at));
  return present({
    direct: directRules(config, at),
    group: facts.chat.kind === 'group' ? groupChatRules(config, facts, at) : channelRules(config, facts, at),
    systemPrompt,
    skills,
  });
}

type At = (key: string) => string;

function directRules({ dm, dmPolicy, allowFrom }: SlackSettings, at: At): PlaceRules['direct'] {
  const policy: Setting<PlaceRules['direct']['value']> =
    dm?.enabled === false
      ? { value: 'disabled', path: at('dm.enabled') }
      : dm?.policy
        ? { value: dm.policy, path: at('dm.policy') }
        : { value: dmPolicy, path: at('dmPolicy') };
  return {
    ...policy,
    allowFrom: dm?.allowFrom
      ? { value: dm.allowFrom, path: at('dm.allowFrom') }
      : { value: allowFrom, path: at('allowFrom') },
  };
}

function channelRules(config: SlackSettings, facts: PlaceFacts, at: At): PlaceRules['group'] {
  const found = placesOf(config, facts, at);
  const listed = mayBeShut(config, facts, at) ?? listedAs(config, found, at);
  const senders = sendersOf(config, found, at);
  return {
    value: config.groupPolicy,
    path: at('groupPolicy'),
    ...present({ listed, senders }),
    requireMention:
      own(found, 'requireMention') ??
      (config.requireMention === undefined
        ? { value: true, path: at('channels') }
        : { value: config.requireMention, path: at('requireMention') }),
  };
}

/** Group direct messages have two settings of their own; else they count as a channel. */
function groupChatRules(config: SlackSettings, facts: PlaceFacts, at: At): PlaceRules['group'] {
  const { dm } = config;
  const as = channelRules(config, facts, at);
  if (dm?.groupEnabled === false) return { ...as, value: 'disabled', path: at('dm.groupEnabled') };
  if (!dm?.groupChannels) return as;
  return {
    ...as,
    listed: {
      value:
        keysFor(dm.groupChannels, { ids: [facts.chat.id], name: undefined }, { form: SLACK_IDS.chat, channel: 'slack' })
          .keys.length > 0,
      path: at('dm.groupChannels'),
    },
  };
}

/** `open` takes channels that are not named; one that is refused stays refused. */
function listedAs(config: SlackSettings, found: readonly Found[], at: At): PlaceRules['group']['listed'] {
  const said = own(found, 'allow') ?? own(found, 'enabled');
  if (said?.value === false) return said;
  if (config.groupPolicy === 'open') return undefined;
  return (
    tableOf(config) &&
    present({
      value: found.length > 0,
      path: said?.path ?? found[0]?.path ?? at('channels'),
      byName: found[0]?.byName ? true : undefined,
    })
  );
}

/** A channel that is named admits its members; without a table of channels the senders alone decide. */
function sendersOf(config: SlackSettings, found: readonly Found[], at: At): Setting<readonly string[]> | undefined {
  const named = own(found, 'users') ?? own(found, 'allowFrom');
  if (named) return named;
  if (config.groupAllowFrom && config.groupPolicy !== 'open')
    return { value: config.groupAllowFrom, path: at('groupAllowFrom') };
  if (config.groupPolicy === 'open' || found.length > 0) return undefined;
  return { value: config.allowFrom, path: at('allowFrom') };
}

const tableOf = (
  config: SlackSettings,
): { readonly key: string; readonly table: Readonly<Record<string, Place>> } | undefined =>
  config.channels
    ? { key: 'channels', table: config.channels }
    : config.groups
      ? { key: 'groups', table: config.groups as Readonly<Record<string, Place>> }
      : undefined;

/** Most specific first: by id, by name, `*`. */
function placesOf(config: SlackSettings, facts: PlaceFacts, at: At): readonly Found[] {
  const source = tableOf(config);
  if (!source || facts.chat.kind === 'direct') return [];
  const { keys, named } = entriesFor(source.table, facts);
  return keys.map((entry) => ({
    path: at(`${source.key}.${entry}`),
    place: source.table[entry]!,
    byName: named.includes(entry),
  }));
}

const entriesFor = (table: Readonly<Record<string, Place>>, { chat, names }: PlaceFacts) =>
  keysFor(Object.keys(table), { ids: [chat.id], name: names?.chat }, { form: SLACK_IDS.chat, channel: 'slack' });

/** Slack did not tell the channel's name in time, and an entry that shuts may mean it. */
function mayBeShut(config: SlackSettings, facts: PlaceFacts, at: At): Setting<boolean> | undefined {
  const source = tableOf(config);
  if (!source || facts.chat.kind === 'direct') return undefined;
  const { keys, maybe } = entriesFor(source.table, facts);
  const shuts = ({ allow, enabled, users, allowFrom }: Place): boolean =>
    allow === false || enabled === false || (users ?? allowFrom) !== undefined;
  const entry = keys.some((key) => key.trim() !== '*') ? undefined : maybe.find((key) => shuts(source.table[key]!));
  return entry === undefined ? undefined : { value: false, path: at(`${source.key}.${entry}`) };
}

function own<K extends keyof Place & string>(
  found: readonly Found[],
  key: K,
): Setting<NonNullable<Place[K]>> | undefined {
  const hit = found.find(({ place }) => place[key] !== undefined);
  return hit && { value: hit.place[key] as NonNullable<Place[K]>, path: `${hit.path}.${key}` };
}

const merged = (found: readonly Found[]): Pick<Place, 'systemPrompt' | 'skills'> => ({
  systemPrompt: own(found, 'systemPrompt')?.value,
  skills: own(found, 'skills')?.value,
});
