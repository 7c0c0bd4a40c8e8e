/** What the gateway serves of time and of other sessions: cron jobs, heartbeats, hooks. */
import type { CronInstant, CronJob, CronJobView, CronListFilter, CronNews, CronOwner, CronRun } from '../core/cron.ts';
import type { CronStatus } from '../protocol/cron.ts';
import type { HeartbeatEvent } from '../protocol/heartbeat.ts';
import type { HooksConfig } from './hooks/config.ts';

export interface CronService {
  /** As the file stands now. */
  status(): Promise<CronStatus>;
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

/** How the last look went; it goes over the wire as it is. */
export type HeartbeatReport = HeartbeatEvent;

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
  /** The live `hooks` slice; a reload changes what it returns. */
  config(): HooksConfig;
  /** Resolves once it is on disk. Unknown agent, model or channel: `invalid`. */
  agent(request: HookAgentRequest): Promise<{ readonly runId: string }>;
  /** As `wake`, once per `key`. */
  wake(request: { readonly text: string; readonly mode: 'now' | 'next-heartbeat'; readonly key?: string | undefined; readonly sessionKey?: string | undefined }): Promise<void>;
  /** Channels answers may go to: `last` and those that are configured. */
  targets(): readonly string[];
}
