/** What the gateway serves of time and of other sessions: cron jobs, heartbeats, hooks. */
import type { CronJob, CronOwner, CronRun } from '../core/cron.ts';

/** A job as it is shown: with what a person would ask next. */
export interface CronJobView extends CronJob {
  /** Its schedule in words, e.g. `every weekday at 07:00 (Europe/Berlin)`. */
  readonly when: string;
  /** The next three instants, milliseconds since the epoch; none when it is disabled or done. In long lists only the first. */
  readonly nextRunsAtMs: readonly number[];
  /** What keeps it from running as it is, and what to do: an agent or channel that is gone, a schedule nobody can read. */
  readonly problem?: string;
}

export interface CronStatus {
  readonly enabled: boolean;
  /** Absolute path of `jobs.json`. */
  readonly storePath: string;
  readonly jobs: number;
  readonly enabledJobs: number;
  readonly running: number;
  readonly nextWakeAtMs: number | null;
  /** What is wrong with the file, and what to do. Changes are refused meanwhile. */
  readonly problem?: string;
}

export interface CronListFilter {
  readonly includeDisabled?: boolean | undefined;
  readonly agentId?: string | undefined;
  /** Only jobs made in this session. */
  readonly ownerSessionKey?: string | undefined;
  /** In name, description, text or id. */
  readonly query?: string | undefined;
  readonly sortBy?: 'nextRunAtMs' | 'updatedAtMs' | 'name' | undefined;
  readonly sortDir?: 'asc' | 'desc' | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** An instant at which a job is due. */
export interface CronInstant { readonly jobId: string; readonly name: string; readonly atMs: number }

export type CronNews =
  | { readonly action: 'added' | 'updated'; readonly jobId: string; readonly nextRunAtMs?: number }
  | { readonly action: 'removed'; readonly jobId: string }
  | { readonly action: 'started'; readonly jobId: string; readonly runAtMs: number }
  | { readonly action: 'finished'; readonly jobId: string; readonly runAtMs: number; readonly run: CronRun; readonly nextRunAtMs?: number };

export interface CronService {
  status(): CronStatus;
  list(filter?: CronListFilter): Promise<{ readonly jobs: readonly CronJobView[]; readonly total: number }>;
  /** Unknown: undefined. */
  get(id: string): CronJobView | undefined;
  /** Any documented spelling of a job, times as people say them included. Rejects with `invalid` naming the field; resolves when it is on disk. */
  add(job: unknown, by?: { readonly agentId?: string; readonly owner?: CronOwner }): Promise<CronJobView>;
  /** Unknown: `not_found`. */
  update(id: string, patch: unknown): Promise<CronJobView>;
  remove(id: string): Promise<{ readonly removed: boolean }>;
  /** Resolves when the run is begun, not when it has ended. `force`: also when it is not due or disabled. */
  run(id: string, mode: 'due' | 'force'): Promise<{ readonly ran: boolean; readonly reason?: 'not-due' | 'already-running' | 'disabled'; readonly runId?: string }>;
  /** The newest runs, oldest first; of one job or of all. */
  runs(filter: { readonly jobId?: string | undefined; readonly limit: number; readonly offset?: number | undefined; readonly status?: 'ok' | 'error' | 'skipped' | undefined }): Promise<{ readonly runs: readonly CronRun[]; readonly total: number }>;
  /** Reads a schedule as it would be added, changes nothing: what it means in words, and its next instants. */
  preview(schedule: unknown, count: number): Promise<{ readonly schedule: CronJob['schedule']; readonly when: string; readonly nextRunsAtMs: readonly number[] }>;
  /** Coming runs of all enabled jobs between two instants, in order of time; `more`: the limit cut them. */
  calendar(span: { readonly fromMs: number; readonly toMs: number; readonly limit: number }): Promise<{ readonly runs: readonly CronInstant[]; readonly more: boolean }>;
  subscribe(listener: (news: CronNews) => void): () => void;
}

/** How the last look went. */
export interface HeartbeatReport {
  readonly ts: number;
  readonly agentId: string;
  readonly sessionKey: string;
  /** `sent`: a person was told; `ok`: nothing needed them; `skipped`: it did not look; `failed`: it could not. */
  readonly status: 'sent' | 'ok' | 'skipped' | 'failed';
  /** Why it looked (`interval`, `wake`, `cron:<id>` …), or why it did not (`quiet-hours`, `disabled`, `empty-heartbeat-file`, `alerts-disabled`, `requests-in-flight`, `duplicate`, `no-target`). */
  readonly reason: string;
  readonly preview?: string;
  readonly channel?: string;
  readonly to?: string;
  readonly durationMs?: number;
  readonly silent?: boolean;
}

export interface HeartbeatService {
  last(agentId?: string): HeartbeatReport | undefined;
  /** Per agent: its period and when it looks next. */
  agents(): readonly { readonly agentId: string; readonly everyMs: number | null; readonly nextAtMs: number | null; readonly session: string; readonly target: string }[];
  readonly enabled: boolean;
  /** Until the next start. */
  setEnabled(enabled: boolean): void;
  subscribe(listener: (report: HeartbeatReport) => void): () => void;
}

/** A turn asked for over HTTP. */
export interface HookAgentRequest {
  /** Repeats of it are answered with the run they began. */
  readonly key?: string | undefined;
  /** The hook's path, e.g. `agent` or `github`. */
  readonly hook: string;
  readonly name: string;
  readonly message: string;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly wakeMode: 'now' | 'next-heartbeat';
  readonly deliver: boolean;
  /** `last` or a channel. */
  readonly channel: string;
  readonly to?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface HookService {
  /** Resolves once it is on disk. Unknown agent, model or channel: `invalid`. */
  agent(request: HookAgentRequest): Promise<{ readonly runId: string }>;
  /** As `wake`, once per `key`. */
  wake(request: { readonly text: string; readonly mode: 'now' | 'next-heartbeat'; readonly key?: string | undefined; readonly sessionKey?: string | undefined }): Promise<void>;
  /** Channels answers may go to: `last` and those that are configured. */
  targets(): readonly string[];
}
