/**
 * Conversations by mail: which message belongs to which, and what an answer must carry to stay with them. Survives a
 * restart; what is lost of it is read off the headers again.
 */
import { createHash } from 'node:crypto';
import { createDelayedWriter, setNewest, type ChatAddress, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';

export interface Thread {
  /** The message it began with. */
  readonly root: string;
  readonly subject: string;
  /** The newest message of it. */
  readonly last: string;
  /** Ids of its messages, from the first. */
  readonly references: readonly string[];
}

export interface Threads extends AsyncDisposable {
  /** The message a conversation began with, as far as its messages tell. */
  rootOf(id: string, answers: readonly string[]): string;
  find(threadId: string): Thread | undefined;
  /** The conversation a message is part of. */
  holding(chat: ChatAddress['chat'], messageId: string): string | undefined;
  note(threadId: string, message: NotedMessage): void;
  /** These people wrote, or were written to: they may be answered. */
  isKnown(chatId: string): boolean;
  know(chatId: string): void;
}

export interface NotedMessage {
  readonly id: string;
  readonly root: string;
  readonly subject: string;
  readonly references: readonly string[];
}

const FILE = 'threads.json';
const WRITE_AFTER_MS = 300;
const MAX_THREADS = 1000;
const MAX_IDS = 4000;
const MAX_CHATS = 2000;
const MAX_REFERENCES = 20;

/** Each person has conversations of their own, whatever ids they put into their headers. */
export const threadIdOf = (chat: ChatAddress['chat'], root: string): string =>
  createHash('sha256').update(`${chat.id}\n${root}`).digest('hex').slice(0, 16);

export async function openThreads({
  stateDir,
  log,
}: {
  readonly stateDir: string;
  readonly log: Log;
}): Promise<Threads> {
  const kept = readBackedUp(await readState(stateDir, FILE));
  const threads = new Map<string, Thread>(kept.threads);
  const roots = new Map<string, string>(kept.roots);
  const chats = new Map<string, true>(kept.chats.map((chat) => [chat, true]));
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, { threads: [...threads], roots: [...roots], chats: [...chats.keys()] }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('email.threads', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  return {
    rootOf(id, answers) {
      const known = answers.toReversed().find((one) => roots.has(one));
      return (known === undefined ? answers[0] : roots.get(known)) ?? id;
    },
    find: (threadId) => threads.get(threadId),
    holding(chat, messageId) {
      const threadId = threadIdOf(chat, roots.get(messageId) ?? messageId);
      return threads.has(threadId) ? threadId : undefined;
    },
    note(threadId, { id, root, subject, references }) {
      const before = threads.get(threadId);
      const all = [...new Set([root, ...references, ...(before?.references ?? []), id])];
      const some = all.length <= MAX_REFERENCES ? all : [root, ...all.slice(1 - MAX_REFERENCES)];
      setNewest(
        threads,
        threadId,
        { root, subject: before?.subject ?? subject, last: id, references: some },
        MAX_THREADS,
      );
      setNewest(roots, id, root, MAX_IDS);
      writer.changed();
    },
    isKnown: (chatId) => chats.has(chatId),
    know(chatId) {
      if (chats.has(chatId)) return;
      setNewest(chats, chatId, true, MAX_CHATS);
      writer.changed();
    },
    [Symbol.asyncDispose]: writer.flush,
  };
}

interface Kept {
  readonly threads: readonly (readonly [string, Thread])[];
  readonly roots: readonly (readonly [string, string])[];
  readonly chats: readonly string[];
}

function readBackedUp(state: unknown): Kept {
  const { threads, roots, chats } = (state ?? {}) as Partial<Record<keyof Kept, unknown>>;
  const pairs = (value: unknown): readonly (readonly [string, unknown])[] =>
    Array.isArray(value)
      ? value.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string')
      : [];
  return {
    threads: pairs(threads).filter((one): one is readonly [string, Thread] => isThread(one[1])),
    roots: pairs(roots).filter((one): one is readonly [string, string] => typeof one[1] === 'string'),
    chats: Array.isArray(chats) ? chats.filter((one) => typeof one === 'string') : [],
  };
}

function isThread(value: unknown): value is Thread {
  const { root, subject, last, references } = (value ?? {}) as Partial<Thread>;
  const texts = [root, subject, last].every((text) => typeof text === 'string');
  return texts && Array.isArray(references) && references.every((id) => typeof id === 'string');
}
