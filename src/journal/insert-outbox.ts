/** Writes a reply into the outbox, once per token. */
import type { SqlSession } from '../platform/sqlite.ts';
import type { NewOutboxRow } from './rows.ts';

const INSERT = `INSERT INTO outbox (token, run_id, session_key, address, payload, state, next_at, created_at) VALUES (?,?,?,?,?,'pending',?,?) ON CONFLICT DO NOTHING`;

/** Part of a larger transaction. Returns the row's id, also when the token is known already. */
export type InsertOutbox = (db: SqlSession, row: NewOutboxRow, at: number) => number;

/**
 * `begins`: this row is sent as soon as it is on disk; it is marked so in the same commit, which spares another before
 * the send.
 */
export const createInsertOutbox =
  (begins: (row: NewOutboxRow) => boolean): InsertOutbox =>
  (db, row, at) => {
    const { changes, lastId } = db.run(
      INSERT,
      row.token,
      row.runId,
      row.sessionKey,
      JSON.stringify(row.address),
      JSON.stringify(row.payload),
      at,
      at,
    );
    if (changes === 0) return Number(db.get('SELECT id FROM outbox WHERE token = ?', row.token)?.['id']);
    if (begins(row)) db.run(`UPDATE outbox SET state = 'sending', attempts = 1 WHERE id = ?`, lastId);
    return lastId;
  };
