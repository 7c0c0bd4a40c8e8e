/**
 * The shapes of scheduled work on the wire: jobs, their runs, coming instants; fields this page
 * does not use are left out.
 */
import type { WireCronJob, WireCronRun } from '../../../src/protocol/cron.ts';

export type Job = WireCronJob;
export type JobRun = WireCronRun;
export type JobSchedule = WireCronJob['schedule'];
export type MissedPolicy = NonNullable<WireCronJob['missed']>['policy'];
export type { CronListResult, CronRunResult, CronRunsResult, CronStatus } from '../../../src/protocol/cron.ts';

export interface CronInstant {
  readonly jobId: string;
  readonly name: string;
  readonly atMs: number;
}
/** `more`: there are later ones. */
export interface Calendar {
  readonly runs: readonly CronInstant[];
  readonly more: boolean;
}

export interface Preview {
  readonly schedule: JobSchedule;
  readonly when: string;
  readonly zone?: string;
  readonly nextRunsAtMs: readonly number[];
}
