/** A lock of the operating system: it is held by an open file and released when the process ends for any reason. */
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';

/** SQLite's codes; extended ones carry more above the lowest byte. */
const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Undefined while somebody else holds it, in this process or another. The file is empty and stays; that it is there
 * means nothing.
 * SQLite brings the locks of each system along, and they are those the journal beside it needs anyway. Nothing else in
 * this process may open
 * the file: where the system is POSIX, closing any handle to it would release the lock. Throws `AppError('storage')`
 * where there are no locks.
 */
export function holdSystemLock(path: string): Disposable | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path);
    file.exec('PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    const held = file;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    file?.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
    if (code === BUSY) return undefined;
    const advice =
      code === NOT_A_DATABASE
        ? 'it should be empty; remove it while no gateway runs here'
        : 'this directory has to be writable, and on a file system with locks';
    throw new AppError('storage', `Could not lock ${path}: ${advice}.`, { cause: error, details: { path } });
  }
}
