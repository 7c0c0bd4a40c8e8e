/** Writes a reply into the outbox, once per token. */
import type { SqlSession } from '../platform/sqlite.ts';
import type { NewOutboxRow } from './rows.ts';

const INSERT = `INSERT INTO outbox (token, run_id, session_key, address, payload, state, next_at, created_at) VALUES (?,?,?,?,?,'pending',?,?) ON CONFLICT DO NOTHING`;

/** Part of a larger transaction. Returns the row's id, also when the token is known already. */
export function insertOutbox(db: SqlSession, row: NewOutboxRow, at: number): number {
  const { changes, lastId } = db.run(INSERT, row.token, row.runId, row.sessionKey, JSON.stringify(row.address), JSON.stringify(row.payload), at, at);
  return changes === 1 ? lastId : Number(db.get('SELECT id FROM outbox WHERE token = ?', row.token)?.['id']);
}
