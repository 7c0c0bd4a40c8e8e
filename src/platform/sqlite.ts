/** A SQLite file with group commit: every write of one event-loop tick shares one transaction, and what waits for the disk shares a sync. */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';
import { OWN_COMMAND } from './own-command.ts';
import { createWalSync } from './wal-sync.ts';

export type Sql = string | number | bigint | null | Uint8Array;
export type Row = Record<string, Sql>;

/** The view a write has of the file. Statements are prepared once and kept. */
export interface SqlSession {
  run(sql: string, ...values: Sql[]): { readonly changes: number; readonly lastId: number };
  get(sql: string, ...values: Sql[]): Row | undefined;
  all(sql: string, ...values: Sql[]): Row[];
}

export interface Sqlite {
  /**
   * Queues `work` for the next commit and resolves after it. With `sync` (default) the commit is on the platter;
   * without, it survives the death of the process but maybe not a power cut. Reads see it before it is synced.
   * Rejects with `AppError('storage')` when the file cannot be written; then nothing of `work` was kept, unless it was the sync that
   * failed: then what was written stands, and may be gone after a power cut.
   */
  write<T>(work: (sql: SqlSession) => T, options?: { readonly sync?: boolean }): Promise<T>;
  /** Resolves when all that can be read now is on the platter, as far as it was to be. */
  synced(): Promise<void>;
  readonly read: SqlSession;
  /** The last storage failure; cleared by the next successful commit. */
  readonly failure: AppError | undefined;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}

interface Job { readonly work: (sql: SqlSession) => unknown; readonly sync: boolean; resolve(value: unknown): void; reject(error: unknown): void }

/** What a test puts in the place of the disk. */
export interface SqliteOptions { readonly datasync?: (handle: number) => Promise<void>; readonly checkpointBytes?: number }

/** Opens (creating) `path` in WAL mode and applies `schema`. Throws `AppError('storage')` naming the file. */
export function openSqlite(path: string, schema: string, options: SqliteOptions = {}): Sqlite {
  const { db, log } = open(path, schema);
  const session = createSession(db);
  const state: { queue: Job[]; scheduled: boolean; closed: boolean; level: Level; failure: AppError | undefined } = { queue: [], scheduled: false, closed: false, level: 'FULL', failure: undefined };
  const wal = createWalSync({ ...options, path, log, resumed: flush });

  function flush(): void {
    state.scheduled = false;
    if (wal.paused) return; // it flushes when it is done
    const jobs = state.queue;
    state.queue = [];
    if (jobs.length === 0) return;
    const single = commit(jobs);
    if (single) for (const job of jobs) commit([job]); // one bad job must not take the others with it
  }

  /** Returns true when the batch has to be tried job by job. */
  function commit(jobs: readonly Job[]): boolean {
    let done: unknown[];
    let failed: unknown;
    try {
      // Nothing is synced here, on the thread that serves everybody: `wal` does it.
      setLevel(wal.reusable ? 'NORMAL' : 'OFF');
      session.run('BEGIN IMMEDIATE');
      done = jobs.map((job) => job.work(session));
      session.run('COMMIT');
    } catch (error) {
      failed = rollback() ?? storageError(path, error);
      if (failed instanceof AppError) state.failure = failed;
      if (jobs.length > 1) return true;
      jobs[0]!.reject(failed);
      return false;
    }
    wal.committed(jobs.some((job) => job.sync));
    void settle(jobs, done);
    return false;
  }

  async function settle(jobs: readonly Job[], done: readonly unknown[]): Promise<void> {
    const resolve = (sync: boolean): void => jobs.forEach((job, index) => { if (job.sync === sync) job.resolve(done[index]); });
    resolve(false);
    try {
      if (jobs.some((job) => job.sync)) await wal.synced();
      state.failure = wal.failure;
      resolve(true);
    } catch (error) {
      const failure = storageError(path, error);
      if (failure instanceof AppError) state.failure = failure;
      for (const job of jobs) if (job.sync) job.reject(failure);
    }
  }

  /** Answers why not, if even that cannot be done. */
  function rollback(): AppError | undefined {
    try {
      if (db.isTransaction) session.run('ROLLBACK');
      return undefined;
    } catch (error) {
      return new AppError('storage', `Cannot write ${path}: a half-written change could not be taken back.`, { cause: error });
    }
  }

  function setLevel(level: Level): void {
    if (state.level === level) return;
    session.run(`PRAGMA synchronous=${level}`);
    state.level = level;
  }

  return {
    write: (work, { sync = true } = {}) => new Promise((resolve, reject) => {
      if (state.closed) return reject(new AppError('unavailable', `${path} is closed: the gateway is stopping.`));
      state.queue.push({ work, sync, resolve: resolve as (value: unknown) => void, reject });
      if (state.scheduled) return;
      state.scheduled = true;
      setImmediate(flush);
    }),
    synced: wal.synced,
    read: session,
    get failure() { return state.failure; },
    async close() {
      if (state.closed) return;
      state.closed = true;
      await wal.rested();
      flush();
      await wal.close();
      setLevel('FULL'); // the last one copies the log into the database and removes it
      db.close();
    },
  };
}

/** `OFF`: a commit waits for nothing. `NORMAL`: only where the log begins anew. `FULL`: until it is on the platter. */
type Level = 'OFF' | 'NORMAL' | 'FULL';

function open(path: string, schema: string): { readonly db: DatabaseSync; readonly log: number } {
  try {
    // Private from its first byte; SQLite gives the files beside it the rights of this one.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=FULL; PRAGMA busy_timeout=2000; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-2000;');
    db.exec(`BEGIN;\n${schema};\nCOMMIT;`); // one commit for all tables
    db.exec('SELECT 1 FROM sqlite_master'); // makes the log, where there is none
    syncFolder(dirname(path)); // a file whose name is not on the platter is not there after a power cut
    return { db, log: openSync(`${path}-wal`, 'r') };
  } catch (error) {
    const wrapped = storageError(path, error);
    throw wrapped instanceof AppError ? wrapped : new AppError('storage', `Cannot open ${path}: ${String(error)}`, { cause: error });
  }
}

/** Once, before anybody is served. */
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
  11: `it is damaged: run \`${OWN_COMMAND} doctor --repair\` to set it aside and rebuild`,
  13: 'the disk is full: free some space; nothing was accepted meanwhile',
  14: 'it cannot be opened: check that the folder exists and is writable',
  26: `it is not a database: run \`${OWN_COMMAND} doctor --repair\` to set it aside and rebuild`,
};

function storageError(path: string, error: unknown): unknown {
  const code = (error as { errcode?: number } | null)?.errcode;
  const why = typeof code === 'number' ? STORAGE_CODES[code & 0xff] : undefined;
  return why ? new AppError('storage', `Cannot write ${path}: ${why}.`, { cause: error }) : error;
}

/** Stands in for a file that could not be opened: reads find nothing, every write is refused with the reason. */
export function brokenSqlite(failure: AppError): Sqlite {
  return {
    write: () => Promise.reject(failure),
    synced: async () => {},
    read: { run: () => { throw failure; }, get: () => undefined, all: () => [] },
    failure,
    close: async () => {},
  };
}
