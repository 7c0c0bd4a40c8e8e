/** Tracks the people on the network by account or host, with their current nick. Bounded. */
import { setNewest } from '../../sdk/index.ts';
import { fold, personOf } from './names.ts';
import type { IrcMessage } from './message.ts';

const MAX_PEOPLE = 5000;
/** Who shares no channel with us leaves, or changes the nick, without a word to us. */
const FRESH_MS = 60_000;

export interface People {
  /** Learns from a message who sent it; the id of that person. */
  learn(message: IrcMessage): string;
  /** Somebody logged in or out, or is known from a question. */
  know(nick: string, source: string, account: string | undefined): string;
  moved(from: string, to: string): void;
  left(nick: string): void;
  /** The nick they had last, and whether that was just now. */
  nickOf(person: string): { readonly nick: string; readonly fresh: boolean } | undefined;
  has(nick: string): boolean;
  /** A new connection: everybody may have changed meanwhile. */
  forget(): void;
}

interface Known {
  readonly nick: string;
  readonly source: string;
  readonly account: string | undefined;
  readonly at: number;
}

/** `tagged`: messages say which account their sender is logged in to. */
export function createPeople(tagged: () => boolean, now: () => number = () => performance.now()): People {
  const byNick = new Map<string, Known>();
  const nicks = new Map<string, string>();

  const drop = (nick: string): Known | undefined => {
    const known = byNick.get(fold(nick));
    byNick.delete(fold(nick));
    if (known && nicks.get(personOf(known.source, known.account)) === known.nick)
      nicks.delete(personOf(known.source, known.account));
    return known;
  };
  const know = (nick: string, source: string, account: string | undefined): string => {
    drop(nick);
    const person = personOf(source, account);
    setNewest(byNick, fold(nick), { nick, source, account, at: now() }, MAX_PEOPLE);
    setNewest(nicks, person, nick, MAX_PEOPLE);
    return person;
  };
  return {
    know,
    // Without the tag nobody proves anything; with it, its absence says that they are logged in nowhere.
    learn: ({ nick, source, tags }) => know(nick, source, tagged() ? tags.get('account') : undefined),
    moved(from, to) {
      const known = drop(from);
      if (known) know(to, known.source.replace(/^[^!]*/, to), known.account);
    },
    left: (nick) => void drop(nick),
    nickOf(person) {
      const nick = nicks.get(person);
      const known = nick === undefined ? undefined : byNick.get(fold(nick));
      return known && { nick: known.nick, fresh: now() - known.at < FRESH_MS };
    },
    has: (nick) => byNick.has(fold(nick)),
    forget() {
      byNick.clear();
      nicks.clear();
    },
  };
}
