/**
 * Deletes old rows in small batches: never anything without an end state or not yet in its transcript, nothing that a
 * feature holds, and no dedupe key inside the redelivery window.
 */
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { Journal } from '../journal.ts';
import type { JournalTables } from '../tables.ts';

const messages = (tables: readonly JournalTables[]): string =>
  `SELECT seq, run_id, turn_id FROM inbound WHERE ended_at IS NOT NULL AND ended_at < ?
  AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.id = inbound.turn_id AND settled = 0)
  ${tables.map(({ holds }) => (holds === undefined ? '' : `AND NOT (${holds})`)).join(' ')}
  ORDER BY ended_at LIMIT ?`;
/**
 * Sends that answer no message. They are written in order of time, so the oldest have the lowest ids: no index is
 * needed to find them.
 */
const SENDS = `SELECT id FROM (SELECT id, run_id, state, created_at FROM outbox ORDER BY id LIMIT ?) AS oldest
  WHERE state IN ('sent','failed') AND created_at < ?
  AND NOT EXISTS (SELECT 1 FROM inbound WHERE inbound.run_id = oldest.run_id)`;

/** What is found first and deleted in one commit. */
export function createPrune(sql: Sqlite, now: () => number, tables: readonly JournalTables[]): Journal['prune'] {
  const MESSAGES = messages(tables);
  return async (keepMs, limit = 100) => {
    const before = now() - keepMs;
    const old = [
      { rows: sql.read.all(MESSAGES, before, limit), forget: forgetMessage },
      ...tables.map((one) => ({ rows: one.old?.(sql.read, before, limit) ?? [], forget: one.forget })),
      { rows: sql.read.all(SENDS, limit, before), forget: forgetSend },
    ];
    const largest = Math.max(...old.map(({ rows }) => rows.length));
    if (largest === 0) return 0;
    await sql.write(
      (db) => {
        for (const { rows, forget } of old) for (const row of rows) forget?.(db, row);
      },
      { sync: false },
    );
    return largest;
  };
}

const forgetSend = (db: SqlSession, { id }: Row): void => void db.run('DELETE FROM outbox WHERE id = ?', id!);

/** A message with its turn and all that stands beside it. */
function forgetMessage(db: SqlSession, { seq, run_id, turn_id }: Row): void {
  db.run('DELETE FROM inbound WHERE seq = ?', seq!);
  db.run('DELETE FROM understanding WHERE run_id = ?', run_id!);
  db.run('DELETE FROM try WHERE id = ?', run_id!);
  db.run(`DELETE FROM outbox WHERE run_id = ? AND state IN ('sent','failed')`, run_id!);
  db.run(`DELETE FROM step WHERE turn_id = ? AND kind = 'access'`, run_id!);
  if (turn_id === null) return;
  db.run('DELETE FROM step WHERE turn_id = ?', turn_id!);
  db.run('DELETE FROM turn WHERE id = ?', turn_id!);
}
