/** An open SQLite file: its connection, its log, and prepared statements. */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AppError } from '../core/errors.ts';
import { OWN_COMMAND } from './own-command.ts';
import { releaseSpace } from './sqlite-space.ts';

/** A value SQLite can hold. */
export type Sql = string | number | bigint | null | Uint8Array;
/** A row, by the names of its columns. */
export type Row = Record<string, Sql>;

/** The view a write has of the file. Statements are prepared once and kept. */
export interface SqlSession {
  run(sql: string, ...values: Sql[]): { readonly changes: number; readonly lastId: number };
  get(sql: string, ...values: Sql[]): Row | undefined;
  all(sql: string, ...values: Sql[]): Row[];
}

/** Another process holds the file. */
export const isLocked = (error: unknown): boolean =>
  (Number((error as { errcode?: number } | null)?.errcode) & 0xff) === 5;

/** An open database and the descriptor of its write-ahead log. */
export interface SqliteHandle {
  readonly db: DatabaseSync;
  readonly session: SqlSession;
  /** The log's descriptor. */
  readonly log: number;
}

/**
 * The address under which this process opens the file. While it has it open no other process can, and the index of the
 * log is in
 * memory instead of a file beside it: one that somebody shortens would end the process.
 */
export function ownAddress(path: string): string {
  if (process.platform === 'win32') return path;
  const url = pathToFileURL(path);
  url.searchParams.set('vfs', 'unix-excl');
  return url.href;
}

/**
 * Of a file that is new; one that exists keeps its own. The log takes a whole page for each row that changes, and rows
 * are small: a plain turn wrote 100 KiB with SQLite's 4096 (docs/design/speed.md).
 */
const PAGE_BYTES = 512;

/**
 * Opens (creating) `path` in WAL mode and applies `schema`; more free bytes than `worthBytes` are given back. Throws
 * `AppError('storage')` naming the file.
 */
export function openHandle(path: string, schema: string, worthBytes?: number): SqliteHandle {
  try {
    // Private from its first byte; SQLite gives the files beside it the rights of this one.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const db = connect(path);
    db.exec(
      `PRAGMA page_size=${PAGE_BYTES}; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; ` +
        'PRAGMA busy_timeout=2000; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-2000;',
    );
    db.exec(`BEGIN;\n${schema};\nCOMMIT;`); // one commit for all tables
    releaseSpace(db, worthBytes);
    db.exec('SELECT 1 FROM sqlite_master'); // makes the log, where there is none
    syncFolder(dirname(path)); // a file whose name is not on the platter is not there after a power cut
    return { db, session: createSession(db), log: openSync(`${path}-wal`, 'r') };
  } catch (error) {
    const wrapped = sqliteError(path, error);
    throw wrapped instanceof AppError
      ? wrapped
      : new AppError('storage', `Cannot open ${path}: ${String(error)}`, { cause: error });
  }
}

/** Where somebody reads the file at this moment, it is shared with them. */
function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(ownAddress(path));
  try {
    db.exec('SELECT 1 FROM sqlite_master');
    return db;
  } catch (error) {
    db.close();
    if (!isLocked(error)) throw error;
    return new DatabaseSync(path);
  }
}

/** Rarely, and for the time of one sync: at the start, and when the file was rewritten. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function createSession(db: DatabaseSync): SqlSession {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) return known;
    const fresh = db.prepare(sql);
    prepared.set(sql, fresh);
    return fresh;
  };
  return {
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    get: (sql, ...values) => prepare(sql).get(...values) as Row | undefined,
    all: (sql, ...values) => prepare(sql).all(...values) as Row[],
  };
}

/** SQLite's primary result codes that mean the disk, not the statement. Source: sqlite.org/rescode.html */
const STORAGE_CODES: Readonly<Record<number, string>> = {
  5: 'it is locked by another process',
  8: 'it is read-only: check its owner and permissions',
  10: 'the disk reported an I/O error: check the disk',
  11: `it is damaged: run \`${OWN_COMMAND} doctor --repair\` to move it aside and rebuild it`,
  13: 'the disk is full: free some space; nothing was accepted meanwhile',
  14: 'it cannot be opened: check that the folder exists and is writable',
  26: `it is not a database: run \`${OWN_COMMAND} doctor --repair\` to move it aside and rebuild it`,
};

/** `AppError('storage')` when it was the disk; any other error as it is. */
export function sqliteError(path: string, error: unknown): unknown {
  const code = (error as { errcode?: number } | null)?.errcode;
  const why = typeof code === 'number' ? STORAGE_CODES[code & 0xff] : undefined;
  return why ? new AppError('storage', `Cannot write ${path}: ${why}.`, { cause: error }) : error;
}
