/** What makes "no silence, no loss, no double" true: accepted messages, turn steps and replies in one SQLite file. */
import { asAppError, type AppError } from '../core/errors.ts';
import { shortId } from '../platform/ids.ts';
import { openLastingSqlite, type LastingOptions, type LastingSqlite } from '../platform/lasting-sqlite.ts';
import { brokenSqlite, type SqlSession } from '../platform/sqlite.ts';
import { createCronRuns } from './cron-runs.ts';
import { createExchangeRows } from './exchanges.ts';
import { createInbound, endInbound } from './inbound.ts';
import { createOutbox } from './outbox.ts';
import { pruneJournal } from './prune.ts';
import { createInsertOutbox } from './insert-outbox.ts';
import type { InboundState, NewOutboxRow, Stage } from './rows.ts';
import { JOURNAL_SCHEMA } from './schema.ts';
import { createSessionRedo, redoEntry } from './session-redo.ts';
import { readTimeline } from './timeline.ts';
import { createTries } from './tries.ts';
import { createTurns } from './turns.ts';
import { createUnderstandings } from './understanding.ts';

export type Journal = ReturnType<typeof createJournal>;

export interface JournalOptions extends LastingOptions {
  readonly path: string;
  readonly now?: () => number;
  /** Whether a new reply is sent as soon as it is on disk. */
  readonly begins?: (row: NewOutboxRow) => boolean;
}

/**
 * Opens `path`. A file that cannot be opened (damaged, read-only, no folder) yields a journal that refuses every
 * write with the reason, so that the gateway stays up, serves history and says what is wrong (P10).
 */
export function createJournal({ path, now = Date.now, begins = () => false, ...disk }: JournalOptions) {
  const sql = openOrBroken(path, disk);
  const instance = shortId();
  const insertOutbox = createInsertOutbox(begins);
  return {
    inbound: createInbound(sql, now, insertOutbox),
    turns: createTurns(sql, now, insertOutbox),
    tries: createTries(sql, instance),
    outbox: createOutbox(sql, now, insertOutbox),
    understanding: createUnderstandings(sql, now, insertOutbox),
    exchanges: createExchangeRows(sql, now),
    cron: createCronRuns(sql),
    redo: createSessionRedo(sql),
    timeline: (runId: string): Stage[] | undefined => readTimeline(sql, runId),
    /** Ends messages without a turn and without a reply of their own. */
    endInbound: (
      seqs: readonly number[],
      end: { state: Exclude<InboundState, 'accepted'>; reason?: string },
    ): Promise<void> => sql.write((db) => endInbound(db, seqs, { ...end, at: now() })),
    /** Forgets what ended more than `keepMs` ago, at most `limit` messages and replies a call; 0: nothing is left. */
    prune: (keepMs: number, limit = 100): Promise<number> => pruneJournal(sql, now() - keepMs, limit),
    /** Looks whether its files are still there; `failure` tells. */
    look: (): void => sql.look(),
    /**
     * Whether writes succeed. After a failure one is tried, for an idle gateway would never find out that the disk has
     * room again.
     */
    writable: (): Promise<boolean> =>
      sql.failure
        ? sql.write(tryOut).then(
            () => true,
            () => false,
          )
        : Promise.resolve(true),
    /** A whole copy in a file that is not there yet, while all goes on. */
    copy: (to: string): Promise<void> => sql.copy(to),
    get failure(): AppError | undefined {
      return sql.failure;
    },
    /** What is missing since its files vanished under the running gateway. */
    get loss(): string | undefined {
      return sql.loss;
    },
    close: (): Promise<void> => sql.close(),
  };
}

/** Writes and takes back a row that means nothing. */
function tryOut(db: SqlSession): void {
  redoEntry(db, { agentId: '', key: '', entry: null, version: 0 });
  db.run(`DELETE FROM session_redo WHERE agent_id = ''`);
}

function openOrBroken(path: string, disk: LastingOptions): LastingSqlite {
  try {
    return openLastingSqlite(path, JOURNAL_SCHEMA, disk);
  } catch (error) {
    const failure = asAppError(error, 'storage');
    return { ...brokenSqlite(failure), look: () => {}, loss: undefined, copy: () => Promise.reject(failure) };
  }
}
