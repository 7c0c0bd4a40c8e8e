/**
 * The journal's twin in memory: the same interface, other means. The contract suite holds the two against each other,
 * and a test that wants a slow store, or one that refuses, takes this one.
 */
import type { Journal } from '../../journal/journal.ts';
import { AppError } from '../../core/errors.ts';
import type { NewOutboxRow } from '../../journal/rows.ts';
import { timelineOf } from '../../journal/timeline/timeline.ts';
import { openStore, type MemoryDisk, type StoreOptions, type Tables } from './memory-disk.ts';
import { memoryCron, memoryExchanges, memoryUnderstanding } from './memory-features.ts';
import { findRun, memoryInbound } from './memory-inbound.ts';
import { memoryOutbox, repliesOf } from './memory-outbox.ts';
import { memoryReplies } from './memory-replies.ts';
import { memoryRedo } from './memory-redo-table.ts';
import { memorySteps, memoryTries, memoryTurns, rowOf } from './memory-turns.ts';
import { pruneTables } from './prune-tables.ts';

export interface MemoryJournalOptions extends StoreOptions {
  readonly disk: MemoryDisk;
  readonly begins?: (row: NewOutboxRow) => boolean;
}

export function createMemoryJournal({ disk, begins = () => false, ...options }: MemoryJournalOptions): Journal {
  const store = openStore(disk, options);
  const replies = memoryReplies(begins);
  return {
    inbound: memoryInbound(store, disk, replies),
    turns: { ...memorySteps(store), ...memoryTurns(store, replies) },
    tries: memoryTries(store),
    outbox: memoryOutbox(store, replies),
    understanding: memoryUnderstanding(store, replies),
    exchanges: memoryExchanges(store),
    cron: memoryCron(store),
    redo: memoryRedo(store),
    timeline: (runId) => store.read((tables) => recordedOf(tables, runId)),
    prune(keepMs, limit = 100) {
      const before = options.now() - keepMs;
      return store.write((tables) => pruneTables(tables, before, limit));
    },
    health: async () => ({ failure: disk.refuses, loss: undefined }),
    writable: async () => disk.refuses === undefined,
    copy: () => Promise.reject(new AppError('unsupported', 'A journal in memory has no file to copy.')),
    close: () => store.close(),
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
