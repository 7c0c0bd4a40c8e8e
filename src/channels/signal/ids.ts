/** Parses Signal ids of people, groups and messages, in settings, targets and sessions. Pure. */
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

const NUMBER = /^\+[1-9]\d{5,14}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** 32 bytes in base64, of old groups 16. */
const GROUP = /^[A-Za-z0-9+/_-]{22}(?:[A-Za-z0-9+/_-]{21})?={0,2}$/;
const USERNAME = /^[a-z_][a-z0-9_]{2,31}\.\d{2,9}$/i;
const PERSON = /^(?:\+[1-9]\d{5,14}|uuid:[0-9a-f-]{36}|username:\S{5,42})$/i;

export const SIGNAL_IDS: IdForms = { chat: GROUP, person: PERSON };
export const TARGET_HINT = '+491701234567, uuid:<id>, username:<name.01>, group:<group id>';

const withoutPrefix = (text: string): string =>
  text
    .trim()
    .replace(/^signal:/i, '')
    .trim();

/** `+49…`, `uuid:…` or `username:…`, always in one spelling; undefined for what is no person. */
export function personId(text: string): string | undefined {
  const bare = withoutPrefix(text)
    .replace(/^user:/i, '')
    .trim();
  const [, word, rest] = /^(uuid|username|u):(.*)$/i.exec(bare) ?? [];
  if (word?.toLowerCase() === 'uuid') return UUID.test(rest!) ? `uuid:${rest!.toLowerCase()}` : undefined;
  if (word !== undefined) return USERNAME.test(rest!) ? `username:${rest!.toLowerCase()}` : undefined;
  if (UUID.test(bare)) return `uuid:${bare.toLowerCase()}`;
  const number = bare.replace(/[\s().-]/g, '');
  return NUMBER.test(number) ? number : undefined;
}

/** Group ids keep their case: it is part of them. */
export function parseTarget(target: string): Pick<ChatAddress, 'chat'> | undefined {
  const bare = withoutPrefix(target);
  const group = /^group:(.+)$/i.exec(bare)?.[1]?.trim();
  if (group !== undefined) return GROUP.test(group) ? { chat: { kind: 'group', id: group } } : undefined;
  const person = personId(bare);
  return person === undefined ? undefined : { chat: { kind: 'direct', id: person } };
}

export function senderEntry(entry: string): string | undefined {
  const bare = withoutPrefix(entry);
  if (bare === '*') return '*';
  const person = personId(bare);
  return person?.startsWith('username:') ? undefined : person;
}

/** Whom a request to signal-cli goes to. */
export function recipientOf({ chat }: Pick<ChatAddress, 'chat'>): Readonly<Record<string, string>> {
  if (chat.kind !== 'direct') return { groupId: chat.id };
  if (chat.id.startsWith('username:')) return { username: chat.id.slice('username:'.length) };
  return { recipient: bareId(chat.id) };
}

/** `uuid:x` → `x`: how signal-cli writes people. */
export const bareId = (id: string): string => id.replace(/^uuid:/, '');

/** A message is known by who wrote it and when; of ours the time is enough. */
export interface MessageRef {
  readonly timestamp: number;
  /** Undefined: ours. */
  readonly author?: string;
}

export const messageId = ({ timestamp, author }: MessageRef): string =>
  author === undefined ? String(timestamp) : `${timestamp}:${author}`;

export function readMessageId(id: string): MessageRef | undefined {
  const [, time, author] = /^(\d{10,16})(?::(.+))?$/.exec(id) ?? [];
  if (time === undefined) return undefined;
  return author === undefined ? { timestamp: Number(time) } : { timestamp: Number(time), author };
}
