/**
 * The journal in memory, with the same interface and contract suite as the one over SQLite. Tests that need a slow or
 * failing store use it.
 */
import type { Journal } from '../../journal/journal.ts';
import { AppError } from '../../core/errors.ts';
import { createHourHistogram } from '../../core/hour-histogram.ts';
import type { NewOutboxRow } from '../../journal/rows.ts';
import { timelineOf } from '../../journal/timeline/timeline.ts';
import {
  keptOf,
  openStore,
  type MemoryDisk,
  type MemoryTables,
  type Store,
  type StoreOptions,
  type Tables,
} from './memory-disk.ts';
import { memoryUnderstanding } from './memory-understanding.ts';
import { findRun, memoryInbound } from './memory-inbound.ts';
import { memoryOutbox, repliesOf } from './memory-outbox.ts';
import { memoryReplies } from './memory-replies.ts';
import { memoryRedo } from './memory-redo-table.ts';
import { memorySteps, memoryTries, memoryTurns, rowOf } from './memory-turns.ts';
import { pruneTables } from './prune-tables.ts';

export interface MemoryJournalOptions extends StoreOptions {
  readonly disk: MemoryDisk;
  readonly begins?: (row: NewOutboxRow) => boolean;
  readonly tables?: readonly MemoryTables[];
}

export function createMemoryJournal({
  disk,
  begins = () => false,
  tables: twins = [],
  ...options
}: MemoryJournalOptions): Journal {
  const store = openStore(disk, options);
  const replies = memoryReplies(begins);
  return {
    inbound: memoryInbound(store, disk, replies),
    turns: { ...memorySteps(store), ...memoryTurns(store, replies) },
    tries: memoryTries(store),
    outbox: memoryOutbox(store, replies),
    understanding: memoryUnderstanding(store, replies),
    redo: memoryRedo(store),
    tables: openTwins(store, twins),
    timeline: (runId) => store.read((tables) => recordedOf(tables, runId)),
    prune(keepMs, limit = 100) {
      const before = options.now() - keepMs;
      return store.write((tables) => pruneTables(tables, { before, limit, twins }));
    },
    health: async () => ({ failure: disk.refuses, loss: undefined }),
    pace: () => ({ commits: NO_PACE, syncs: NO_PACE }),
    writable: async () => disk.refuses === undefined,
    copy: () => Promise.reject(new AppError('unsupported', 'A journal in memory has no file to copy.')),
    close: () => store.close(),
  };
}

/** Memory has no disk that could be slow. */
const NO_PACE = createHourHistogram().read(0);

function openTwins(store: Store, twins: readonly MemoryTables[]): Journal['tables'] {
  const opened = new Map(
    twins.map((twin) => {
      const { now } = store;
      const read = <T>(work: (kept: any) => T) => store.read((tables) => work(keptOf(tables, twin)));
      const write = <T>(work: (kept: any) => T) => store.write((tables) => work(keptOf(tables, twin)));
      return [twin.of, twin.open({ now, read, write })];
    }),
  );
  return (of) => {
    if (!opened.has(of)) throw new AppError('unsupported', 'The journal was opened without these tables.');
    return opened.get(of);
  };
}

function recordedOf(tables: Tables, runId: string): ReturnType<typeof timelineOf> | undefined {
  const message = findRun(tables, runId);
  if (!message) return undefined;
  const { turnId } = message;
  return timelineOf({
    message,
    authority: message.authority,
    understood: tables.understanding.get(runId),
    turn: turnId === undefined ? undefined : rowOf(tables.turns.get(turnId)),
    steps: [...tables.steps.values()]
      .filter((step) => step.turnId === turnId || (step.turnId === runId && step.kind === 'access'))
      .sort((a, b) => a.startedAt - b.startedAt || a.ord - b.ord),
    replies: repliesOf(tables).filter((row) => row.runId === runId),
  });
}
