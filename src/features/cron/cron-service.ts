/** The interface of cron for clients, tools and the access table. */
import type { CronPreview, CronInstant, CronJobView, CronListFilter, CronNews, CronOwner } from './cron-job.ts';
import type { CronRun } from './ledger-rows.ts';
import type { CronStatus } from './answers.ts';

export interface CronService {
  /** As the file stands now. */
  status(): Promise<CronStatus>;
  list(filter?: CronListFilter): Promise<{ readonly jobs: readonly CronJobView[]; readonly total: number }>;
  /** Unknown: undefined. */
  get(id: string): CronJobView | undefined;
  /**
   * Any documented spelling of a job, times as people say them included. Rejects with `invalid` naming the field;
   * resolves when it is on disk.
   */
  add(job: unknown, by?: { readonly agentId?: string; readonly owner?: CronOwner }): Promise<CronJobView>;
  /** Unknown: `not_found`. */
  update(id: string, patch: unknown): Promise<CronJobView>;
  remove(id: string): Promise<{ readonly removed: boolean }>;
  /** Resolves when the run is begun, not when it has ended. `force`: also when it is not due or disabled. */
  run(
    id: string,
    mode: 'due' | 'force',
  ): Promise<{
    readonly ran: boolean;
    readonly reason?: 'not-due' | 'already-running' | 'disabled';
    readonly runId?: string;
  }>;
  /** The newest runs, oldest first; of one job or of all. */
  runs(filter: {
    readonly jobId?: string | undefined;
    readonly limit: number;
    readonly offset?: number | undefined;
    readonly status?: 'ok' | 'error' | 'skipped' | undefined;
  }): Promise<{ readonly runs: readonly CronRun[]; readonly total: number }>;
  /** Reads a schedule as it would be added, changes nothing: what it means in words, and its next instants. */
  preview(schedule: unknown, count: number): Promise<CronPreview>;
  /** Coming runs of all enabled jobs between two instants, in order of time; `more`: the limit cut them. */
  calendar(span: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly limit: number;
  }): Promise<{ readonly runs: readonly CronInstant[]; readonly more: boolean }>;
  subscribe(listener: (news: CronNews) => void): () => void;
}
