/**
 * Deletes old rows in small batches: never anything without an end state or not yet in its transcript, no step of what
 * two sessions still have with each other, and no dedupe key inside the redelivery window.
 */
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import { deleteCronRun, oldCronRuns } from './cron-runs.ts';

const MESSAGES = `SELECT seq, run_id, turn_id FROM inbound WHERE ended_at IS NOT NULL AND ended_at < ?
  AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.id = inbound.turn_id AND settled = 0)
  AND NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = substr(inbound.run_id, 10, 32) AND exchange.state = 'open')
  ORDER BY ended_at LIMIT ?`;
/**
 * Sends that answer no message. They are written in order of time, so the oldest have the lowest ids: no index is
 * needed to find them.
 */
const SENDS = `SELECT id FROM (SELECT id, run_id, state, created_at FROM outbox ORDER BY id LIMIT ?) AS oldest
  WHERE state IN ('sent','failed') AND created_at < ?
  AND NOT EXISTS (SELECT 1 FROM inbound WHERE inbound.run_id = oldest.run_id)`;

/** What is over between two sessions; the messages of its steps went before, or go with it. */
const EXCHANGES = `SELECT id FROM exchange WHERE state = 'closed' AND ended_at < ? ORDER BY ended_at LIMIT ?`;

/** The history of jobs is read long after the messages of a run are gone: 90 days where those have 14. */
const CRON_LONGER_MS = 76 * 24 * 3_600_000;

/** Returns the size of the bite; 0: there is nothing old left. */
export async function pruneJournal(sql: Sqlite, before: number, limit: number): Promise<number> {
  const messages = sql.read.all(MESSAGES, before, limit);
  const sends = sql.read.all(SENDS, limit, before);
  const exchanges = sql.read.all(EXCHANGES, before, limit);
  const runs = oldCronRuns(sql.read, before - CRON_LONGER_MS, limit);
  if (messages.length + sends.length + exchanges.length + runs.length === 0) return 0;
  await sql.write(
    (db) => {
      for (const message of messages) forget(db, message);
      for (const { id } of exchanges) db.run('DELETE FROM exchange WHERE id = ?', id!);
      for (const run of runs) deleteCronRun(db, run);
      for (const { id } of sends) db.run('DELETE FROM outbox WHERE id = ?', id!);
    },
    { sync: false },
  );
  return Math.max(messages.length, sends.length, exchanges.length, runs.length);
}

/** A message with its turn and all that stands beside it. */
function forget(db: SqlSession, { seq, run_id, turn_id }: Row): void {
  db.run('DELETE FROM inbound WHERE seq = ?', seq!);
  db.run('DELETE FROM understanding WHERE run_id = ?', run_id!);
  db.run('DELETE FROM try WHERE id = ?', run_id!);
  db.run(`DELETE FROM outbox WHERE run_id = ? AND state IN ('sent','failed')`, run_id!);
  db.run(`DELETE FROM step WHERE turn_id = ? AND kind = 'access'`, run_id!);
  if (turn_id === null) return;
  db.run('DELETE FROM step WHERE turn_id = ?', turn_id!);
  db.run('DELETE FROM turn WHERE id = ?', turn_id!);
}
