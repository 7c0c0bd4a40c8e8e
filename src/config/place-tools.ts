/**
 * Where a channel's settings limit tools by place: groups and channels, topics, servers with their channels; for the
 * channel and for each account. Pure.
 */
import { z } from 'zod';
import { spellings, type IdForms } from '../core/place-key.ts';
import { toolListsSchema } from './channel-config.ts';
import type { Path } from './paths.ts';

const placeToolsSchema = z.looseObject({
  tools: toolListsSchema.optional(),
  toolsBySender: z.record(z.string(), toolListsSchema).optional(),
});
export type PlaceTools = Pick<z.output<typeof placeToolsSchema>, 'tools' | 'toolsBySender'>;

/**
 * One entry that may limit tools. `path` begins below `channels.<id>`. What is absent limits nothing: a whole server,
 * every account.
 */
export interface ListedPlace {
  readonly path: Path;
  readonly limits: PlaceTools;
  readonly account?: string;
  /** The key under `guilds` or `teams`. */
  readonly space?: string;
  /** The key under `groups` or `channels`. */
  readonly chat?: string;
  /** The key under `topics`. */
  readonly topic?: string;
}

type Where = Omit<ListedPlace, 'limits'>;
type Section = Readonly<Record<string, unknown>>;

const CHATS = ['groups', 'channels'] as const;
const SPACES = ['guilds', 'teams'] as const;

/** `settings`: one channel's. An entry that makes no sense limits to no tool at all: its channel refuses it anyhow. */
export function listedPlaces(settings: Section | undefined): readonly ListedPlace[] {
  const accounts = entriesOf(settings?.['accounts']).flatMap(([account, own]) =>
    placesIn(own, { path: ['accounts', account], account }),
  );
  return [...accounts, ...placesIn(settings, { path: [] })];
}

function placesIn(section: unknown, at: Where): readonly ListedPlace[] {
  return [
    ...chatsIn(section, at),
    ...SPACES.flatMap((list) =>
      entriesOf(own(section, list)).flatMap(([space, entry]) => {
        const here = { ...at, path: [...at.path, list, space], space };
        return [placed(entry, here), ...chatsIn(entry, here)];
      }),
    ),
  ];
}

function chatsIn(section: unknown, at: Where): readonly ListedPlace[] {
  return CHATS.flatMap((list) =>
    entriesOf(own(section, list)).flatMap(([chat, entry]) => {
      const here = { ...at, path: [...at.path, list, chat], chat };
      return [
        placed(entry, here),
        ...entriesOf(own(entry, 'topics')).map(([topic, part]) =>
          placed(part, { ...here, path: [...here.path, 'topics', topic], topic }),
        ),
      ];
    }),
  );
}

function placed(entry: unknown, where: Where): ListedPlace {
  const read = placeToolsSchema.safeParse(entry);
  return { ...where, limits: read.success ? read.data : { tools: { deny: ['*'] } } };
}

/** A key of `toolsBySender` that is a person's name, which that person can change. */
export function isNoId(sender: string, ids?: Pick<IdForms, 'person'>): boolean {
  if (sender.trim() === '*') return false;
  return (
    /^(?:name|username|channel):|^@/.test(sender.trim()) ||
    (ids?.person !== undefined && !spellings(sender).some((one) => ids.person!.test(one)))
  );
}

const own = (section: unknown, key: string): unknown =>
  typeof section === 'object' && section !== null && Object.hasOwn(section, key)
    ? (section as Section)[key]
    : undefined;
const entriesOf = (table: unknown): readonly [string, unknown][] =>
  typeof table === 'object' && table !== null ? Object.entries(table) : [];
