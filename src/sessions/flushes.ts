/** Decides when a session store is written: soon after a change, a large file less often. */
import type { Log } from '../core/log.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { whenOver } from '../platform/settled.ts';
import { isGone, writeAgentStore, type AgentStore } from './agent-store.ts';
import type { RedoLog } from './store-redo.ts';

/** From a change to its write, so that one write serves many changes. */
const FLUSH_AFTER_MS = 1000;
/** A file is written whole: a large one so seldom that this is the average, but within the limit below. */
const BYTES_PER_SECOND = 4096;
const MAX_LAG_MS = 5 * 60_000;

export interface FlushesDeps {
  /** All that are loaded. */
  stores(): Promise<readonly AgentStore[]>;
  readonly redo: Pick<RedoLog, 'synced' | 'clear'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Flushes {
  /** Something changed. */
  soon(): void;
  /** Writes all that is dirty, and a file that was deleted. */
  now(): Promise<void>;
  /** Writes all that is dirty; nothing is planned any more. */
  end(): Promise<void>;
}

export function createFlushes({ stores, redo, clock, log }: FlushesDeps): Flushes {
  const state: { timer: Timer | undefined; at: number; ended: boolean } = { timer: undefined, at: 0, ended: false };

  /** One write at a time per file; each takes all that is dirty when its turn comes. */
  function flushed(store: AgentStore): Promise<void> {
    const written = store.flushed.then(async () =>
      store.dirty.size > 0 || (await isGone(store)) ? writeAgentStore(store, { redo, clock, log }) : undefined,
    );
    store.flushed = whenOver(written);
    return written;
  }

  async function now(): Promise<void> {
    for (const store of await stores()) await flushed(store);
  }

  /**
   * Writes the files that are due; what the others lack is in the journal, synced. Resolves with the milliseconds until
   * the next one is due.
   */
  async function flushDue(): Promise<number> {
    await redo.synced();
    const waits = (await stores()).map(async (store) => {
      if (dueInMs(store, clock.monotonic()) <= 0 || (await isGone(store))) await flushed(store);
      return store.dirty.size > 0 ? Math.max(dueInMs(store, clock.monotonic()), FLUSH_AFTER_MS) : Infinity;
    });
    return Math.min(...(await Promise.all(waits)));
  }

  /** The earliest plan counts. */
  function plan(afterMs: number): void {
    const at = clock.monotonic() + afterMs;
    if (state.ended || afterMs === Infinity || (state.timer && state.at <= at)) return;
    state.timer?.cancel();
    state.at = at;
    state.timer = clock.setTimeout(() => void run(), afterMs).unref();

    async function run(): Promise<void> {
      state.timer = undefined;
      try {
        plan(await flushDue());
      } catch (error) {
        log.error('sessions.store.write', { error });
        plan(FLUSH_AFTER_MS);
      }
    }
  }

  return {
    soon: () => plan(FLUSH_AFTER_MS),
    now,
    async end() {
      state.ended = true;
      state.timer?.cancel();
      await now();
    },
  };
}

/** 0 or less: now. */
const dueInMs = ({ written }: AgentStore, now: number): number =>
  written === undefined ? 0 : written.at + Math.min((written.bytes / BYTES_PER_SECOND) * 1000, MAX_LAG_MS) - now;
