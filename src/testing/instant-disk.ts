/**
 * For journals beside a clock that stands still: what is committed counts as synced, without a wait that no clock
 * moves.
 */
import type { SqliteOptions } from '../platform/sqlite.ts';

export const instantDisk: SqliteOptions = { datasync: async () => {} };
