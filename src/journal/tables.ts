/** Tables that a feature keeps in the journal: in its file and on its connection, so that one commit holds both. */
import type { Row, Sqlite, SqlSession } from '../platform/sqlite.ts';

/** The tables of a feature, its functions on them, and what of them may be deleted. */
export interface JournalTables<T = unknown> {
  /** Only `CREATE … IF NOT EXISTS`: run each time the file is opened, whichever version of the gateway wrote it. */
  readonly schema: string;
  /** Every write is one commit; they happen in the order of the calls, together with those of the journal. */
  open(sql: Sqlite, now: () => number): T;
  /** SQL condition on a row of `inbound`: while it holds, the message is not deleted. */
  readonly holds?: string;
  /** Rows that ended before `before`, at most `limit`. */
  old?(db: SqlSession, before: number, limit: number): readonly Row[];
  /** Deletes one of those; part of a larger transaction. */
  forget?(db: SqlSession, row: Row): void;
}
