/**
 * Checkpoints of a SQLite file in a thread: its log is copied into the database, then emptied, while reads and writes
 * continue.
 */
import { fstat } from 'node:fs';
import { promisify } from 'node:util';
import { whenOver } from './settled.ts';
import type { CheckpointAnswer, CheckpointStep } from './checkpoint-thread.ts';
import type { WorkerThread } from './worker.ts';

const CHECKPOINT_BYTES = 8 * 1024 * 1024;
/** The log's size is checked after this many commits. */
const CHECK_EVERY = 64;
const THREAD = { heapMb: 64, growthMb: Number.POSITIVE_INFINITY, idleMs: 10_000 };
/** A copy of the log that takes longer has met a disk that does not answer; the log goes on growing meanwhile. */
const CHECKPOINT_TIMEOUT_MS = 600_000;

/** Of which file; who is told. */
export interface CheckpointerDeps {
  /** Of the database. */
  readonly path: string;
  /** The open log. */
  readonly log: number;
  /** Commits may go on. */
  readonly resumed: () => void;
  /** Told before and after the log is emptied. */
  readonly emptying: (going: boolean) => void;
  /** From which size the log is copied. */
  readonly checkpointBytes?: number | undefined;
}

/** One checkpoint at a time. */
export interface Checkpointer {
  /** Nothing may be committed now. */
  readonly paused: boolean;
  /** SQLite may write over the beginning of its log at the next commit, which it has to sync. */
  readonly reusable: boolean;
  /** Called after each commit; sometimes checks the log's size. */
  committed(): void;
  /** Resolves after the checkpoint under way, or one that begins now. */
  run(): Promise<void>;
  /** The checkpoint under way is over. */
  rested(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is copied until the log has grown. */
export function createCheckpointer({
  path,
  log,
  resumed,
  emptying,
  checkpointBytes = CHECKPOINT_BYTES,
}: CheckpointerDeps): Checkpointer {
  const never = new AbortController();
  const state: {
    thread?: WorkerThread<CheckpointStep> | undefined;
    checkpoint?: Promise<void> | undefined;
    commits: number;
    paused: boolean;
    reusable: boolean;
  } = { commits: 0, paused: false, reusable: false };

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
      { timeoutMs: CHECKPOINT_TIMEOUT_MS, signal: never.signal },
    );
    return answer.kind === 'answered' && answer.answer.done;
  }

  async function check(): Promise<void> {
    const { size } = await promisify(fstat)(log);
    if (size >= checkpointBytes) await run();
  }

  function run(): Promise<void> {
    return (state.checkpoint ??= checkpoint());
  }

  return {
    get paused() {
      return state.paused;
    },
    get reusable() {
      return state.reusable;
    },
    committed() {
      // The next check does what this one could not; while the file is being closed there is nothing to check.
      if (state.commits++ % CHECK_EVERY === 0 && !state.checkpoint) void whenOver(check());
    },
    run,
    rested: async () => state.checkpoint,
    async close() {
      await state.checkpoint;
      await state.thread?.[Symbol.asyncDispose]();
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
