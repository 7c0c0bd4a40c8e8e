/** Inserts replies into the outbox, once per token, and knows which of them this run sends immediately. */
import type { Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { NewOutboxRow } from '../rows.ts';
import { createOpenRows } from './open-rows.ts';

/** A reply to insert into the outbox. `begins`: it is sent as soon as it is on disk. */
export interface NewReply extends NewOutboxRow {
  readonly begins: boolean;
}

export interface NewReplies {
  /** Called when a reply is added, before anything is written. */
  prepare(rows: readonly NewOutboxRow[]): readonly NewReply[];
  /** SQL condition: the row has no end state. */
  readonly isOpen: string;
  /** Part of a larger transaction. Returns the id of the row, also of an existing one with this token. */
  insert(db: SqlSession, row: NewReply, at: number): number;
  /** True once for a row that this instance wrote as `sending`. */
  takeBegun(token: string): boolean;
}

const INSERT = `INSERT INTO outbox (token, run_id, session_key, address, payload, state, attempts, next_at, created_at)
  VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`;

/** The state `sending` is part of the first commit, which saves a second one before the send. */
export function createNewReplies(sql: Sqlite, begins: (row: NewOutboxRow) => boolean): NewReplies {
  const open = createOpenRows(sql, 'outbox', 'id', `state IN ('pending','sending','uncertain')`);
  const begun = new Set<string>();
  return {
    isOpen: open.isOpen,
    prepare: (rows) => rows.map((row) => ({ ...row, begins: begins(row) })),
    insert(db, row, at) {
      const { changes, lastId } = db.run(
        INSERT,
        row.token,
        row.runId,
        row.sessionKey,
        JSON.stringify(row.address),
        JSON.stringify(row.payload),
        row.begins ? 'sending' : 'pending',
        row.begins ? 1 : 0,
        at,
        at,
      );
      if (changes === 0) return Number(db.get('SELECT id FROM outbox WHERE token = ?', row.token)?.['id']);
      open.took(db, lastId);
      if (row.begins) begun.add(row.token);
      return lastId;
    },
    takeBegun: (token) => begun.delete(token),
  };
}
