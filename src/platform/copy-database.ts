/** Makes a consistent copy of a SQLite file: it has every commit acknowledged before, and no partial one. */
import { chmod, open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { AppError } from '../core/errors.ts';
import { removeIfExists, statIfExists } from './files.ts';
import { OWN_COMMAND } from './own-command.ts';
import { isLocked } from './sqlite-handle.ts';
import { onDisk } from './storage-error.ts';

/**
 * Few enough that a thread of the pool is free again soon, many enough that the writes of a busy gateway do not outrun
 * the copy.
 */
const PAGES_A_STEP = 1024;

/** SQLite's codes for a file that is damaged, and for one that never was a database. */
const DAMAGED = new Set([11, 26]);

/** Copies what `db` has open. `to` must not exist; it is private and on the platter when this resolves. */
export async function copySqlite(db: DatabaseSync, to: string): Promise<void> {
  try {
    await backup(db, to, { rate: PAGES_A_STEP });
    await chmod(to, 0o600);
    const copy = await open(to, 'r+');
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
  } catch (error) {
    for (const part of [to, `${to}-wal`, `${to}-journal`]) await removeIfExists(part);
    throw error;
  }
}

/** Copies the file at `from`. `none`: there is none; `held`: a process has it for itself, and only it can copy. */
export async function copyDatabase(from: string, to: string): Promise<'copied' | 'none' | 'held'> {
  if ((await statIfExists(from)) === undefined) return 'none';
  return onDisk('copy', from, async () => {
    try {
      using db = new DatabaseSync(from, { readOnly: true });
      db.exec('SELECT 1 FROM sqlite_master'); // tells at once whether it may be read, which a backup does not
      await copySqlite(db, to);
      return 'copied';
    } catch (error) {
      if (isLocked(error)) return 'held';
      throw isDamaged(error) ? damaged(from, error) : error;
    }
  });
}

/**
 * Ready to be kept: without a log beside it, so that it can be read where nothing may be written, and read from end to
 * end, for damage is copied like all else.
 */
export async function syncCopy(copy: string, of: string): Promise<void> {
  await onDisk('copy', of, async () => {
    try {
      using db = new DatabaseSync(copy);
      db.exec('PRAGMA journal_mode=DELETE');
      const found = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
      if (found !== 'ok') throw damaged(of, new Error(found));
    } catch (error) {
      throw isDamaged(error) ? damaged(of, error) : error;
    }
  });
}

const isDamaged = (error: unknown): error is Error =>
  error instanceof Error && 'errcode' in error && DAMAGED.has(Number(error.errcode) & 0xff);

const damaged = (path: string, cause: Error): AppError =>
  new AppError(
    'storage',
    `Could not copy ${path}: ${cause.message}. Stop the gateway and run \`${OWN_COMMAND} doctor --repair\`, ` +
      'which moves the damaged file aside.',
    { cause, details: { path } },
  );
