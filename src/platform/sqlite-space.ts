/** Returns free pages of a SQLite file to the file system, when it is opened and most of it is free. */
import type { DatabaseSync } from 'node:sqlite';

/** Less is not worth rewriting the file. */
const WORTH_BYTES = 64 * 1024 * 1024;
/** SQLite's primary result codes (sqlite.org/rescode.html): somebody else has the file open, and the disk is full. */
const NOT_NOW = [5, 13];

/**
 * Writes the file anew without its free pages (`VACUUM`, one transaction: a crash leaves the file as it was) if they
 * are more than `worthBytes` and more than half of it. Needs as much room on the disk as the rest of the file takes;
 * without that, or while another process reads it, the file stays as it is, and later rows use its free pages.
 */
export function releaseSpace(db: DatabaseSync, worthBytes = WORTH_BYTES): void {
  const free = number(db, 'freelist_count');
  const bytes = free * number(db, 'page_size');
  if (bytes <= worthBytes || free * 2 <= number(db, 'page_count')) return;
  try {
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!NOT_NOW.includes(Number((error as { errcode?: number } | null)?.errcode) & 0xff)) throw error;
  }
}

const number = (db: DatabaseSync, pragma: string): number => Number(db.prepare(`PRAGMA ${pragma}`).get()![pragma]);
