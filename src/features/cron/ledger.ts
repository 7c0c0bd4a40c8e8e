/** The ledger of cron: which slots of which job were claimed, their results, and the progress of each job. */
import type {
  CronCommit,
  CronCursorRow,
  CronHistory,
  CronKept,
  CronRedoRow,
  CronRun,
  CronRunFilter,
} from './ledger-rows.ts';

export type { CronCommit as CronChange, CronCursorRow as CronCursor, CronRedoRow as JobRedo } from './ledger-rows.ts';

/** As the journal: *synced* outlasts a power cut, *soft* the process. */
export interface CronLedger {
  /** Synced; false: the claim came too late, the rest was written all the same. */
  commit(change: CronCommit): Promise<boolean>;
  /** In order of id, from the one after `afterId`. */
  cursors(afterId: string, limit: number): Promise<readonly CronCursorRow[]>;
  /** Begun, and not ended in any run of the gateway. */
  running(): Promise<readonly CronRun[]>;
  kept(jobId: string): Promise<CronKept>;
  /** What has ended: the newest, oldest first. */
  ended(filter: CronRunFilter): Promise<CronHistory>;
  /** Changes of jobs the file does not hold yet, in the order of their versions. */
  redo(): Promise<readonly CronRedoRow[]>;
  /** Soft: drops what the file now holds; a change made since stays. */
  clearRedo(rows: readonly Pick<CronRedoRow, 'jobId' | 'version'>[]): Promise<void>;
}
