/** Entries that go by names where a channel knows things by ids. Pure; asked by status, the doctor and the audit. */
import type { ChannelPlugin } from '../core/channel.ts';
import { readPlaceKey } from '../core/place-key.ts';
import { formatPath, type Path } from './paths.ts';
import { isNoId } from './place-tools.ts';
import type { Issue } from './store.ts';

export type ReadsNames = Pick<ChannelPlugin, 'id' | 'label' | 'senderEntry' | 'senderIdLabel' | 'capabilities'>;

type Section = Readonly<Record<string, unknown>>;
interface Spot {
  readonly path: Path;
  readonly section: Section;
}
interface At {
  readonly channel: ReadsNames;
  readonly settingsPath: string;
}

const PEOPLE = ['allowFrom', 'groupAllowFrom', 'users', 'reactionAllowlist'] as const;
const CHATS = ['groups', 'channels'] as const;
const SPACES = ['guilds', 'teams'] as const;

/** `settings`: one account's, merged. */
export function lintNames(settings: Section, channel: ReadsNames, settingsPath: string): readonly Required<Issue>[] {
  const at = { channel, settingsPath };
  return spotsIn({ path: [], section: settings }).flatMap((spot) => [
    ...peopleIn(spot, at),
    ...limitedIn(spot, at),
    ...placesIn(spot, at),
  ]);
}

/** The account, its direct chats, its servers with their channels, its groups with their topics. */
function spotsIn(spot: Spot): readonly Spot[] {
  const inner = [...CHATS, ...SPACES, 'topics'].flatMap((table) =>
    entriesOf(spot.section[table]).flatMap(([key, section]) =>
      isSection(section) ? spotsIn({ path: [...spot.path, table, key], section }) : [],
    ),
  );
  const { dm } = spot.section;
  return [spot, ...(isSection(dm) ? [{ path: [...spot.path, 'dm'], section: dm }] : []), ...inner];
}

const peopleIn = ({ path, section }: Spot, { channel, settingsPath }: At): readonly Required<Issue>[] =>
  PEOPLE.flatMap((list) =>
    namesInList(textsOf(section[list]), channel, `${settingsPath}.${formatPath([...path, list])}`),
  );

/** What of a list is nobody's id. */
export const namesInList = (
  entries: readonly string[],
  { senderEntry, senderIdLabel = 'sender id' }: ReadsNames,
  path: string,
): readonly Required<Issue>[] =>
  entries
    .filter((entry) => entry.trim() !== '*' && senderEntry !== undefined && senderEntry(entry) === undefined)
    .map((entry) => ({
      path,
      problem: `has ${JSON.stringify(entry)}, which is no ${senderIdLabel}: it matches nobody`,
      fix: 'Write the id that /whoami tells; names change hands.',
    }));

function limitedIn({ path, section }: Spot, at: At): readonly Required<Issue>[] {
  return entriesOf(section['toolsBySender'])
    .filter(([key]) => isNoId(key, at.channel.capabilities.ids))
    .map(([key]) => ({
      path: spelled(at, [...path, 'toolsBySender', key]),
      problem: 'is no sender id: whom it means is not known, so it limits everybody there',
      fix: 'Write the id that /whoami tells.',
    }));
}

function placesIn({ path, section }: Spot, at: At): readonly Required<Issue>[] {
  const {
    id,
    label,
    capabilities: { ids },
  } = at.channel;
  if (!ids) return [];
  const named = (key: string, form: RegExp): boolean => readPlaceKey(key, form, id).kind === 'name';
  const keys = [
    ...CHATS.flatMap((table) =>
      entriesOf(section[table])
        .filter(([key]) => named(key, ids.chat))
        .map(([key]) => ({ at: [...path, table, key], what: 'chat' })),
    ),
    ...SPACES.flatMap((table) =>
      entriesOf(section[table])
        .filter(([key]) => named(key, ids.space ?? ids.chat))
        .map(([key]) => ({ at: [...path, table, key], what: 'server' })),
    ),
    ...textsOf(section['groupChannels'])
      .filter((entry) => named(entry, ids.chat))
      .map(() => ({ at: [...path, 'groupChannels'], what: 'chat' })),
  ];
  return keys.map(({ at: key, what }) => ({
    path: spelled(at, key),
    problem: ids.names
      ? `goes by the name of a ${what}: whoever can give a ${what} that name decides what it means`
      : `is no id of a ${what} on ${label}: it matches nothing`,
    fix: 'Write its id; /whoami there tells it.',
  }));
}

const spelled = ({ settingsPath }: At, path: Path): string => `${settingsPath}.${formatPath(path)}`;
const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const entriesOf = (table: unknown): readonly [string, unknown][] => (isSection(table) ? Object.entries(table) : []);
const textsOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
