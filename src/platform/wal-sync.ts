/**
 * Brings what SQLite committed onto the platter without stopping the event loop: one sync of its log at a time,
 * checkpoints in a thread.
 */
import { close, fdatasync, fstat } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../core/errors.ts';
import type { CheckpointAnswer, CheckpointStep } from './checkpoint-thread.ts';
import type { WorkerThread } from './worker.ts';

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

const CHECKPOINT_BYTES = 8 * 1024 * 1024;
/** The log's size is looked at each so many commits. */
const LOOK_EVERY = 64;
const THREAD = { heapMb: 64, growthMb: Number.POSITIVE_INFINITY, idleMs: 10_000 };
/** A copy of the log that takes longer has met a disk that does not answer; the log goes on growing meanwhile. */
const CHECKPOINT_TIMEOUT_MS = 600_000;

/** Commits that are waited for at the same time share one sync. */
export function createWalSync({
  path,
  log,
  resumed,
  emptying = () => {},
  datasync = promisify(fdatasync),
  checkpointBytes = CHECKPOINT_BYTES,
}: WalSyncDeps): WalSync {
  const stopping = new AbortController();
  const state: {
    thread?: WorkerThread<CheckpointStep> | undefined;
    running?: Promise<void> | undefined;
    waiting?: Promise<void> | undefined;
    checkpoint?: Promise<void> | undefined;
    commits: number;
    unsynced: boolean;
    paused: boolean;
    reusable: boolean;
    failure: AppError | undefined;
  } = { commits: 0, unsynced: false, paused: false, reusable: false, failure: undefined };

  async function next(): Promise<void> {
    await state.running?.catch(() => undefined /* whoever waits for that one hears of it */);
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
      await datasync(log);
      state.failure = undefined;
    } catch (error) {
      state.unsynced = true;
      state.failure = new AppError(
        'storage',
        `Cannot write ${path}: the disk did not take what was written. Check the disk.`,
        { cause: error },
      );
      throw state.failure;
    }
  }

  async function copied(): Promise<void> {
    await (state.checkpoint ??= checkpoint());
    if (state.reusable)
      throw new AppError('storage', `Cannot write ${path}: its log could not be copied into the database.`);
  }

  /**
   * Copies the log into the database, then empties it. Whoever commits at the beginning of a log that is still full
   * overwrites a part of the past,
   * and a power cut could leave a mixture of both; so the emptied log is synced before the next commit, which waits
   * that long.
   */
  async function checkpoint(): Promise<void> {
    try {
      await ask('copy');
      state.paused = true;
      state.reusable = true;
      emptying(true);
      if (await ask('empty')) state.reusable = false;
    } finally {
      emptying(false);
      state.paused = false;
      state.checkpoint = undefined;
      resumed();
    }
  }

  async function ask(step: CheckpointStep['step']): Promise<boolean> {
    state.thread ??= await startThread();
    const answer = await state.thread.ask<CheckpointAnswer>(
      { path, step },
      { timeoutMs: CHECKPOINT_TIMEOUT_MS, signal: stopping.signal },
    );
    return answer.kind === 'answered' && answer.answer.done;
  }

  async function look(): Promise<void> {
    const { size } = await promisify(fstat)(log);
    if (size >= checkpointBytes) await (state.checkpoint ??= checkpoint());
  }

  return {
    synced: async () => (state.unsynced ? (state.waiting ??= next()) : state.running),
    get paused() {
      return state.paused;
    },
    get reusable() {
      return state.reusable;
    },
    get failure() {
      return state.failure;
    },
    committed(sync) {
      state.unsynced ||= sync;
      if (state.commits++ % LOOK_EVERY === 0 && !state.checkpoint)
        void look().catch(() => undefined /* the handle is closing, or the next look tells */);
    },
    rested: async () => state.checkpoint,
    async close() {
      await (state.waiting ?? state.running)?.catch(() => undefined /* whoever waited heard of it */);
      await state.checkpoint;
      await state.thread?.[Symbol.asyncDispose]();
      await promisify(close)(log);
    },
  };
}

/** Loaded when a log has grown, which that of a quiet gateway never does. */
async function startThread(): Promise<WorkerThread<CheckpointStep>> {
  const { besideModule, createWorkerThread } = await import('./worker.ts');
  return createWorkerThread({
    entry: besideModule('checkpoint-thread', { url: import.meta.url, filename: import.meta.filename }),
    ...THREAD,
  });
}
