/** The journal over SQLite: one file, one connection, every answer a promise. */
import { shortId } from '../../platform/ids.ts';
import type { LastingSqlite } from '../../platform/lasting-sqlite.ts';
import type { SqlSession } from '../../platform/sqlite.ts';
import type { Journal } from '../journal.ts';
import type { NewOutboxRow } from '../rows.ts';
import { createCronRuns } from './cron-runs.ts';
import { createExchangeRows } from './exchanges.ts';
import { createInbound } from './inbound.ts';
import { createNewReplies } from './new-replies.ts';
import { createOutbox } from './outbox.ts';
import { pruneJournal } from './prune.ts';
import { createSessionRedo, redoEntry } from './session-redo.ts';
import { createSteps } from './steps.ts';
import { readTimeline } from './read-timeline.ts';
import { createTries } from './tries.ts';
import { createTurns } from './turns.ts';
import { createUnderstandings } from './understanding.ts';

export interface SqliteJournalOptions {
  now(): number;
  begins(row: NewOutboxRow): boolean;
}

export function createSqliteJournal(sql: LastingSqlite, { now, begins }: SqliteJournalOptions): Journal {
  const replies = createNewReplies(begins);
  return {
    inbound: createInbound(sql, now, replies),
    turns: { ...createSteps(sql, now), ...createTurns(sql, now, replies) },
    tries: createTries(sql, shortId()),
    outbox: createOutbox(sql, now, replies),
    understanding: createUnderstandings(sql, now, replies),
    exchanges: createExchangeRows(sql, now),
    cron: createCronRuns(sql),
    redo: createSessionRedo(sql),
    timeline: async (runId) => readTimeline(sql, runId),
    prune: (keepMs, limit = 100) => pruneJournal(sql, now() - keepMs, limit),
    async health() {
      sql.check();
      return { failure: sql.failure, loss: sql.loss };
    },
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

/** Writes and takes back a row that means nothing. */
function tryOut(db: SqlSession): void {
  redoEntry(db, { agentId: '', key: '', entry: null, version: 0 });
  db.run(`DELETE FROM session_redo WHERE agent_id = ''`);
}
