/**
 * Syncs what SQLite committed to disk without blocking the event loop: one sync of its log at a time, checkpoints in a
 * thread.
 */
import { close, fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../core/errors.ts';
import { createHourHistogram, type HourReading } from '../core/hour-histogram.ts';
import { whenOver } from './settled.ts';
import { createCheckpointer } from './wal-checkpoint.ts';

/** Brings commits to the platter without blocking the event loop. */
export interface WalSync {
  /** All that was committed to be synced is on the platter when it resolves. Callers that wait share one sync. */
  synced(): Promise<void>;
  /** Told after each commit; now and then the log is copied into the database. */
  committed(sync: boolean): void;
  /** Nothing may be committed now; `resumed` is called when it may be. */
  readonly paused: boolean;
  /** SQLite may write over the beginning of its log at the next commit, which it has to sync: see `checkpoint`. */
  readonly reusable: boolean;
  readonly failure: AppError | undefined;
  /** How long syncs of the last hour took; nothing but who waits for one waits. */
  pace(): HourReading;
  /** No checkpoint is under way. */
  rested(): Promise<void>;
  close(): Promise<void>;
}

interface WalSyncDeps {
  /** Of the database. */
  readonly path: string;
  /** The open log. */
  readonly log: number;
  readonly resumed: () => void;
  /** Told before and after the log is emptied. */
  readonly emptying?: (going: boolean) => void;
  readonly datasync?: ((handle: number) => Promise<void>) | undefined;
  readonly checkpointBytes?: number | undefined;
}

/** Commits that are waited for at the same time share one sync. */
export function createWalSync({
  path,
  log,
  resumed,
  emptying = () => {},
  datasync = promisify(fdatasync),
  checkpointBytes,
}: WalSyncDeps): WalSync {
  const checkpointer = createCheckpointer({ path, log, resumed, emptying, checkpointBytes });
  const state: {
    running?: Promise<void> | undefined;
    waiting?: Promise<void> | undefined;
    unsynced: boolean;
    failure: AppError | undefined;
  } = { unsynced: false, failure: undefined };
  const durations = createHourHistogram();

  async function next(): Promise<void> {
    await whenOver(state.running);
    state.waiting = undefined;
    state.unsynced = false;
    const run = (state.running = once());
    await run.finally(() => {
      if (state.running === run) state.running = undefined;
    }); // the next one may stand there already
  }

  async function once(): Promise<void> {
    try {
      // A system forgets that a sync failed: what it had not written may be gone, and the next sync says nothing of it.
      if (state.failure) await copied();
      const begun = performance.now();
      await datasync(log);
      durations.record(performance.now() - begun, Date.now());
      state.failure = undefined;
    } catch (error) {
      state.unsynced = true;
      state.failure = new AppError(
        'storage',
        `Cannot write ${path}: the disk did not store the data. Check the disk.`,
        { cause: error },
      );
      throw state.failure;
    }
  }

  async function copied(): Promise<void> {
    await checkpointer.run();
    if (checkpointer.reusable)
      throw new AppError('storage', `Cannot write ${path}: its log could not be copied into the database.`);
  }

  return {
    synced: async () => (state.unsynced ? (state.waiting ??= next()) : state.running),
    get paused() {
      return checkpointer.paused;
    },
    get reusable() {
      return checkpointer.reusable;
    },
    get failure() {
      return state.failure;
    },
    committed(sync) {
      state.unsynced ||= sync;
      checkpointer.committed();
    },
    pace: () => durations.read(Date.now()),
    rested: () => checkpointer.rested(),
    async close() {
      await whenOver(state.waiting ?? state.running); // whoever waited heard of it
      await checkpointer.close();
      await promisify(close)(log);
    },
  };
}
