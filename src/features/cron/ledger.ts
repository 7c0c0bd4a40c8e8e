/** What cron needs of the journal; `src/journal/cron-runs.ts` is it. */
import type { CronRun, CronStatusWord } from '../../journal/cron-runs.ts';

/**
 * How far a job is. `plan`: the schedule `slotMs` belongs to, so that a change of the schedule is seen; `facts`: JSON.
 */
export interface CronCursor {
  readonly jobId: string;
  readonly slotMs: number;
  readonly plan: string;
  readonly facts: string;
}

/** A change `jobs.json` does not hold yet. `job`: the job's JSON; null: it was removed. */
export interface JobRedo {
  readonly jobId: string;
  readonly job: string | null;
  readonly version: number;
}

/** What is written together, or not at all. */
export interface CronChange {
  readonly claim?: CronRun | undefined;
  readonly skipped?: readonly CronRun[] | undefined;
  readonly ended?: CronRun | undefined;
  readonly cursors?: readonly CronCursor[] | undefined;
  readonly jobs?: readonly JobRedo[] | undefined;
  /** Jobs that are gone. */
  readonly forget?: readonly string[] | undefined;
}

export interface CronLedger {
  /**
   * Resolves when it is on disk; false: somebody has claimed that attempt at that instant before, the rest was written.
   * Rejects with `storage`.
   */
  commit(change: CronChange): Promise<boolean>;
  /** In order of id, after `afterId`. */
  cursors(afterId: string, limit: number): readonly CronCursor[];
  running(): readonly CronRun[];
  kept(jobId: string): { readonly rows: number; readonly oldestSlotMs: number | undefined };
  ended(filter: {
    readonly jobId?: string | undefined;
    readonly status?: CronStatusWord | undefined;
    readonly limit: number;
    readonly offset?: number | undefined;
  }): { readonly runs: readonly CronRun[]; readonly total: number };
  /** In the order of their versions. */
  redo(): readonly JobRedo[];
  clearRedo(rows: readonly Pick<JobRedo, 'jobId' | 'version'>[]): Promise<void>;
}
