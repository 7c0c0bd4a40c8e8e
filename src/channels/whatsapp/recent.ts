/**
 * The newest messages, for quotes, reactions and edits, because WhatsApp has no history to query. Kept across restarts.
 */
import { createDelayedWriter, present, setNewest, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import type { WaMessage, WaMessageKey } from './content.ts';

export interface RecentMessage {
  readonly chat: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who wrote it, by our id. */
  readonly by: string;
  /** As WhatsApp names the author within a group. */
  readonly participant?: string;
  readonly fromMe?: true;
  /** The gateway sent it. */
  readonly ours?: true;
  readonly text: string;
}

export interface Recent extends AsyncDisposable {
  note(message: RecentMessage): void;
  find(chat: string, id: string): RecentMessage | undefined;
  /** Newest message of the account or of others that was taken; milliseconds since the epoch. */
  readonly newest: number;
  /** Seconds after which messages of the chat disappear; 0: they stay. */
  setExpiration(chat: string, seconds: number): void;
  expirationOf(chat: string): number | undefined;
  flush(): Promise<void>;
}

const FILE = 'recent.json';
const KEPT = 1000;
const WRITTEN = 300;
const CHATS = 1000;
const MAX_TEXT = 300;
const WRITE_AFTER_MS = 1000;

interface State {
  readonly newest?: unknown;
  readonly messages?: unknown;
  readonly expirations?: unknown;
}

export async function openRecent(folder: string, log: Log): Promise<Recent> {
  const read = ((await readState(folder, FILE)) ?? {}) as State;
  const messages = new Map(entries<RecentMessage>(read.messages).map((one) => [keyOf(one.chat, one.id), one]));
  const expirations = new Map(entries<[string, number]>(read.expirations));
  const state = { newest: typeof read.newest === 'number' ? read.newest : 0 };
  const writer = createDelayedWriter({
    write: () =>
      writeState(folder, FILE, {
        newest: state.newest,
        messages: [...messages.values()].slice(-WRITTEN),
        expirations: [...expirations],
      }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('whatsapp.recent', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  return {
    note(message) {
      const { chat, id, at, text } = message;
      setNewest(messages, keyOf(chat, id), { ...message, text: text.slice(0, MAX_TEXT) }, KEPT);
      state.newest = Math.max(state.newest, at);
      writer.changed();
    },
    find: (chat, id) => messages.get(keyOf(chat, id)),
    get newest() {
      return state.newest;
    },
    setExpiration(chat, seconds) {
      if ((expirations.get(chat) ?? 0) === seconds) return;
      if (seconds > 0) setNewest(expirations, chat, seconds, CHATS);
      else expirations.delete(chat);
      writer.changed();
    },
    expirationOf: (chat) => expirations.get(chat),
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}

const keyOf = (chat: string, id: string): string => `${chat} ${id}`;
const entries = <T>(value: unknown): T[] =>
  Array.isArray(value) ? (value.filter((one) => typeof one === 'object' && one !== null) as T[]) : [];

/** As WhatsApp names a message. */
export const keyFor = (jid: string, { id, fromMe, participant }: RecentMessage): WaMessageKey => ({
  remoteJid: jid,
  id,
  fromMe: fromMe ?? false,
  ...present({ participant: fromMe ? undefined : participant }),
});

export const quotable = (jid: string, message: RecentMessage): WaMessage => ({
  key: keyFor(jid, message),
  message: { conversation: message.text },
});
