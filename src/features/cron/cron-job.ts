/**
 * A cron job as `jobs.json`, the scheduler, the tools and the protocol share it. Field names are the documented ones.
 */
import type { CronDelivery, CronRun, CronStatusWord } from './ledger-rows.ts';
import type { ChatAddress, ChatKind } from '../../core/message.ts';
import type { ThinkingLevel } from '../../core/turn.ts';

export type CronSchedule =
  /** Once. */
  | { readonly kind: 'at'; readonly atMs: number }
  /** At `anchorMs + n · everyMs`; absent anchor: when the job was made. */
  | { readonly kind: 'every'; readonly everyMs: number; readonly anchorMs?: number }
  /**
   * Five or six fields; `tz`: an IANA zone, absent: this machine's. `staggerMs`: each run is put off by a time below
   * this, the same for every run of the job.
   */
  | { readonly kind: 'cron'; readonly expr: string; readonly tz?: string; readonly staggerMs?: number };

/** `session:<key>`: a turn in that conversation. */
export type CronSessionTarget = 'main' | 'isolated' | `session:${string}`;

export type CronPayload =
  | { readonly kind: 'systemEvent'; readonly text: string }
  | {
      readonly kind: 'agentTurn';
      readonly message: string;
      /** `provider/model` or an alias. */
      readonly model?: string;
      readonly thinking?: ThinkingLevel;
      readonly timeoutSeconds?: number;
      /** Absent: delivered when `to` is given, unless the agent wrote there itself. */
      readonly deliver?: boolean;
      /** A channel id or `last`. */
      readonly channel?: string;
      readonly to?: string;
      readonly accountId?: string;
      readonly threadId?: string;
      /** `to` is the bare id of such a chat, as a route has it; absent: a target as people write it. */
      readonly chatKind?: ChatKind;
      readonly bestEffortDeliver?: boolean;
    };

/**
 * What happens to runs that were missed while the gateway was not running. `once`: the newest one runs; `all`: each
 * runs. Runs older than `maxAgeMs` are always skipped.
 */
export interface CronMissed {
  readonly policy: 'skip' | 'once' | 'all';
  readonly maxAgeMs?: number;
}

/** Whose job it is: what it may do is bounded by where it was made. */
export interface CronOwner {
  readonly sessionKey: string;
  /** Who asked for it, by the channel's stable ids. */
  readonly senders?: readonly string[];
  /** Where they asked. Absent: at the gateway's own surface. */
  readonly address?: ChatAddress;
  /** Everybody who asked may configure the gateway: only such jobs speak to conversations other than their own. */
  readonly trusted?: true;
}

export interface CronJob {
  readonly id: string;
  readonly agentId?: string;
  readonly name: string;
  readonly description?: string;
  readonly enabled: boolean;
  /** Only for `at`, and only when it went well. */
  readonly deleteAfterRun?: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly schedule: CronSchedule;
  readonly sessionTarget: CronSessionTarget;
  readonly wakeMode: 'next-heartbeat' | 'now';
  readonly payload: CronPayload;
  /** What the main session hears of an isolated run. */
  readonly isolation?: {
    readonly postToMainPrefix?: string;
    readonly postToMainMode?: 'summary' | 'full';
    readonly postToMainMaxChars?: number;
  };
  readonly missed?: CronMissed;
  readonly owner?: CronOwner;
  readonly state: CronJobState;
}

export interface CronJobState {
  readonly nextRunAtMs?: number;
  readonly runningAtMs?: number;
  readonly lastRunAtMs?: number;
  readonly lastStatus?: CronStatusWord;
  readonly lastError?: string;
  readonly lastDurationMs?: number;
  /** Failures in a row. */
  readonly consecutiveErrors?: number;
  /** Why it was switched off, when nobody did so by hand. */
  readonly disabledReason?: string;
}

/**
 * What one attempt came to. `retryAtMs`: when it makes sense to try again; absent: the usual backoff after an error,
 * not at all after a skip.
 */
export interface CronOutcome {
  readonly status: CronStatusWord;
  readonly error?: string;
  /** At most 2000 characters. */
  readonly summary?: string;
  /** Trying again cannot help: the job is switched off. */
  readonly permanent?: true;
  readonly retryAtMs?: number;
  /** It failed after its work was done: doing it again would do the work twice. The job goes on with its next slot. */
  readonly final?: true;
  readonly delivery?: CronDelivery;
  readonly sessionKey?: string;
  readonly sessionId?: string;
}

/** A job as it is shown: with what a person would ask next. */
export interface CronJobView extends CronJob {
  /** Its schedule in words, e.g. `every weekday at 07:00 (Europe/Berlin)`. */
  readonly when: string;
  /** IANA zone of the clock in these words, in which its instants are told too; absent when it cannot be read. */
  readonly zone?: string;
  /**
   * The next three instants, milliseconds since the epoch; none when it is disabled or done. In long lists only the
   * first.
   */
  readonly nextRunsAtMs: readonly number[];
  /**
   * What keeps it from running as it is, and what to do: an agent or channel that is gone, a schedule nobody can read.
   */
  readonly problem?: string;
}

/** How a schedule is read, before there is a job. */
export interface CronPreview extends Pick<CronJobView, 'schedule' | 'when' | 'zone' | 'nextRunsAtMs'> {}

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
export interface CronInstant {
  readonly jobId: string;
  readonly name: string;
  readonly atMs: number;
}

/** A job came, changed, went, began or ended. */
export type CronNews =
  | { readonly action: 'added' | 'updated'; readonly jobId: string; readonly nextRunAtMs?: number }
  | { readonly action: 'removed'; readonly jobId: string }
  | { readonly action: 'started'; readonly jobId: string; readonly runAtMs: number }
  | {
      readonly action: 'finished';
      readonly jobId: string;
      readonly runAtMs: number;
      readonly run: CronRun;
      readonly nextRunAtMs?: number;
    };

/** The run id of its turn, and the dedupe id of its message: the same in every run. */
export const cronRunId = ({ jobId, slotMs, attempt }: Pick<CronRun, 'jobId' | 'slotMs' | 'attempt'>): string =>
  `cron:${jobId}:${slotMs}${attempt > 0 ? `:${attempt}` : ''}`;
