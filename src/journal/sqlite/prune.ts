/**
 * Deletes old rows in small batches: never one without an end state or not yet in its transcript, none that a feature
 * needs, and no dedupe key inside the redelivery window.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { Journal } from '../journal.ts';
import type { JournalTables } from '../tables.ts';
import { OF_RUN } from './outbox.ts';

/** In order of arrival, which needs no index of end times: an earlier message usually ended earlier. */
const messages = (tables: readonly JournalTables[]): string =>
  `SELECT seq, run_id, accepted_at, coalesce(turn_id, run_id) AS turn_id, ended_at < ?1
  AND NOT EXISTS (SELECT 1 FROM turn_open WHERE turn_open.seq = inbound.seq)
  AND NOT EXISTS (SELECT 1 FROM inbound AS first JOIN turn_open USING (seq) WHERE first.run_id = inbound.turn_id)
  ${tables.map(({ holds }) => (holds === undefined ? '' : `AND NOT (${holds})`)).join(' ')} AS forgotten
  FROM inbound WHERE seq > ?2 ORDER BY seq LIMIT ?3`;
/**
 * Sends without a message. They are inserted in order of time, so the oldest have the lowest ids, and no index is
 * needed.
 */
const SENDS = `SELECT id FROM (SELECT id, run_id, state, created_at FROM outbox ORDER BY id LIMIT ?) AS oldest
  WHERE state IN ('sent','failed') AND created_at < ?
  AND NOT EXISTS (SELECT 1 FROM inbound WHERE inbound.run_id = oldest.run_id)`;

/** Rows that are selected first, and then deleted in one commit. */
export function createPrune(sql: Sqlite, now: () => number, tables: readonly JournalTables[]): Journal['prune'] {
  const MESSAGES = messages(tables);
  return async (keepMs, limit = 100) => {
    const before = now() - keepMs;
    const old = [
      { rows: await oldMessages(sql.read, MESSAGES, { before, limit, now: now() }), forget: forgetMessage },
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

/** At most `limit` rows; rows that must stay are skipped, and there are few of them. */
async function oldMessages(
  db: SqlSession,
  query: string,
  { before, limit, now }: { readonly before: number; readonly limit: number; readonly now: number },
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let after = 0; found.length < limit; await nextTurn()) {
    const rows = db.all(query, before, after, limit);
    found.push(...rows.filter(({ forgotten }) => forgotten === 1));
    const last = rows.at(-1);
    const at = Number(last?.['accepted_at']);
    // A row from the future was accepted while the clock was wrong, so older ones may follow it.
    if (!last || rows.length < limit || (at >= before && at <= now)) break;
    after = Number(last['seq']);
  }
  return found.slice(0, limit);
}

const forgetSend = (db: SqlSession, { id }: Row): void => void db.run('DELETE FROM outbox WHERE id = ?', id!);

/** Deletes a message with its turn and all rows that belong to them. */
function forgetMessage(db: SqlSession, { seq, run_id, turn_id }: Row): void {
  db.run('DELETE FROM inbound WHERE seq = ?', seq!);
  db.run('DELETE FROM understanding WHERE run_id = ?', run_id!);
  db.run('DELETE FROM try WHERE id = ?', run_id!);
  db.run(`DELETE FROM outbox WHERE ${OF_RUN} AND state IN ('sent','failed')`, run_id!);
  db.run(`DELETE FROM step WHERE turn_id = ? AND kind = 'access'`, run_id!);
  db.run('DELETE FROM step WHERE turn_id = ?', turn_id!);
  db.run('DELETE FROM turn WHERE id = ?', turn_id!);
}
