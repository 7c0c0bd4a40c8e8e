/**
 * A SQLite file with group commit: every write of one event-loop tick shares one transaction, and what waits for the
 * disk shares a sync.
 */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';
import { openHandle, sqliteError, type SqlSession } from './sqlite-handle.ts';
import { createWalSync } from './wal-sync.ts';

export type { Row, Sql, SqlSession } from './sqlite-handle.ts';

/** A database with one writer: transactions queue and share commits. */
export interface Sqlite {
  /**
   * Queues `work` for the next commit and resolves after it. With `sync` (default) the commit is on the platter;
   * without, it survives the death of the process but maybe not a power cut. Reads see it before it is synced.
   * Rejects with `AppError('storage')` when the file cannot be written; then nothing of `work` was kept, unless it was
   * the sync that
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

interface Job {
  readonly work: (sql: SqlSession) => unknown;
  readonly sync: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A database as its opener has it. */
export interface OpenSqlite extends Sqlite {
  readonly db: DatabaseSync;
  /** Its log is not being copied. */
  rested(): Promise<void>;
}

/** How a database is opened; `checkpointBytes`: from which size its log is copied into it. */
export interface SqliteOptions {
  /** What a test puts in the place of the disk. */
  readonly datasync?: (handle: number) => Promise<void>;
  readonly checkpointBytes?: number;
  /** Told before and after the log is emptied, as it is when it has been copied. */
  readonly emptying?: (going: boolean) => void;
}

/** Opens (creating) `path` in WAL mode and applies `schema`. Throws `AppError('storage')` naming the file. */
export function openSqlite(path: string, schema: string, options: SqliteOptions = {}): OpenSqlite {
  const { db, session, log } = openHandle(path, schema);
  const state: { queue: Job[]; scheduled: boolean; closed: boolean; level: Level; failure: AppError | undefined } = {
    queue: [],
    scheduled: false,
    closed: false,
    level: 'FULL',
    failure: undefined,
  };
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
      failed = rollback() ?? sqliteError(path, error);
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
    const resolve = (sync: boolean): void =>
      jobs.forEach((job, index) => {
        if (job.sync === sync) job.resolve(done[index]);
      });
    resolve(false);
    try {
      if (jobs.some((job) => job.sync)) await wal.synced();
      state.failure = wal.failure;
      resolve(true);
    } catch (error) {
      const failure = sqliteError(path, error);
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
      return new AppError('storage', `Cannot write ${path}: a half-written change could not be taken back.`, {
        cause: error,
      });
    }
  }

  function setLevel(level: Level): void {
    if (state.level === level) return;
    session.run(`PRAGMA synchronous=${level}`);
    state.level = level;
  }

  return {
    write: (work, { sync = true } = {}) =>
      new Promise((resolve, reject) => {
        if (state.closed) return reject(new AppError('unavailable', `${path} is closed: the gateway is stopping.`));
        state.queue.push({ work, sync, resolve: resolve as (value: unknown) => void, reject });
        if (state.scheduled) return;
        state.scheduled = true;
        setImmediate(flush);
      }),
    synced: wal.synced,
    read: session,
    db,
    rested: wal.rested,
    get failure() {
      return state.failure;
    },
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

/** Stands in for a file that could not be opened: reads find nothing, every write is refused with the reason. */
export function brokenSqlite(failure: AppError): Sqlite {
  return {
    write: () => Promise.reject(failure),
    synced: async () => {},
    read: {
      run: () => {
        throw failure;
      },
      get: () => undefined,
      all: () => [],
    },
    failure,
    close: async () => {},
  };
}
