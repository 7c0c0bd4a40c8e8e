/** Decides what to do about a job now: run a slot, retry one, skip some, or wait. Pure. */
import type { CronMissed } from '../cron-job.ts';
import type { CronRun } from '../ledger-rows.ts';
import { sha256Hex } from '../../../platform/ids.ts';
import type { Schedules } from '../schedule/schedules.ts';
import type { JobEntry } from '../store/entry.ts';

/** Later than this an occurrence was missed; earlier the gateway was only busy. */
export const GRACE_MS = 60_000;
/** Of missed occurrences under the policy `all`. */
const MAX_RUN_AT = 100;
/** A summary counts no further. */
const MAX_COUNT_AT = 100;

/** How far a job is. */
export type Standing = Pick<JobEntry, 'job' | 'slotMs' | 'facts' | 'following'>;
/** What becomes of missed occurrences. */
export type MissedRules = Required<CronMissed>;

/** Occurrences nobody runs, in one row under the newest of them. */
export interface Dropped {
  readonly slotMs: number;
  readonly attempt: number;
  readonly error: string;
}

/** Occurrences that give way to a newer one. */
export interface Earlier {
  /** The newest of them. */
  readonly untilMs: number;
  readonly why: string;
}

/** What is to be done about a job. */
export type Plan =
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'run';
      readonly slotMs: number;
      readonly attempt: number;
      readonly trigger: CronRun['trigger'];
      /** Counting them takes a while: `droppedOf` does it when the run is begun. */
      readonly earlier?: Earlier;
    }
  | { readonly kind: 'drop'; readonly dropped: Dropped };

/** When a plan is made, and what holds then. */
export interface Now {
  readonly nowMs: number;
  /** When it was seen to be due; it may have had to wait for others since. */
  readonly noticedMs: number;
  /** Why it was seen late, if it was. */
  readonly late: string;
  readonly missed: MissedRules;
}

/** How much later than its occurrences the job runs: the same for every run, another one for every job. */
export function staggerOf({ id, schedule }: Pick<JobEntry['job'], 'id' | 'schedule'>): number {
  const span = schedule.kind === 'cron' ? (schedule.staggerMs ?? 0) : 0;
  return span > 0 ? Number.parseInt(sha256Hex(id).slice(0, 12), 16) % span : 0;
}

/** When the next occurrence after the newest one dealt with is run. Remembers it on `standing`: reckoning is dear. */
export function nextSlotDue(
  standing: Pick<Standing, 'job' | 'slotMs' | 'following'>,
  schedules: Schedules,
): number | undefined {
  const { job, slotMs: afterMs } = standing;
  if (standing.following?.afterMs !== afterMs)
    standing.following = { afterMs, slotMs: schedules.next(job.schedule, afterMs, job.createdAtMs) };
  const slot = standing.following.slotMs;
  return slot === undefined ? undefined : slot + staggerOf(job);
}

/** When there is something to do about the job; undefined: never as things stand. */
export function dueOf(standing: Standing, schedules: Schedules): number | undefined {
  if (!standing.job.enabled) return undefined;
  const { retry, notBeforeMs } = standing.facts;
  const slot = nextSlotDue(standing, schedules);
  const due = slot === undefined || notBeforeMs === undefined ? slot : Math.max(slot, notBeforeMs);
  return due === undefined || retry === undefined ? (due ?? retry?.atMs) : Math.min(due, retry.atMs);
}

/** What is to be done about the job now. */
export function planFor(standing: Standing, now: Now, schedules: Schedules): Plan {
  const { job, facts, slotMs } = standing;
  const span = { afterMs: slotMs, untilMs: now.nowMs - staggerOf(job) };
  const due = nextSlotDue(standing, schedules);
  const newest =
    due === undefined || due > now.nowMs ? undefined : schedules.newest(job.schedule, span, job.createdAtMs);
  if (newest === undefined) return planRetry(standing, now);
  if (facts.notBeforeMs !== undefined && now.nowMs < facts.notBeforeMs) return { kind: 'wait' };
  const why = tooLate(standing, newest, now);
  if (why !== undefined) return { kind: 'drop', dropped: droppedOf(standing, { untilMs: newest, why }, schedules) };
  return planRun(standing, newest, now, schedules);
}

