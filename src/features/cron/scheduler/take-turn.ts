/** What is started, skipped or postponed when a job is due, or a run is requested. Pure. */
import type { CronRun } from '../ledger-rows.ts';
import type { Schedules } from '../schedule/schedules.ts';
import type { CronFacts, JobEntry } from '../store/entry.ts';
import { noticeOf } from './after-run.ts';
import { droppedOf, dueOf, planFor, type Dropped, type MissedRules, type Plan } from './due.ts';
import { ranked, withRanked } from './ranked-map.ts';
import {
  isActive,
  type Progress,
  type SchedulerEffect,
  type SchedulerEvent,
  type SchedulerState,
  type SchedulerStep,
} from './scheduler-state.ts';

type Event<Type extends SchedulerEvent['type']> = Extract<SchedulerEvent, { readonly type: Type }>;

/** What was missed is caught up one by one. */
const CATCH_UP_EVERY_MS = 250;
/** Until a job is looked at again that could not be begun. */
export const HOLD_MS = 10_000;
/** So close to its start a run by hand is moved away from an occurrence of the schedule. */
const NEAR_MS = 10;

const ABSENT = 'the gateway was not running at that time';
const BUSY = 'the run before it had not ended';

/** What holds for a job's missed occurrences. */
export const missedOf = ({ settings }: SchedulerState, { job }: Pick<JobEntry, 'job'>): MissedRules => ({
  ...settings.missed,
  ...job.missed,
});

export function takeTurn(state: SchedulerState, event: Event<'turnCame'>, schedules: Schedules): SchedulerStep {
  const { entry, jobId, nowMs } = event;
  if (!entry || state.running.has(jobId) || !isActive(state)) return [state, []];
  const plan = planOf(state, { entry, nowMs, noticedMs: state.turns.get(jobId) ?? nowMs }, schedules);
  if (plan.kind === 'wait') return reckonLater(state, { entry, nowMs }, schedules);
  if (plan.kind === 'run' && plan.trigger === 'catch-up' && ranked(state.heldUntil, jobId) === undefined) {
    const turnMs = Math.max(nowMs, state.catchUpMs);
    const spaced: SchedulerState = { ...state, catchUpMs: turnMs + CATCH_UP_EVERY_MS };
    return turnMs > nowMs ? hold(spaced, jobId, turnMs) : [spaced, claimOf(entry, plan, nowMs, schedules)];
  }
  const next: SchedulerState = { ...state, heldUntil: withRanked(state.heldUntil, jobId, undefined) };
  return [next, plan.kind === 'drop' ? skipOf(entry, plan.dropped, nowMs) : claimOf(entry, plan, nowMs, schedules)];
}

/** What somebody who asks is answered is what runs afterwards. */
export function askRun(
  state: SchedulerState,
  { entry, mode, nowMs }: Event<'runAsked'>,
  schedules: Schedules,
): readonly SchedulerEffect[] {
  if (state.running.has(entry.id)) return [];
  if (mode === 'force') return [{ type: 'claim', run: runManually(entry, { fromMs: nowMs, nowMs }, schedules) }];
  if (!entry.job.enabled) return [];
  const plan = planOf(state, { entry, nowMs, noticedMs: nowMs }, schedules);
  if (plan.kind === 'wait') return [];
  return plan.kind === 'drop' ? skipOf(entry, plan.dropped, nowMs) : claimOf(entry, plan, nowMs, schedules);
}

/** A claim that came too late is not begun; one by hand takes the next free moment. */
export function claimed(
  state: SchedulerState,
  { run, won, entry }: Event<'claimed'>,
  schedules: Schedules,
): SchedulerStep {
  if (won) return startRun(state, run);
  const { jobId, slotMs, attempt, startedAtMs } = run;
  if (run.trigger === 'manual' && entry)
    return [state, [{ type: 'claim', run: runManually(entry, { fromMs: slotMs + 1, nowMs: startedAtMs }, schedules) }]];
  return [
    state,
    [
      { type: 'warn', event: 'cron.claimed-before', fields: { jobId, slotMs, attempt } },
      { type: 'reckon', jobId },
    ],
  ];
}

/** It is reckoned anew when it has ended. */
export function startRun(state: SchedulerState, run: CronRun): SchedulerStep {
  const { jobId, startedAtMs } = run;
  const running = new Map(state.running).set(jobId, run);
  const effects: SchedulerEffect[] = [
    { type: 'startRun', run },
    { type: 'announce', news: { action: 'started', jobId, runAtMs: startedAtMs } },
  ];
  const due = withRanked(state.due, jobId, undefined);
  const waiting = withRanked(state.waiting, jobId, undefined);
  return [{ ...state, running, due, waiting }, effects];
}

