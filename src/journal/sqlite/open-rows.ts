/**
 * Finds the rows of a table without an end state, without an index, which every message would have to write twice: a
 * list of few rows says where to look, and all rows after its last one are read too.
 */
import type { Sqlite, SqlSession } from '../../platform/sqlite.ts';

/** The rows after the last one of the list that have to be looked through, at most. */
const EVERY = 256;

export interface OpenRows {
  /** SQL about a row: it has no end. */
  readonly isOpen: string;
  /** Part of the transaction that inserted this row. */
  took(db: SqlSession, id: number): void;
  /** The highest id of the list; 0: there is none. */
  readonly mark: number;
}

/** `key`: the column with the row id; `open`: SQL about a row that has no end. */
export function createOpenRows(sql: Sqlite, table: string, key: string, open: string): OpenRows {
  const listed = `FROM open_among WHERE name = '${table}'`;
  const isOpen = `${key} IN (SELECT id ${listed} UNION ALL
    SELECT ${key} FROM ${table} WHERE ${key} > coalesce((SELECT max(id) ${listed}), 0)) AND ${open}`;
  const add = 'INSERT OR IGNORE INTO open_among (name, id) VALUES (?,?)';
  // Never lower than that of the file: then rows are in the list that need not be.
  const state = {
    mark: Number(sql.read.get(`SELECT max(id) AS top FROM open_among WHERE name = '${table}'`)?.['top'] ?? 0),
  };

  /** The list anew: what is open now, and the mark. */
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
      else if (id <= state.mark) db.run(add, table, id); // ids begin again when all rows were forgotten
    },
    get mark() {
      return state.mark;
    },
  };
}
