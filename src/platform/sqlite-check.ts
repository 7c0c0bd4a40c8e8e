/** Checks a whole SQLite file without changing it. */
import { DatabaseSync } from 'node:sqlite';
import { isLocked } from './sqlite-handle.ts';

/** `held`: a process has it for itself. */
export type SqliteState = 'sound' | 'held' | { readonly problem: string };

/** Looks through the whole file; never throws for what is wrong with it. */
export function checkSqlite(path: string): SqliteState {
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    return found === 'ok' ? 'sound' : { problem: String(found) };
  } catch (error) {
    // SQLite tells damage it meets early by throwing.
    return isLocked(error) ? 'held' : { problem: (error as Error).message };
  }
}
