/** Commits to a SQLite file: several jobs together, or one by one if that fails; confirmed after the sync. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';
import { createHourHistogram, type HourReading } from '../core/hour-histogram.ts';
import { sqliteError, type SqlSession } from './sqlite-handle.ts';
import type { WalSync } from './wal-sync.ts';

/** Work that waits for its commit. */
export interface Job {
  readonly work: (sql: SqlSession) => unknown;
  readonly sync: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** `OFF`: a commit waits for nothing. `NORMAL`: only when the log starts over. `FULL`: until it is on disk. */
export type Level = 'OFF' | 'NORMAL' | 'FULL';

/** Commits, and what became of the last one. */
export interface Committer {
  /** All of them at once; where that fails job by job: one bad job must not take the others with it. */
  commit(jobs: readonly Job[]): void;
  setLevel(level: Level): void;
  /** The last storage failure; cleared by the next successful commit. */
  readonly failure: AppError | undefined;
  /** How long commits of the last hour held up the event loop; their syncs do not. */
  pace(): HourReading;
}

interface CommitterDeps {
  readonly path: string;
  readonly db: DatabaseSync;
  readonly session: SqlSession;
  readonly wal: Pick<WalSync, 'reusable' | 'committed' | 'synced' | 'failure'>;
}

/** Of one open file; `wal` syncs what was committed. */
export function createCommitter({ path, db, session, wal }: CommitterDeps): Committer {
  const state: { level: Level; failure: AppError | undefined } = { level: 'FULL', failure: undefined };
  const durations = createHourHistogram();

  /** Returns true when the batch has to be tried job by job. */
  function commitAsOne(jobs: readonly Job[]): boolean {
    let done: unknown[];
    let failed: unknown;
    try {
      // Nothing is synced here, on the thread that serves everybody: `wal` does it.
      setLevel(wal.reusable ? 'NORMAL' : 'OFF');
      session.run('BEGIN IMMEDIATE');
      done = jobs.map((job) => job.work(session));
      session.run('COMMIT');
    } catch (error) {
      failed = rollback({ path, db, session }) ?? sqliteError(path, error);
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

  function setLevel(level: Level): void {
    if (state.level === level) return;
    session.run(`PRAGMA synchronous=${level}`);
    state.level = level;
  }

  return {
    commit(jobs) {
      const begun = performance.now();
      if (commitAsOne(jobs)) for (const job of jobs) commitAsOne([job]);
      durations.record(performance.now() - begun, Date.now());
    },
    pace: () => durations.read(Date.now()),
    setLevel,
    get failure() {
      return state.failure;
    },
  };
}

/** Answers why not, if even that cannot be done. */
function rollback({ path, db, session }: Pick<CommitterDeps, 'path' | 'db' | 'session'>): AppError | undefined {
  try {
    if (db.isTransaction) session.run('ROLLBACK');
    return undefined;
  } catch (error) {
    return new AppError('storage', `Cannot write ${path}: a partial write could not be rolled back.`, {
      cause: error,
    });
  }
}
