/** The rows of the cron ledger. Times are milliseconds since the epoch. */

export type CronStatusWord = 'ok' | 'error' | 'skipped';

export interface CronDelivery {
  readonly status: 'delivered' | 'pending' | 'not-delivered' | 'not-requested';
  readonly channel?: string;
  readonly to?: string;
  readonly error?: string;
}

/** A row of the ledger: (job, slot, attempt) is unique, and attempt 0 of a slot is written once, whoever asks. */
export interface CronRun {
  readonly jobId: string;
  /** The scheduled instant, without stagger; for a run by hand the moment it was asked for. */
  readonly slotMs: number;
  readonly attempt: number;
  readonly trigger: 'schedule' | 'catch-up' | 'retry' | 'manual';
  /** `running` covers claimed and begun. A missed slot is `skipped` with its reason in `error`. */
  readonly state: 'running' | CronStatusWord;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  readonly error?: string;
  readonly summary?: string;
  readonly delivery?: CronDelivery;
  readonly sessionKey?: string;
  readonly sessionId?: string;
}

/**
 * How far a job is: `slotMs` is the newest instant dealt with, `plan` the schedule it belongs to, `facts` what its
 * state is made of (JSON).
 */
export interface CronCursorRow {
  readonly jobId: string;
  readonly slotMs: number;
  readonly plan: string;
  readonly facts: string;
}

/** `job` is the job's JSON; null: it was removed. `version` only grows. */
export interface CronRedoRow {
  readonly jobId: string;
  readonly job: string | null;
  readonly version: number;
}

/** What is written together, or not at all. */
export interface CronCommit {
  /** Written unless somebody has this attempt at this instant already. */
  readonly claim?: CronRun | undefined;
  /** Instants nobody runs; one that has a row keeps it. */
  readonly skipped?: readonly CronRun[] | undefined;
  /** A run that was begun, and its end. The first end stands. */
  readonly ended?: CronRun | undefined;
  readonly cursors?: readonly CronCursorRow[] | undefined;
  readonly jobs?: readonly CronRedoRow[] | undefined;
  /** Jobs that are gone: nothing is owed for them any more. */
  readonly forget?: readonly string[] | undefined;
}

export interface CronRunFilter {
  readonly jobId?: string | undefined;
  readonly status?: CronStatusWord | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** `total` counts up to 20 000. */
export interface CronHistory {
  readonly runs: readonly CronRun[];
  readonly total: number;
}

/** How many rows a job has, and the oldest instant among them. */
export interface CronKept {
  readonly rows: number;
  readonly oldestSlotMs: number | undefined;
}
