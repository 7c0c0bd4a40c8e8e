/** The rows of a journal in memory. Like a file, a disk outlives the journals opened on it. */
import type { Understanding } from '../../core/understanding.ts';
import { AppError } from '../../core/errors.ts';
import type { InboundRow, OutboxRow, SessionRedo, TurnRow } from '../../journal/rows.ts';
import type { JournalTables } from '../../journal/tables.ts';
import type { StepFacts } from '../../journal/timeline/timeline.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface KeptStep extends StepFacts {
  readonly turnId: string;
  readonly id: string;
  readonly ord: number;
}

export interface KeptUnderstanding {
  readonly understanding: Understanding;
  readonly startedAt: number;
  readonly at: number;
}

export interface Tables {
  readonly inbound: Map<number, Mutable<InboundRow>>;
  readonly turns: Map<string, Mutable<TurnRow> & { settled: boolean }>;
  readonly steps: Map<string, Mutable<KeptStep>>;
  readonly tries: Map<string, { readonly again: number; readonly opening: number }>;
  readonly outbox: Map<number, Mutable<OutboxRow>>;
  readonly understanding: Map<string, KeptUnderstanding>;
  readonly redo: Map<string, SessionRedo>;
  /** What features keep. */
  readonly others: Map<JournalTables, unknown>;
}

const emptyTables = (): Tables => ({
  inbound: new Map(),
  turns: new Map(),
  steps: new Map(),
  tries: new Map(),
  outbox: new Map(),
  understanding: new Map(),
  redo: new Map(),
  others: new Map(),
});

export interface MemoryDisk {
  readonly tables: Tables;
  /** How often it was opened. */
  openings: number;
  /** Why it takes nothing; undefined: it does. */
  refuses: AppError | undefined;
}

export const createMemoryDisk = (): MemoryDisk => ({ tables: emptyTables(), openings: 0, refuses: undefined });

/** One opening of a disk: writes one after the other, each whole or not at all, and answers that are copies. */
export interface Store extends StoreOf<Tables> {
  readonly opening: number;
  close(): Promise<void>;
}

export interface StoreOf<Kept> {
  now(): number;
  /** Runs when everything asked for before is done. */
  write<T>(work: (kept: Kept) => T): Promise<T>;
  read<T>(work: (kept: Kept) => T): Promise<T>;
}

/** The tables of a feature by other means than SQL. */
export interface MemoryTables<T = any, Kept = any> {
  readonly of: JournalTables<T>;
  empty(): Kept;
  open(store: StoreOf<Kept>): T;
  /** The message of this run is not forgotten yet. */
  holds?(kept: Kept, runId: string): boolean;
  /** Forgets what ended before `before`, at most `limit` rows. How many. */
  prune?(kept: Kept, before: number, limit: number): number;
}

/** What of the store one feature has; it lasts as long as the disk. */
export function keptOf({ others }: Tables, { of, empty }: MemoryTables): any {
  if (!others.has(of)) others.set(of, empty());
  return others.get(of);
}

export interface StoreOptions {
  now(): number;
  /** Resolves when an answer may go on its way: what a slow store does. Absent: at once. */
  readonly lag?: (() => Promise<void>) | undefined;
}

/** As it comes back from a store: a copy, without what is undefined. */
export const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function openStore(disk: MemoryDisk, { now, lag = async () => {} }: StoreOptions): Store {
  const state = { closed: false, writes: Promise.resolve() as Promise<unknown> };
  const opening = ++disk.openings;

  async function apply<T>(work: (tables: Tables) => T): Promise<T> {
    await lag();
    if (disk.refuses) throw disk.refuses;
    return structuredClone(work(disk.tables));
  }

  return {
    opening,
    now,
    write(work) {
      if (state.closed)
        return Promise.reject(new AppError('unavailable', 'The journal is closed: the gateway is stopping.'));
      const mine = state.writes.then(() => apply(work));
      state.writes = mine.catch(() => undefined /* whoever asked for it is told */);
      return mine;
    },
    async read(work) {
      await lag();
      const answer = structuredClone(work(disk.tables));
      await lag();
      return answer;
    },
    async close() {
      state.closed = true;
      await state.writes;
    },
  };
}
