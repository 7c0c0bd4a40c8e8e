/**
 * Silences the Signal library, which prints whole sessions with private keys to the console: its methods are replaced
 * by silent ones.
 */
import { createRequire } from 'node:module';

interface SessionEntry {
  readonly indexInfo: { closed: number };
}

interface SessionRecordClass {
  readonly prototype: {
    sessions: Readonly<Record<string, SessionEntry>>;
    isClosed(session: SessionEntry): boolean;
    closeSession(session: SessionEntry): void;
    openSession(session: SessionEntry): void;
    removeOldSessions(): void;
  };
}

/** As the library has it. */
const MAX_CLOSED = 40;

/** `library`: a package, or the path of a module. False: it has no Signal library of the kind these methods are of. */
export function quietSignal(library: string): boolean {
  const record = sessionRecordOf(library);
  if (!record) return false;
  Object.assign(record.prototype, {
    closeSession(this: SessionRecordClass['prototype'], session: SessionEntry) {
      if (!this.isClosed(session)) session.indexInfo.closed = Date.now();
    },
    openSession(session: SessionEntry) {
      session.indexInfo.closed = -1;
    },
    removeOldSessions(this: SessionRecordClass['prototype']) {
      const sessions = this.sessions as Record<string, SessionEntry>;
      while (Object.keys(sessions).length > MAX_CLOSED) {
        const closed = Object.entries(sessions).filter(([, { indexInfo }]) => indexInfo.closed !== -1);
        if (closed.length === 0) throw new Error('Corrupt sessions object');
        const [oldest] = closed.reduce((a, b) => (b[1].indexInfo.closed < a[1].indexInfo.closed ? b : a));
        delete sessions[oldest];
      }
    },
  });
  return true;
}

function sessionRecordOf(library: string): SessionRecordClass | undefined {
  try {
    const from = createRequire(import.meta.url).resolve(library);
    return createRequire(from)('libsignal/src/session_record.js') as SessionRecordClass;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
