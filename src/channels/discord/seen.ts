/** State kept across restarts: the resumable gateway session and the newest message of every chat. */
import { createDelayedWriter, setNewest, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import { idAt, isNewer, text } from './place.ts';

const FILE = 'discord.json';
const MAX_CHATS = 300;
/** One write for all that happens in this time; what a crash loses is offered again and known by the journal. */
const WRITE_AFTER_MS = 1000;

export interface Session {
  readonly sessionId: string;
  readonly resumeURL: string;
  readonly sequence: number;
  readonly shardId: number;
  readonly shardCount: number;
}
export interface Chat {
  readonly last: string;
  readonly guildId?: string;
  readonly peerId?: string;
}

export interface Seen extends AsyncDisposable {
  readonly session: Session | undefined;
  /** Newest last. */
  chats(): readonly (Chat & { readonly channelId: string })[];
  /** Of a session that is new it is written at once. */
  keepSession(session: Session | undefined): void;
  /** Resolves once the session that is on is on disk: from then on what is lost in a crash comes again. */
  settled(): Promise<void>;
  took(channelId: string, messageId: string, about: Omit<Chat, 'last'>): void;
  /** Begins to look at a chat from here, when it is not looked at yet. */
  begin(channelId: string, messageId: string | undefined, about: Omit<Chat, 'last'>): void;
  forget(channelId: string): void;
}

/** `botId`: what was kept for another bot counts for nothing. */
export async function openSeen({
  stateDir,
  botId,
  log,
}: {
  readonly stateDir: string;
  readonly botId: string;
  readonly log: Log;
}): Promise<Seen> {
  const kept = read(await readState(stateDir, FILE), botId);
  const chats = new Map(kept.chats);
  const state: { session: Session | undefined; settled: Promise<void> } = {
    session: kept.session,
    settled: Promise.resolve(),
  };
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, { botId, session: state.session, chats: [...chats] }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('discord.state', { error }),
  });
  const { changed } = writer;

  return {
    get session() {
      return state.session;
    },
    chats: () => [...chats].map(([channelId, chat]) => ({ channelId, ...chat })),
    keepSession(session) {
      const isNew = session !== undefined && session.sessionId !== state.session?.sessionId;
      state.session = session;
      changed();
      if (isNew) state.settled = writer.flush();
    },
    settled: () => state.settled,
    took(channelId, messageId, about) {
      const last = chats.get(channelId)?.last;
      setNewest(
        chats,
        channelId,
        { ...chats.get(channelId), ...about, last: isNewer(messageId, last) ? messageId : last! },
        MAX_CHATS,
      );
      changed();
    },
    begin(channelId, messageId, about) {
      if (chats.has(channelId)) return;
      setNewest(chats, channelId, { ...about, last: messageId ?? idAt(Date.now()) }, MAX_CHATS);
      changed();
    },
    forget(channelId) {
      if (chats.delete(channelId)) changed();
    },
    [Symbol.asyncDispose]: writer.flush,
  };
}

function read(raw: unknown, botId: string): { session: Session | undefined; chats: [string, Chat][] } {
  const {
    botId: owner,
    session,
    chats,
  } = (typeof raw === 'object' && raw !== null ? raw : {}) as {
    botId?: unknown;
    session?: Partial<Session>;
    chats?: unknown;
  };
  if (owner !== botId) return { session: undefined, chats: [] };
  const whole =
    text(session?.sessionId) !== undefined &&
    text(session?.resumeURL) !== undefined &&
    Number.isSafeInteger(session?.sequence) &&
    Number.isSafeInteger(session?.shardCount);
  const known = Array.isArray(chats)
    ? chats.filter(
        (entry): entry is [string, Chat] =>
          Array.isArray(entry) &&
          typeof entry[0] === 'string' &&
          /^\d+$/.test(String((entry[1] as Chat | undefined)?.last)),
      )
    : [];
  return { session: whole ? (session as Session) : undefined, chats: known };
}
