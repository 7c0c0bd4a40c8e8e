/** What is to be done about a job now: run an instant, try one again, let instants go, or wait. Pure. */
import type { CronMissed, CronRun } from '../core/cron.ts';
import { sha256Hex } from '../platform/ids.ts';
import type { Schedules } from './schedule/schedules.ts';
import type { JobEntry } from './store/entry.ts';

/** Later than this an instant was missed; earlier it was only busy. */
export const GRACE_MS = 60_000;
/** Of missed instants under the policy `all`. */
const RUN_AT_MOST = 100;
/** A summary counts no further. */
const COUNT_AT_MOST = 100;

export type Standing = Pick<JobEntry, 'job' | 'slotMs' | 'facts' | 'following'>;
export type MissedRules = Required<CronMissed>;

/** Instants nobody runs, told in one row under the newest of them. */
export interface Dropped { readonly slotMs: number; readonly attempt: number; readonly error: string }

export type Plan =
  | { readonly kind: 'wait' }
  | { readonly kind: 'run'; readonly slotMs: number; readonly attempt: number; readonly trigger: CronRun['trigger']; /** Counting them takes a while: asked when the run is begun. */ readonly dropped?: () => Dropped }
  | { readonly kind: 'drop'; readonly dropped: Dropped };

export interface Now {
  readonly nowMs: number;
  /** When it was seen to be due; it may have had to wait for others since. */
  readonly noticedMs: number;
  /** Why it was seen late, if it was. */
  readonly late: string;
  readonly missed: MissedRules;
}

/** How much later than its instants the job runs: the same for every run, another one for every job. */
export function staggerOf({ id, schedule }: Pick<JobEntry['job'], 'id' | 'schedule'>): number {
  const span = schedule.kind === 'cron' ? schedule.staggerMs ?? 0 : 0;
  return span > 0 ? Number.parseInt(sha256Hex(id).slice(0, 12), 16) % span : 0;
}

/** When the next instant after the newest one dealt with is run. */
export function nextSlotDue(standing: Pick<Standing, 'job' | 'slotMs' | 'following'>, schedules: Schedules): number | undefined {
  const { job, slotMs: afterMs } = standing;
  if (standing.following?.afterMs !== afterMs) standing.following = { afterMs, slotMs: schedules.next(job.schedule, afterMs, job.createdAtMs) };
  const slot = standing.following.slotMs;
  return slot === undefined ? undefined : slot + staggerOf(job);
}

/** When there is something to do about the job; undefined: never as things stand. */
export function dueOf(standing: Standing, schedules: Schedules): number | undefined {
  if (!standing.job.enabled) return undefined;
  const { retry, notBeforeMs } = standing.facts;
  const slot = nextSlotDue(standing, schedules);
  const due = slot === undefined || notBeforeMs === undefined ? slot : Math.max(slot, notBeforeMs);
  return due === undefined || retry === undefined ? due ?? retry?.atMs : Math.min(due, retry.atMs);
}

export function planFor(standing: Standing, now: Now, schedules: Schedules): Plan {
  const { job, facts, slotMs } = standing;
  const span = { afterMs: slotMs, untilMs: now.nowMs - staggerOf(job) };
  const due = nextSlotDue(standing, schedules);
  const newest = due === undefined || due > now.nowMs ? undefined : schedules.newest(job.schedule, span, job.createdAtMs);
  if (newest === undefined) return planRetry(standing, now);
  if (facts.notBeforeMs !== undefined && now.nowMs < facts.notBeforeMs) return { kind: 'wait' };
  const { policy, maxAgeMs } = now.missed;
  // What came due while it waited for its turn was not missed.
  const onTime = (slot: number): boolean => slot + staggerOf(job) > now.noticedMs - GRACE_MS;
  const drop = (untilMs: number, error: string): Dropped => summary(standing, { untilMs, newest, error }, schedules);
  if (!onTime(newest)) {
    if (policy === 'skip') return { kind: 'drop', dropped: drop(newest, now.late) };
    if (now.nowMs - newest > maxAgeMs) return { kind: 'drop', dropped: drop(newest, `${now.late}, and it is more than ${lengthOf(maxAgeMs)} ago`) };
  }
  const chosen = policy === 'all' ? oldestWorthIt(standing, now, schedules) ?? newest : newest;
  const earlier = schedules.newest(job.schedule, { afterMs: slotMs, untilMs: chosen - 1 }, job.createdAtMs);
  const why = policy === 'all' ? `it is more than ${lengthOf(maxAgeMs)} ago, or there are more than ${RUN_AT_MOST} after it` : policy === 'skip' ? now.late : 'a newer instant runs in its place';
  return {
    kind: 'run', slotMs: chosen, attempt: 0, trigger: onTime(chosen) ? 'schedule' : 'catch-up',
    ...(earlier === undefined ? {} : { dropped: () => drop(earlier, why) }),
  };
}

/** Under `all` each runs, the oldest first. */
function oldestWorthIt({ job, slotMs }: Standing, { nowMs, missed }: Now, schedules: Schedules): number | undefined {
  const span = { afterMs: Math.max(slotMs, nowMs - missed.maxAgeMs - 1), untilMs: nowMs - staggerOf(job), limit: RUN_AT_MOST };
  return schedules.between(job.schedule, span, job.createdAtMs).slots[0];
}

function planRetry({ job, facts: { retry } }: Standing, { nowMs, noticedMs, late, missed }: Now): Plan {
  if (retry === undefined || nowMs < retry.atMs || !job.enabled) return { kind: 'wait' };
  const { slotMs, attempt } = retry;
  const tooLate = missed.policy === 'skip' ? noticedMs - retry.atMs > GRACE_MS : nowMs - slotMs > missed.maxAgeMs;
  return tooLate ? { kind: 'drop', dropped: { slotMs, attempt, error: `It was to be tried again at ${iso(retry.atMs)}: ${late}.` } } : { kind: 'run', slotMs, attempt, trigger: 'retry' };
}

function summary({ job, slotMs }: Standing, { untilMs, newest, error }: { readonly untilMs: number; readonly newest: number; readonly error: string }, schedules: Schedules): Dropped {
  const { slots, more } = schedules.between(job.schedule, { afterMs: slotMs, untilMs, limit: COUNT_AT_MOST }, job.createdAtMs);
  const last = slots.at(-1) ?? newest;
  const told = slots.length > 1 ? `${slots.length}${more ? ' or more' : ''} instants up to this one were skipped` : 'Skipped';
  return { slotMs: last, attempt: 0, error: `${told}: ${error}.` };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function lengthOf(ms: number): string {
  const [unit, size] = ([['d', 86_400_000], ['h', 3_600_000], ['min', 60_000]] as const).find(([, length]) => ms >= length && ms % length === 0) ?? ['s', 1000];
  return `${Math.round(ms / size)} ${unit}`;
}
