/** Opens the journal over one SQLite file. */
import { asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { openLastingSqlite, type LastingOptions, type LastingSqlite } from '../platform/lasting-sqlite.ts';
import { brokenSqlite } from '../platform/sqlite.ts';
import { journalRescued } from './sqlite/rescued.ts';
import type { Journal } from './journal.ts';
import type { NewOutboxRow } from './rows.ts';
import { JOURNAL_SCHEMA } from './sqlite/schema.ts';
import { createSqliteJournal } from './sqlite/sqlite-journal.ts';

export interface JournalOptions extends Omit<LastingOptions, 'onRescue'> {
  readonly path: string;
  readonly now?: () => number;
  /** Whether a new reply goes out as soon as it is on disk; asked when the reply is handed over. */
  readonly begins?: (row: NewOutboxRow) => boolean;
  /** Told when its files had vanished. */
  readonly log?: Log;
}

/**
 * Opens `path`. A file that cannot be opened (damaged, read-only, no folder) yields a journal that refuses every
 * write with the reason, so that the gateway stays up, serves history and says what is wrong (P10).
 */
export function createJournal({ path, now = Date.now, begins = () => false, log, ...disk }: JournalOptions): Journal {
  return createSqliteJournal(openOrBroken(path, { ...disk, onRescue: log && journalRescued(log) }), { now, begins });
}

function openOrBroken(path: string, disk: LastingOptions): LastingSqlite {
  try {
    return openLastingSqlite(path, JOURNAL_SCHEMA, disk);
  } catch (error) {
    const failure = asAppError(error, 'storage');
    return { ...brokenSqlite(failure), check: () => {}, loss: undefined, copy: () => Promise.reject(failure) };
  }
}
