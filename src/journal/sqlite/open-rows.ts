/**
 * Finds the rows of a table without an end state. An index would cost every message two writes, so a short list of row
 * ids is used, and all rows after the last one in the list are read too.
 */
import type { Sqlite, SqlSession } from '../../platform/sqlite.ts';

/** The maximum number of rows to read after the last one in the list. */
const EVERY = 256;

export interface OpenRows {
  /** SQL condition: the row has no end state. */
  readonly isOpen: string;
  /** Part of the transaction that inserted this row. */
  took(db: SqlSession, id: number): void;
  /** The highest id of the list; 0: there is none. */
  readonly mark: number;
}

/** `key`: the column with the row id; `open`: the SQL condition for a row without an end state. */
export function createOpenRows(sql: Sqlite, table: string, key: string, open: string): OpenRows {
  const listed = `FROM open_among WHERE name = '${table}'`;
  const isOpen = `${key} IN (SELECT id ${listed} UNION ALL
    SELECT ${key} FROM ${table} WHERE ${key} > coalesce((SELECT max(id) ${listed}), 0)) AND ${open}`;
  const add = 'INSERT OR IGNORE INTO open_among (name, id) VALUES (?,?)';
  // Never lower than the mark in the file, so that at most the list contains rows it need not.
  const state = {
    mark: Number(sql.read.get(`SELECT max(id) AS top FROM open_among WHERE name = '${table}'`)?.['top'] ?? 0),
  };

  /** Rebuilds the list from the rows that are open now, and moves the mark. */
  function sweep(db: SqlSession, id: number): void {
    const mark = Math.max(id, state.mark);
    db.run(`INSERT OR IGNORE INTO open_among (name, id) SELECT '${table}', ${key} FROM ${table} WHERE ${isOpen}`);
    db.run(add, table, mark);
    db.run(
      `DELETE ${listed} AND id < ?
       AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.${key} = open_among.id AND ${open})`,
      mark,
    );
    state.mark = mark;
  }

  return {
    isOpen,
    took(db, id) {
      if (id % EVERY === 0) sweep(db, id);
      else if (id <= state.mark) db.run(add, table, id); // ids start from 1 again after all rows were deleted
    },
    get mark() {
      return state.mark;
    },
  };
}
