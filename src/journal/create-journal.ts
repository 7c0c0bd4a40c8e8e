/** Opens the journal over one SQLite file. */
import { asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { openLastingSqlite, type LastingOptions, type LastingSqlite } from '../platform/lasting-sqlite.ts';
import { brokenSqlite } from '../platform/sqlite.ts';
import { journalRescued } from './sqlite/rescued.ts';
import type { Journal } from './journal.ts';
import type { NewOutboxRow } from './rows.ts';
import { JOURNAL_SCHEMA } from './sqlite/schema.ts';
import type { JournalTables } from './tables.ts';
import { createSqliteJournal } from './sqlite/sqlite-journal.ts';

export interface JournalOptions extends Omit<LastingOptions, 'onRescue'> {
  readonly path: string;
  readonly now?: () => number;
  /** Whether a new reply is sent as soon as it is on disk; called when the reply is added. */
  readonly begins?: (row: NewOutboxRow) => boolean;
  /** Tables of features, besides its own. */
  readonly tables?: readonly JournalTables[];
  /** Called when its files had disappeared. */
  readonly log?: Log;
}

/**
 * Opens `path`. A file that cannot be opened (damaged, read-only, no folder) gives a journal that rejects every write
 * with the reason, so that the gateway keeps running, shows the history and reports the problem (P10).
 */
export function createJournal({
  path,
  now = Date.now,
  begins = () => false,
  tables = [],
  log,
  ...disk
}: JournalOptions): Journal {
  const schema = [JOURNAL_SCHEMA, ...tables.map((one) => one.schema)].join('');
  const sql = openOrBroken(path, schema, { ...disk, onRescue: log && journalRescued(log) });
  return createSqliteJournal(sql, { now, begins, tables });
}

function openOrBroken(path: string, schema: string, disk: LastingOptions): LastingSqlite {
  try {
    return openLastingSqlite(path, schema, disk);
  } catch (error) {
    const failure = asAppError(error, 'storage');
    return { ...brokenSqlite(failure), check: () => {}, loss: undefined, copy: () => Promise.reject(failure) };
  }
}
