/** Cached names of users and chats, and each chat's kind; lookups have a short timeout. */
import { type ChatKind, type Log, onFailure, setNewest, within, present } from '../../sdk/index.ts';
import { recordOf, textOf } from './answer.ts';
import type { Api } from './api.ts';
import { chatKind } from './target.ts';

export interface User {
  readonly name?: string;
  readonly handle?: string;
  readonly isBot?: true;
}
export interface Room {
  readonly name?: string;
  readonly kind: ChatKind;
  readonly members?: number;
}

export interface Names {
  /** Answers what is known by then; an id nobody can name is simply absent. */
  resolve(wanted: {
    readonly users: readonly string[];
    readonly rooms: readonly string[];
  }): Promise<{ readonly users: ReadonlyMap<string, User>; readonly rooms: ReadonlyMap<string, Room> }>;
  /** The kind the platform itself told of a chat. */
  learnKind(id: string, kind: ChatKind): void;
  kindOf(id: string): ChatKind | undefined;
}

const WAIT_MS = 1000;
const KEPT = 2000;
const FRESH_MS = 3_600_000;
/** What could not be found out is not asked for again at once. */
const MISS_MS = 300_000;

export function createNames({ api, log }: { readonly api: Api; readonly log: Log }): Names {
  const kinds = new Map<string, ChatKind>();
  const users = cache(
    async (id): Promise<User | undefined> => readUser(recordOf((await api.call('users.info', { user: id }))['user'])),
  );
  const rooms = cache(
    async (id): Promise<Room | undefined> =>
      readRoom(
        id,
        recordOf((await api.call('conversations.info', { channel: id, include_num_members: true }))['channel']),
      ),
  );
  const ask = async <T>(from: Cache<T>, ids: readonly string[]): Promise<ReadonlyMap<string, T>> => {
    const found = new Map<string, T>();
    await Promise.all(
      [...new Set(ids)].slice(0, 20).map(async (id) => {
        const known = await from
          .get(id)
          .catch((error: unknown) =>
            log.debug('slack.name', { id, reason: error instanceof Error ? error.message : 'unknown' }),
          );
        if (known) found.set(id, known);
      }),
    );
    return found;
  };
  return {
    async resolve(wanted) {
      const [knownUsers, knownRooms] = await Promise.all([
        within(ask(users, wanted.users), { ms: WAIT_MS, otherwise: users.known() }),
        within(ask(rooms, wanted.rooms), { ms: WAIT_MS, otherwise: rooms.known() }),
      ]);
      return { users: knownUsers, rooms: calledAlone(knownRooms, rooms.known()) };
    },
    learnKind: (id, kind) => void bounded(kinds, id, kind),
    kindOf: (id) => kinds.get(id) ?? rooms.known().get(id)?.kind,
  };
}

/** A channel was renamed and another took its name: until Slack is asked again the name tells neither. */
function calledAlone(wanted: ReadonlyMap<string, Room>, known: ReadonlyMap<string, Room>): ReadonlyMap<string, Room> {
  return new Map(
    [...wanted].map(([id, room]) => {
      const { name, ...rest } = room;
      return [
        id,
        name !== undefined && [...known].some(([other, { name: its }]) => other !== id && its === name) ? rest : room,
      ];
    }),
  );
}

interface Cache<T> {
  get(id: string): Promise<T | undefined>;
  known(): ReadonlyMap<string, T>;
}

function cache<T>(fetch: (id: string) => Promise<T | undefined>): Cache<T> {
  const known = new Map<string, T>();
  const cached = new Map<string, { readonly until: number; readonly answer: Promise<T | undefined> }>();
  return {
    known: () => known,
    get(id) {
      const before = cached.get(id);
      if (before && before.until > performance.now()) return before.answer;
      const answer = fetch(id).then((value) => {
        if (value) bounded(known, id, value);
        return value;
      });
      const old = known.get(id);
      const answerNow = old ? Promise.resolve(old) : answer; // an old name serves until the new one is there
      bounded(cached, id, { until: performance.now() + FRESH_MS, answer: answerNow });
      onFailure(answer, () =>
        bounded(cached, id, { until: performance.now() + MISS_MS, answer: Promise.resolve(old) }),
      );
      return answerNow;
    },
  };
}

/** The oldest makes room. */
export const bounded = <T>(map: Map<string, T>, key: string, value: T): T => setNewest(map, key, value, KEPT);

function readUser(user: Readonly<Record<string, unknown>>): User {
  const profile = recordOf(user['profile']);
  const name =
    textOf(profile['display_name']) ??
    textOf(profile['real_name']) ??
    textOf(user['real_name']) ??
    textOf(user['name']);
  const handle = textOf(user['name']);
  return present({
    name: name || undefined,
    handle: handle || undefined,
    isBot: user['is_bot'] === true ? true : undefined,
  });
}

function readRoom(id: string, room: Readonly<Record<string, unknown>>): Room {
  const type =
    room['is_im'] === true
      ? 'im'
      : room['is_mpim'] === true
        ? 'mpim'
        : room['is_channel'] === true || room['is_group'] === true
          ? 'channel'
          : undefined;
  const name = textOf(room['name']);
  const members = typeof room['num_members'] === 'number' ? room['num_members'] : undefined;
  return present({ kind: chatKind(id, type), name: name || undefined, members });
}
