/** Reads a SQLite file from end to end without changing it. */
import { DatabaseSync } from 'node:sqlite';

/** What SQLite finds wrong with the file at `path`; undefined when it is sound. */
export function checkSqlite(path: string): string | undefined {
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    return found === 'ok' ? undefined : String(found);
  } catch (error) {
    // SQLite tells damage it meets early by throwing.
    return (error as Error).message;
  }
}
