/** Converts an IRC message to message facts. Pure, except for generated ids. */
import { createHash, randomUUID } from 'node:crypto';
import { NOTHING_SAID, typed, type SaidWords } from '../../sdk/said.ts';
import { present, type InboundMessage } from '../../sdk/index.ts';
import { wordsOf } from './formatting.ts';
import type { IrcMessage } from './message.ts';
import { fold, isRoom } from './names.ts';

export interface ProcessScanner {
  readonly accountId: string;
  /** The nick we have right now. */
  readonly self: string;
  /** The stable id of who wrote. */
  readonly person: string;
  /** A message of ours, by its id. */
  isOurs(id: string): boolean;
  /** Somebody with this nick is known. */
  isThere(nick: string): boolean;
  /** What stands before a room's name where only some of it are meant, e.g. `@`. */
  readonly statusMarks: string;
  readonly now: number;
}

/** Where a message was written: a room, or undefined for a message to us alone. */
export function roomOf(target: string, statusMarks: string): string | undefined {
  const bare = statusMarks.includes(target[0] ?? ' ') && isRoom(target.slice(1)) ? target.slice(1) : target;
  return isRoom(bare) ? fold(bare) : undefined;
}

export function normalise(message: IrcMessage, where: ProcessScanner): InboundMessage | undefined {
  const [target = '', raw = ''] = message.params;
  const action = /^\u0001ACTION ([^\u0001]*)\u0001?$/.exec(raw)?.[1];
  if (action === undefined && raw.startsWith('\u0001')) return undefined; // questions of clients, file offers
  const words = wordsOf(action ?? raw).trim();
  if (words === '') return undefined;
  const room = roomOf(target, where.statusMarks);
  const at = timeOf(message, where.now);
  const said =
    action === undefined ? spoken(words, where) : { text: `* ${message.nick} ${words}`, words: NOTHING_SAID };
  const replied = message.tags.get('+draft/reply') ?? message.tags.get('+reply');
  const named = mentions(words, where.self);
  return {
    id: idOf(message, where),
    address: {
      channel: 'irc',
      accountId: where.accountId,
      chat: room === undefined ? { kind: 'direct', id: where.person } : { kind: 'group', id: room },
    },
    sender: {
      id: where.person,
      name: message.nick,
      handle: message.nick,
      ...present({ isBot: message.tags.has('bot') ? (true as const) : undefined }),
    },
    text: said.text,
    said: said.words,
    attachments: [],
    addressesBot: room === undefined || named || (replied !== undefined && where.isOurs(replied)),
    ...present({
      mentionsOthers: !named && addressed(words, where) ? true : undefined,
      quoted: replied === undefined ? undefined : { id: replied },
      forwarded: said.from === undefined ? undefined : { from: said.from },
      place: room === undefined ? undefined : { chat: room },
    }),
    receivedAt: at,
  };
}

interface Spoken {
  readonly text: string;
  readonly words: SaidWords;
  readonly from?: string;
}

/** `<nick> words` is how people on IRC pass on what somebody else said. */
function spoken(words: string, { self }: ProcessScanner): Spoken {
  const passed = /^<[@+%~&]?([^\s<>]{1,64})> (.*)$/s.exec(words);
  if (passed) return { text: words, words: NOTHING_SAID, from: passed[1]! };
  const own = withoutMention(words, self);
  return { text: own, words: typed(own) };
}

const escaped = (nick: string): string => nick.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `Clawd: hello`, `@Clawd hello` → `hello`. */
const withoutMention = (words: string, self: string): string =>
  words.replace(new RegExp(`^@?${escaped(self)}(?:[:,;]\\s*|\\s+|$)`, 'i'), '') || words;

const mentions = (words: string, self: string): boolean =>
  new RegExp(`(?<![\\w\\[\\]\\\\^{}|\`-])${escaped(self)}(?![\\w\\[\\]\\\\^{}|\`-])`, 'i').test(words);

/** `ann: hello` is for Ann, where there is one. */
function addressed(words: string, { isThere }: ProcessScanner): boolean {
  const nick = /^@?([^\s:,]{1,64})[:,]\s/.exec(words)?.[1];
  return nick !== undefined && isThere(nick);
}

export function timeOf({ tags }: IrcMessage, now: number): number {
  const sent = Date.parse(tags.get('time') ?? '');
  return Number.isNaN(sent) ? now : sent;
}

/** What the server numbers, else what makes a message this one: told again from a history it is the same. */
function idOf(message: IrcMessage, { now, person }: ProcessScanner): string {
  const id = message.tags.get('msgid');
  if (id) return id;
  const time = message.tags.get('time') ?? `${now} ${randomUUID()}`;
  return createHash('sha256')
    .update([time, person, ...message.params].join('\0'))
    .digest('hex')
    .slice(0, 24);
}
