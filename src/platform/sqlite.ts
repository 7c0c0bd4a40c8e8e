/** A SQLite file with group commit: every write of one event-loop tick shares one transaction and one sync. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';

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
   * Queues `work` for the next commit and resolves after it. With `sync` (default) the commit is on the platter
   * (`synchronous=FULL`); without, it survives the death of the process but maybe not a power cut.
   * Rejects with `AppError('storage')` when the file cannot be written; then nothing of `work` was kept.
   */
  write<T>(work: (sql: SqlSession) => T, options?: { readonly sync?: boolean }): Promise<T>;
  readonly read: SqlSession;
  /** The last storage failure; cleared by the next successful commit. */
  readonly failure: AppError | undefined;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}

interface Job { readonly work: (sql: SqlSession) => unknown; readonly sync: boolean; resolve(value: unknown): void; reject(error: unknown): void }

/** Opens (creating) `path` in WAL mode and applies `schema`. Throws `AppError('storage')` naming the file. */
export function openSqlite(path: string, schema: string): Sqlite {
  const db = open(path, schema);
  const session = createSession(db);
  const state: { queue: Job[]; scheduled: boolean; closed: boolean; level: 'FULL' | 'NORMAL'; failure: AppError | undefined } = { queue: [], scheduled: false, closed: false, level: 'FULL', failure: undefined };

  function flush(): void {
    state.scheduled = false;
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
      setLevel(jobs.some((job) => job.sync) ? 'FULL' : 'NORMAL');
      session.run('BEGIN IMMEDIATE');
      done = jobs.map((job) => job.work(session));
      session.run('COMMIT');
      state.failure = undefined;
    } catch (error) {
      failed = rollback() ?? storageError(path, error);
      if (failed instanceof AppError) state.failure = failed;
      if (jobs.length > 1) return true;
      jobs[0]!.reject(failed);
      return false;
    }
    jobs.forEach((job, index) => job.resolve(done[index]));
    return false;
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

  function setLevel(level: 'FULL' | 'NORMAL'): void {
    if (state.level === level) return;
    session.run(`PRAGMA synchronous=${level}`);
    state.level = level;
  }

  return {
    write: (work, options) => new Promise((resolve, reject) => {
      if (state.closed) return reject(new AppError('unavailable', `${path} is closed: the gateway is stopping.`));
      state.queue.push({ work, sync: options?.sync ?? true, resolve: resolve as (value: unknown) => void, reject });
      if (state.scheduled) return;
      state.scheduled = true;
      setImmediate(flush);
    }),
    read: session,
    get failure() { return state.failure; },
    async close() {
      if (state.closed) return;
      state.closed = true;
      flush();
      db.close();
    },
  };
}

function open(path: string, schema: string): DatabaseSync {
  try {
    // Private from its first byte; SQLite gives the files beside it the rights of this one.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=2000; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-2000;');
    db.exec(`BEGIN;\n${schema};\nCOMMIT;`); // one commit for all tables
    return db;
  } catch (error) {
    const wrapped = storageError(path, error);
    throw wrapped instanceof AppError ? wrapped : new AppError('storage', `Cannot open ${path}: ${String(error)}`, { cause: error });
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
  11: 'it is damaged: run `clawdbot doctor --repair` to set it aside and rebuild',
  13: 'the disk is full: free some space; nothing was accepted meanwhile',
  14: 'it cannot be opened: check that the folder exists and is writable',
  26: 'it is not a database: run `clawdbot doctor --repair` to set it aside and rebuild',
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
    read: { run: () => { throw failure; }, get: () => undefined, all: () => [] },
    failure,
    close: async () => {},
  };
}
