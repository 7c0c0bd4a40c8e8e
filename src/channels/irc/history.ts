/** Uses the server's history, if it has one: fetches missed messages, sets read markers, finds sent messages. */
import { createDelayedWriter, setNewest, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import type { IrcMessage } from './message.ts';
import { fold } from './names.ts';
import type { Requests } from './requests.ts';
import { tokenOf, TOKEN_TAG } from './send.ts';
import type { Line } from './session.ts';

/** The newest message of a chat that was taken. `target`: what the server calls the chat. */
export interface Mark {
  readonly target: string;
  /** As the server wrote it. */
  readonly time: string;
  readonly id?: string;
}

export interface Marks extends AsyncDisposable {
  note(mark: Mark): void;
  all(): readonly Mark[];
  /** Since when messages of chats that are not marked count as missed. */
  readonly since: string;
  /** All that was missed is taken. */
  moveTo(since: string): void;
}

const FILE = 'seen.json';
const KEPT = 200;
const WRITE_AFTER_MS = 500;
/** At once for one chat; a server gives what it likes. */
const LIMIT = 200;
const MAX_CHATS = 50;

export async function openMarks({ stateDir, log }: { readonly stateDir: string; readonly log: Log }): Promise<Marks> {
  const kept = ((await readState(stateDir, FILE)) ?? {}) as { readonly since?: unknown; readonly marks?: unknown };
  const read = Array.isArray(kept.marks) ? kept.marks.filter(isMark) : [];
  const marks = new Map(read.map((mark) => [fold(mark.target), mark]));
  const state = { since: typeof kept.since === 'string' ? kept.since : new Date().toISOString() };
  /** A mark that is lost costs a second look, never a message. */
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, { since: state.since, marks: [...marks.values()] }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('irc.seen', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  if (kept.since === undefined) {
    writer.changed();
    await writer.flush();
  }
  return {
    note(mark) {
      const before = marks.get(fold(mark.target));
      if (before && Date.parse(before.time) > Date.parse(mark.time)) return;
      setNewest(marks, fold(mark.target), mark, KEPT);
      writer.changed();
    },
    all: () => [...marks.values()],
    get since() {
      return state.since;
    },
    moveTo(since) {
      state.since = since;
      writer.changed();
    },
    [Symbol.asyncDispose]: writer.flush,
  };
}

const isMark = (value: unknown): value is Mark => {
  const { target, time } = (value ?? {}) as Partial<Mark>;
  return typeof target === 'string' && typeof time === 'string' && !Number.isNaN(Date.parse(time));
};

export const keepsHistory = ({ who: { abilities } }: Line): boolean =>
  ['draft/chathistory', 'batch', 'server-time'].every((ability) => abilities.has(ability));

/** Everything that was said since the marks, chat by chat, the oldest first. */
export async function missed(
  line: Line,
  { requests, marks, rooms }: { readonly requests: Requests; readonly marks: Marks; readonly rooms: Iterable<string> },
): Promise<readonly IrcMessage[]> {
  const from = `timestamp=${marks.since}`;
  const until = `timestamp=${new Date(Date.now() + 60_000).toISOString()}`;
  const answer = await requests.ask(line.wire, (wire) =>
    wire.send('CHATHISTORY', ['TARGETS', from, until, String(MAX_CHATS)]),
  );
  const news = answer.flatMap(({ command, params }) =>
    command === 'CHATHISTORY' && params[0] === 'TARGETS' && params[1] ? [params[1]] : [],
  );
  const known = new Map(marks.all().map((mark) => [fold(mark.target), mark]));
  const chats = new Set([...[...known.keys()].slice(-MAX_CHATS), ...rooms, ...news].map(fold));
  const found: IrcMessage[] = [];
  for (const target of chats) {
    const mark = known.get(target);
    const after = mark?.id !== undefined ? `msgid=${mark.id}` : `timestamp=${mark?.time ?? marks.since}`;
    const received = await requests.ask(line.wire, (wire) =>
      wire.send('CHATHISTORY', ['AFTER', mark?.target ?? target, after, String(LIMIT)]),
    );
    found.push(...received.filter(isHistory));
  }
  return found;
}

/** It is told out of a batch, and not said now. */
export const isHistory = ({ command, tags }: IrcMessage): boolean => command === 'PRIVMSG' && tags.has('batch');

/** The ids of the lines of a send that its chat shows; undefined: nobody can tell. */
export async function findSent(
  line: Line,
  requests: Requests,
  { target, token, since }: { readonly target: string; readonly token: string; readonly since: number },
): Promise<readonly string[] | undefined> {
  if (!keepsHistory(line) || !line.who.abilities.has('message-tags')) return undefined;
  const from = `timestamp=${new Date(since - 1000).toISOString()}`;
  const received = await requests.ask(line.wire, (wire) =>
    wire.send('CHATHISTORY', ['AFTER', target, from, String(LIMIT)]),
  );
  const base = tokenOf(token, 0).slice(0, -1);
  return received.flatMap(({ tags }) => (tags.get(TOKEN_TAG)?.startsWith(base) ? [tags.get('msgid') ?? ''] : []));
}
