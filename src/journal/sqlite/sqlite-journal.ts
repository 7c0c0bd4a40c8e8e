/** The journal over SQLite: one file, one connection, asynchronous methods. */
import { AppError } from '../../core/errors.ts';
import { shortId } from '../../platform/ids.ts';
import type { LastingSqlite } from '../../platform/lasting-sqlite.ts';
import type { SqlSession } from '../../platform/sqlite.ts';
import type { Journal } from '../journal.ts';
import type { NewOutboxRow } from '../rows.ts';
import type { JournalTables } from '../tables.ts';
import { createInbound } from './inbound.ts';
import { createNewReplies } from './new-replies.ts';
import { createOutbox } from './outbox.ts';
import { createPrune } from './prune.ts';
import { createSessionRedo, redoEntry } from './session-redo.ts';
import { createSteps } from './steps.ts';
import { readTimeline } from './read-timeline.ts';
import { createTries } from './tries.ts';
import { createTurns } from './turns.ts';
import { createUnderstandings } from './understanding.ts';

export interface SqliteJournalOptions {
  now(): number;
  begins(row: NewOutboxRow): boolean;
  readonly tables: readonly JournalTables[];
}

export function createSqliteJournal(sql: LastingSqlite, { now, begins, tables }: SqliteJournalOptions): Journal {
  const replies = createNewReplies(sql, begins);
  return {
    inbound: createInbound(sql, now, replies),
    turns: { ...createSteps(sql, now), ...createTurns(sql, now, replies) },
    tries: createTries(sql, shortId()),
    outbox: createOutbox(sql, now, replies),
    understanding: createUnderstandings(sql, now, replies),
    redo: createSessionRedo(sql),
    tables: openTables(sql, now, tables),
    timeline: async (runId) => readTimeline(sql, runId),
    prune: createPrune(sql, now, tables),
    async health() {
      sql.check();
      return { failure: sql.failure, loss: sql.loss };
    },
    pace: () => sql.pace(),
    async writable() {
      if (!sql.failure) return true;
      return sql.write(tryOut).then(
        () => true,
        () => false /* `health` says why */,
      );
    },
    copy: (to) => sql.copy(to),
    close: () => sql.close(),
  };
}

function openTables(sql: LastingSqlite, now: () => number, tables: readonly JournalTables[]): Journal['tables'] {
  const opened = new Map(tables.map((one) => [one, one.open(sql, now)]));
  return <T>(of: JournalTables<T>): T => {
    if (!opened.has(of)) throw new AppError('unsupported', 'The journal was opened without these tables.');
    return opened.get(of) as T;
  };
}

/** Writes and removes a row, to test whether writes succeed. */
function tryOut(db: SqlSession): void {
  redoEntry(db, { agentId: '', key: '', entry: null, version: 0 });
  db.run(`DELETE FROM session_redo WHERE agent_id = ''`);
}
