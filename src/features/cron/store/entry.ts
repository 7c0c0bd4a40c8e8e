/** A job in memory, with its state in the ledger. */
import type { CronJob, CronJobState } from '../cron-job.ts';
import { present } from '../../../core/present.ts';
import type { CronCursor } from '../ledger.ts';

/** A job without what changes by itself. */
export type StoredJob = Omit<CronJob, 'state'>;

/** What happened to a job so far; kept in the ledger as JSON. */
export interface CronFacts extends Omit<CronJobState, 'nextRunAtMs' | 'runningAtMs'> {
  /** The same instant is tried once more. */
  readonly retry?: { readonly slotMs: number; readonly attempt: number; readonly atMs: number };
  /** After failures: no instant is begun earlier. */
  readonly notBeforeMs?: number;
  /** What its owner is still to be told. */
  readonly notice?: { readonly id: string; readonly text: string };
}

export interface JobEntry {
  readonly id: string;
  readonly job: StoredJob;
  /** Fields somebody wrote into the file that are not ours. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly problem?: undefined;
  /** The newest instant dealt with. */
  slotMs: number;
  facts: CronFacts;
  /** When it runs next as things stand; undefined: never, or it is switched off. */
  dueAtMs?: number | undefined;
  runningAtMs?: number | undefined;
  /** The instant after `afterMs`, once it was reckoned: for expressions that is the dearest thing about a job. */
  following?: { readonly afterMs: number; readonly slotMs: number | undefined } | undefined;
}

/**
 * A job of the file that cannot run as it stands there. It is shown, kept as it is, and does not disturb the others.
 */
export interface BadEntry {
  readonly id: string;
  readonly problem: string;
  /** As it stands in the file. */
  readonly raw: unknown;
  /** When all but its schedule is right. */
  readonly job?: StoredJob;
}

export type Entry = JobEntry | BadEntry;

export const isGood = (entry: Entry): entry is JobEntry => entry.problem === undefined;

/** Two jobs with the same plan owe the same instants. */
export const planOf = ({ enabled, schedule }: Pick<StoredJob, 'enabled' | 'schedule'>): string =>
  `${enabled ? 'on' : 'off'} ${JSON.stringify(schedule)}`;

export function cursorOf({ id, job, slotMs, facts }: Pick<JobEntry, 'id' | 'job' | 'slotMs' | 'facts'>): CronCursor {
  return { jobId: id, slotMs, plan: planOf(job), facts: JSON.stringify(facts) };
}

/**
 * From when on instants are owed to a job that was just made or changed; one that runs once may be due this very
 * moment.
 */
export const firstSlot = ({ schedule }: Pick<StoredJob, 'schedule'>, nowMs: number): number =>
  schedule.kind === 'at' ? Math.min(nowMs, schedule.atMs - 1) : nowMs;

export function stateOf({ facts, dueAtMs, runningAtMs }: JobEntry): CronJobState {
  const { retry: _retry, notBeforeMs: _notBefore, notice: _notice, ...shown } = facts;
  return { ...present({ nextRunAtMs: dueAtMs, runningAtMs }), ...shown };
}

/** Whole, as it stands in the file. */
export const fileJob = (entry: Entry): unknown =>
  isGood(entry) ? { ...entry.job, ...entry.extra, state: stateOf(entry) } : entry.raw;