/** What came due while it waited for its turn was not missed. */
const isOnTime = ({ job }: Standing, slotMs: number, { noticedMs }: Now): boolean =>
  slotMs + staggerOf(job) > noticedMs - GRACE_MS;

/** Why not even the newest occurrence runs; undefined: it does. */
function tooLate(standing: Standing, newest: number, now: Now): string | undefined {
  const { policy, maxAgeMs } = now.missed;
  if (isOnTime(standing, newest, now)) return undefined;
  if (policy === 'skip') return now.late;
  return now.nowMs - newest > maxAgeMs ? `${now.late}, and it is more than ${lengthOf(maxAgeMs)} ago` : undefined;
}

function planRun(standing: Standing, newest: number, now: Now, schedules: Schedules): Plan {
  const { job, slotMs: afterMs } = standing;
  const { policy, maxAgeMs } = now.missed;
  const slotMs = policy === 'all' ? (oldestWorthIt(standing, now, schedules) ?? newest) : newest;
  const untilMs = slotMs - 1;
  const before = schedules.newest(job.schedule, { afterMs, untilMs }, job.createdAtMs);
  const trigger = isOnTime(standing, slotMs, now) ? 'schedule' : 'catch-up';
  const plan = { kind: 'run', slotMs, attempt: 0, trigger } as const;
  if (before === undefined) return plan;
  const why = {
    all: `it is more than ${lengthOf(maxAgeMs)} ago, or there are more than ${MAX_RUN_AT} after it`,
    skip: now.late,
    once: 'a newer instant runs in its place',
  }[policy];
  return { ...plan, earlier: { untilMs: before, why } };
}

/** Under `all` each runs, the oldest first. */
function oldestWorthIt({ job, slotMs }: Standing, { nowMs, missed }: Now, schedules: Schedules): number | undefined {
  const span = {
    afterMs: Math.max(slotMs, nowMs - missed.maxAgeMs - 1),
    untilMs: nowMs - staggerOf(job),
    limit: MAX_RUN_AT,
  };
  return schedules.between(job.schedule, span, job.createdAtMs).slots[0];
}

function planRetry({ job, facts: { retry } }: Standing, { nowMs, noticedMs, late, missed }: Now): Plan {
  if (retry === undefined || nowMs < retry.atMs || !job.enabled) return { kind: 'wait' };
  const { slotMs, attempt } = retry;
  const tooLate = missed.policy === 'skip' ? noticedMs - retry.atMs > GRACE_MS : nowMs - slotMs > missed.maxAgeMs;
  return tooLate
    ? { kind: 'drop', dropped: { slotMs, attempt, error: `The retry was due at ${iso(retry.atMs)}: ${late}.` } }
    : { kind: 'run', slotMs, attempt, trigger: 'retry' };
}

/** One row for all of them. */
export function droppedOf({ job, slotMs }: Standing, { untilMs, why }: Earlier, schedules: Schedules): Dropped {
  const span = { afterMs: slotMs, untilMs, limit: MAX_COUNT_AT };
  const { slots, more } = schedules.between(job.schedule, span, job.createdAtMs);
  const count = `${slots.length}${more ? ' or more' : ''}`;
  const words = slots.length > 1 ? `${count} instants up to this one were skipped` : 'Skipped';
  return { slotMs: slots.at(-1) ?? untilMs, attempt: 0, error: `${words}: ${why}.` };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function lengthOf(ms: number): string {
  const [unit, size] = (
    [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['min', 60_000],
    ] as const
  ).find(([, length]) => ms >= length && ms % length === 0) ?? ['s', 1000];
  return `${Math.round(ms / size)} ${unit}`;
}
