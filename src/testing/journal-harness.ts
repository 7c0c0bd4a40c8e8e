/** Opens journals with a fake clock, over SQLite and in memory; `reopen` simulates a restart. */
import { join } from 'node:path';
import { createJournal } from '../journal/create-journal.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalTables } from '../journal/tables.ts';
import type { NewOutboxRow } from '../journal/rows.ts';
import { createMemoryDisk, type MemoryTables } from './memory-journal/memory-disk.ts';
import { createMemoryJournal } from './memory-journal/memory-journal.ts';
import { tempDir } from './temp-dir.ts';

export interface JournalFixture extends AsyncDisposable {
  readonly time: { now: number };
  /** Which new replies go out at once, by token. */
  readonly begun: Set<string>;
  readonly journal: Journal;
  reopen(): Promise<void>;
}

export type OpenJournalFixture = () => Promise<JournalFixture>;

interface Opening {
  readonly now: () => number;
  readonly begins: (row: NewOutboxRow) => boolean;
}

/** On a file in a folder of its own. */
export const sqliteFixture =
  (tables: readonly JournalTables[] = []): OpenJournalFixture =>
  async () => {
    const dir = await tempDir('journal');
    const path = join(dir.path, 'journal.sqlite');
    return fixture((options) => createJournal({ ...options, path, tables }), dir);
  };

/** `lag`: how long each answer takes. */
export const memoryFixture =
  (lag?: () => Promise<void>, tables: readonly MemoryTables[] = []): OpenJournalFixture =>
  async () => {
    const disk = createMemoryDisk();
    return fixture((options) => createMemoryJournal({ ...options, disk, lag, tables }));
  };

/** Over SQLite, in memory, and in a memory that takes its time: with the tables of a feature. */
export const fixturesWith = (
  tables: JournalTables,
  twin: MemoryTables,
): Readonly<Record<string, OpenJournalFixture>> => ({
  'over SQLite': sqliteFixture([tables]),
  'in memory': memoryFixture(undefined, [twin]),
  'in a store that takes its time': memoryFixture(() => new Promise((resolve) => setImmediate(resolve)), [twin]),
});

function fixture(open: (options: Opening) => Journal, place?: AsyncDisposable): JournalFixture {
  const time = { now: 1000 };
  const begun = new Set<string>();
  const options: Opening = { now: () => time.now, begins: ({ token }) => begun.has(token) };
  const state = { journal: open(options) };
  return {
    time,
    begun,
    get journal() {
      return state.journal;
    },
    async reopen() {
      await state.journal.close();
      state.journal = open(options);
    },
    async [Symbol.asyncDispose]() {
      await state.journal.close();
      await place?.[Symbol.asyncDispose]();
    },
  };
}
