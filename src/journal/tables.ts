/** Tables that a feature keeps in the journal: in its file and on its connection, so that one commit holds both. */
import type { Row, Sqlite, SqlSession } from '../platform/sqlite.ts';

/** What a feature keeps, what it does with that, and what of it may be forgotten. */
export interface JournalTables<T = unknown> {
  /** `CREATE … IF NOT EXISTS` only: run whenever the file is opened, whatever version of the gateway wrote it. */
  readonly schema: string;
  /** Every write is one commit, and they happen in the order they were called in, those of the journal among them. */
  open(sql: Sqlite, now: () => number): T;
  /** SQL about a row of `inbound`: where it holds, the message is not forgotten yet. */
  readonly holds?: string;
  /** What ended before `before`, at most `limit` rows. */
  old?(db: SqlSession, before: number, limit: number): readonly Row[];
  /** Deletes one of those; part of a larger transaction. */
  forget?(db: SqlSession, row: Row): void;
}