interface EntryAt {
  readonly entry: JobEntry;
  readonly nowMs: number;
}

function planOf(
  state: SchedulerState,
  { entry, nowMs, noticedMs }: EntryAt & { readonly noticedMs: number },
  schedules: Schedules,
): Plan {
  const wasBusy = (entry.dueAtMs ?? Infinity) <= (ranked(state.busyUntil, entry.id)?.rank ?? -Infinity);
  const late = wasBusy ? BUSY : ABSENT;
  return planFor(entry, { nowMs, noticedMs, late, missed: missedOf(state, entry) }, schedules);
}

/** Should its schedule say "due" and "nothing to do" in one breath, it must not be asked again at once, for ever. */
function reckonLater(state: SchedulerState, { entry, nowMs }: EntryAt, schedules: Schedules): SchedulerStep {
  const dueMs = dueOf(entry, schedules);
  if (dueMs !== undefined && dueMs <= nowMs) return hold(state, entry.id, nowMs + HOLD_MS);
  return [state, [{ type: 'reckon', jobId: entry.id }]];
}

const hold = (state: SchedulerState, jobId: string, rank: number): SchedulerStep => [
  { ...state, heldUntil: withRanked(state.heldUntil, jobId, { rank }) },
  [{ type: 'reckon', jobId }],
];

function claimOf(
  entry: JobEntry,
  { slotMs, attempt, trigger, earlier }: Extract<Plan, { kind: 'run' }>,
  nowMs: number,
  schedules: Schedules,
): readonly SchedulerEffect[] {
  const run: CronRun = { jobId: entry.id, slotMs, attempt, trigger, state: 'running', startedAtMs: nowMs };
  const progress: Progress = { slotMs: attempt > 0 ? entry.slotMs : slotMs, facts: settled(entry.facts) };
  if (!earlier) return [{ type: 'claim', run, progress }];
  return [{ type: 'claim', run, progress, skipped: skippedRow(entry.id, droppedOf(entry, earlier, schedules), nowMs) }];
}

/** Occurrences nobody runs any more leave a row; a job that was to run once is over. */
function skipOf(entry: JobEntry, dropped: Dropped, nowMs: number): readonly SchedulerEffect[] {
  const row = skippedRow(entry.id, dropped, nowMs);
  const isOver = entry.job.schedule.kind === 'at';
  const facts: CronFacts = {
    ...settled(entry.facts),
    lastStatus: 'skipped',
    lastError: dropped.error,
    ...(isOver ? { disabledReason: dropped.error, notice: noticeOf(entry.job, row, dropped.error) } : {}),
  };
  const slotMs = dropped.attempt > 0 ? entry.slotMs : dropped.slotMs;
  const fields = { jobId: entry.id, slotMs: dropped.slotMs, reason: dropped.error };
  return [
    { type: 'warn', event: 'cron.skipped', fields },
    { type: 'record', row, as: 'skipped', change: isOver ? 'off' : 'none', progress: { slotMs, facts } },
  ];
}

const skippedRow = (jobId: string, { slotMs, attempt, error }: Dropped, nowMs: number): CronRun => ({
  jobId,
  slotMs,
  attempt,
  trigger: 'schedule',
  state: 'skipped',
  startedAtMs: nowMs,
  endedAtMs: nowMs,
  error,
});

/** A new occurrence is begun or let go: what was planned for the one before is over. */
const settled = ({ retry: _retry, notBeforeMs: _notBefore, ...facts }: CronFacts): CronFacts => facts;

/** Its occurrence is this moment, moved a little where it would be one of the schedule's, which is still to run. */
function runManually(
  { id, job: { schedule, createdAtMs } }: JobEntry,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
  schedules: Schedules,
): CronRun {
  const isOccurrence = (slotMs: number): boolean =>
    schedules.newest(schedule, { afterMs: slotMs - 1, untilMs: slotMs }, createdAtMs) !== undefined;
  let slotMs = fromMs;
  while (slotMs < nowMs + NEAR_MS && isOccurrence(slotMs)) slotMs++;
  return { jobId: id, slotMs, attempt: 0, trigger: 'manual', state: 'running', startedAtMs: nowMs };
}
