/**
 * A SQLite file with group commit: all writes of one event-loop tick share a transaction, and all waiting writes share
 * a sync.
 */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';
import { createHourHistogram, type HourReading } from '../core/hour-histogram.ts';
import { createCommitter, type Job } from './sqlite-commit.ts';
import { openHandle, type SqlSession } from './sqlite-handle.ts';
import { createWalSync } from './wal-sync.ts';

export type { Row, Sql, SqlSession } from './sqlite-handle.ts';

/** How soon a write has to be on disk. */
export interface WriteOptions {
  /** The default: acknowledged once it is on disk. */
  readonly sync?: boolean;
  /** Nobody waits for it and it is not synced: it goes along with the next commit, or alone a little later. */
  readonly lazy?: boolean;
}

/** So long a lazy write waits for another. */
const LAZY_MS = 500;

/** How long commits and their syncs took in the last hour. */
export interface DiskPace {
  readonly commits: HourReading;
  readonly syncs: HourReading;
}

/** A database with one writer: transactions queue and share commits. */
export interface Sqlite {
  /**
   * Queues `work` for the next commit and resolves after it. With `sync` (default) the commit is on the platter;
   * without, it survives the death of the process but maybe not a power cut. Reads see it before it is synced.
   * Rejects with `AppError('storage')` when the file cannot be written; then nothing of `work` was kept, unless it was
   * the sync that
   * failed: then what was written stands, and may be gone after a power cut.
   */
  write<T>(work: (sql: SqlSession) => T, options?: WriteOptions): Promise<T>;
  /** Resolves when all that can be read now is on the platter, as far as it was to be. */
  synced(): Promise<void>;
  readonly read: SqlSession;
  /** The last storage failure; cleared by the next successful commit. */
  readonly failure: AppError | undefined;
  pace(): DiskPace;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}

/** A database as its opener has it. */
export interface OpenSqlite extends Sqlite {
  readonly db: DatabaseSync;
  /** Its log is not being copied. */
  rested(): Promise<void>;
}

/**
 * How a database is opened; `checkpointBytes`: from which size its log is copied into it; `worthBytes`: how many free
 * bytes are given back at the opening.
 */
export interface SqliteOptions {
  /** What a test puts in the place of the disk. */
  readonly datasync?: (handle: number) => Promise<void>;
  readonly checkpointBytes?: number;
  readonly worthBytes?: number;
  /** Told before and after the log is emptied, as it is when it has been copied. */
  readonly emptying?: (going: boolean) => void;
}

/** Opens (creating) `path` in WAL mode and applies `schema`. Throws `AppError('storage')` naming the file. */
export function openSqlite(path: string, schema: string, options: SqliteOptions = {}): OpenSqlite {
  const { db, session, log } = openHandle(path, schema, options.worthBytes);
  const state: { queue: Job[]; scheduled: boolean; closed: boolean; lazy: NodeJS.Timeout | undefined } = {
    queue: [],
    scheduled: false,
    closed: false,
    lazy: undefined,
  };
  const resumed: (() => void)[] = [];
  const wal = createWalSync({ ...options, path, log, resumed: () => resumed.forEach((notify) => notify()) });
  const committer = createCommitter({ path, db, session, wal });

  function flush(): void {
    state.scheduled = false;
    if (wal.paused) return; // it flushes when it is done
    clearTimeout(state.lazy);
    state.lazy = undefined;
    const jobs = state.queue;
    state.queue = [];
    if (jobs.length > 0) committer.commit(jobs);
  }
  resumed.push(flush);

  return {
    write: (work, { sync = true, lazy = false } = {}) =>
      new Promise((resolve, reject) => {
        if (state.closed) return reject(new AppError('unavailable', `${path} is closed: the gateway is stopping.`));
        state.queue.push({ work, sync: sync && !lazy, resolve: resolve as (value: unknown) => void, reject });
        if (lazy) state.lazy ??= setTimeout(flush, LAZY_MS);
        if (lazy || state.scheduled) return;
        state.scheduled = true;
        setImmediate(flush);
      }),
    synced: wal.synced,
    read: session,
    db,
    rested: wal.rested,
    pace: () => ({ commits: committer.pace(), syncs: wal.pace() }),
    get failure() {
      return committer.failure;
    },
    async close() {
      if (state.closed) return;
      state.closed = true;
      await wal.rested();
      flush();
      await wal.close();
      committer.setLevel('FULL'); // the last one copies the log into the database and removes it
      db.close();
    },
  };
}

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
    pace: () => ({ commits: createHourHistogram().read(0), syncs: createHourHistogram().read(0) }),
    close: async () => {},
  };
}
