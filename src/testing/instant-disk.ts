/** A disk without delay, for journals with a fake clock: commits count as synced immediately. */
import type { SqliteOptions } from '../platform/sqlite.ts';

export const instantDisk: SqliteOptions = { datasync: async () => {} };
