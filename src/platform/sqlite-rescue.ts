/**
 * Restores a database whose files vanished: from the open connection if it can still read, else as a new one; old files
 * are set aside.
 */
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { copySqlite } from './copy-database.ts';
import { quarantine, removeIfExists, syncDir } from './files.ts';
import { shortId } from './ids.ts';
import { checkSqlite } from './sqlite-check.ts';
import type { Vanished } from './sqlite-watch.ts';

/** What became of a database whose files had vanished. */
export interface Rescue {
  /** All rows are at the path again; else why they could not be copied. */
  readonly whole: boolean;
  readonly error?: unknown;
  /** Where what lay at the path is now. */
  readonly aside: readonly string[];
}

/**
 * Nobody writes meanwhile. Afterwards `path` is to be opened anew, and then the old connection closed: others read from
 * it until then.
 * Rejects, and has changed nothing, when rows that are still to be had could not be copied: a disk may have room again.
 */
export async function rescueSqlite({
  db,
  path,
  vanished,
}: {
  db: DatabaseSync;
  path: string;
  vanished: Vanished;
}): Promise<Rescue> {
  const copy = `${path}.rescue-${shortId()}`;
  const { whole, error } = await copied(db, copy, vanished);
  if (!whole && vanished.kind === 'moved' && !isDamage(error)) throw error;
  const aside: string[] = [];
  for (const at of [path, `${path}-wal`, `${path}-shm`])
    aside.push(...[await quarantine(at)].filter((name) => name !== undefined));
  if (whole) await rename(copy, path);
  await syncDir(dirname(path));
  return { whole, aside, ...(whole ? {} : { error }) };
}

/** SQLite's codes for a file that makes no sense. */
const isDamage = (error: unknown): boolean =>
  [11, 26].includes(Number((error as { errcode?: number } | null)?.errcode) & 0xff);

async function copied(db: DatabaseSync, copy: string, { kind }: Vanished): Promise<Pick<Rescue, 'whole' | 'error'>> {
  try {
    await copySqlite(db, copy);
    // Of a file that lost its end, a part is still in memory: only a whole one may pass for the truth.
    if (kind === 'shortened' && checkSqlite(copy) !== 'sound') throw new Error('It is incomplete.');
    return { whole: true };
  } catch (error) {
    await removeIfExists(copy);
    return { whole: false, error };
  }
}
