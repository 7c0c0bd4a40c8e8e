/** The consequences of the end of a run: its row, the state of its job, and the notice to its owner. Pure. */
import { cronRunId, type CronNews, type CronOutcome } from '../cron-job.ts';
import type { CronRun } from '../ledger-rows.ts';
import type { Schedules } from '../schedule/schedules.ts';
import { afterRun } from './after-run.ts';
import { nextSlotDue } from './due.ts';
import type { JobChange, SchedulerEffect, SchedulerEvent, SchedulerState, SchedulerStep } from './scheduler-state.ts';
import { missedOf, startRun } from './take-turn.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';

type Event<Type extends SchedulerEvent['type']> = Extract<SchedulerEvent, { readonly type: Type }>;

const DAY_MS = 86_400_000;
const TEXT_CHARACTERS = 2000;

/** A run goes on where it was, unless its job is gone or it is too long ago. */
export function findRun(
  state: SchedulerState,
  { run, entry, nowMs }: Event<'runFound'>,
  schedules: Schedules,
): SchedulerStep {
  const current = state.running.get(run.jobId);
  if (current) {
    const isOurs = cronRunId(current) === cronRunId(run);
    return [isOurs ? state : { ...state, leftOver: new Set(state.leftOver).add(run.jobId) }, []];
  }
  if (entry && nowMs - run.startedAtMs <= Math.max(DAY_MS, missedOf(state, entry).maxAgeMs))
    return startRun(state, run);
  const why = entry
    ? 'the gateway restarted too late to continue it'
    : 'its job had been deleted when the gateway restarted';
  const outcome: CronOutcome = { status: 'error', error: `Broken off: ${why}.`, final: true };
  return [state, endRun(state, { type: 'runEnded', run, outcome, entry, nowMs }, schedules)];
}

export function endRun(
  state: SchedulerState,
  { run, outcome, entry, nowMs }: Event<'runEnded'>,
  schedules: Schedules,
): readonly SchedulerEffect[] {
  const row = endedRow(run, outcome, nowMs);
  if (!entry) return [{ type: 'record', row, as: 'ended', change: 'none' }];
  const { job, slotMs } = entry;
  const { facts, off } = afterRun({
    job,
    facts: entry.facts,
    run,
    outcome,
    endedMs: nowMs,
    nextMs: nextSlotDue(entry, schedules),
    maxAgeMs: missedOf(state, entry).maxAgeMs,
  });
  const change: JobChange = off === 'done' && job.deleteAfterRun ? 'removed' : off ? 'off' : 'none';
  return [{ type: 'record', row, as: 'ended', change, progress: { slotMs, facts } }];
}

/** `entry` is the job as it is from now on. */
export function recorded({ row, change, entry }: Event<'recorded'>): readonly SchedulerEffect[] {
  const { jobId } = row;
  const next = entry?.dueAtMs === undefined ? {} : { nextRunAtMs: entry.dueAtMs };
  const news: CronNews[] = [{ action: 'finished', jobId, runAtMs: row.startedAtMs, run: row, ...next }];
  if (change === 'removed') news.push({ action: 'removed', jobId });
  if (change === 'off') news.push({ action: 'updated', jobId, ...next });
  const effects: SchedulerEffect[] = news.map((one) => ({ type: 'announce', news: one }));
  const notice = entry?.facts.notice;
  if (notice) effects.push({ type: 'notify', jobId, notice });
  return effects;
}

/** Its owner has heard it, unless there is something newer to hear. */
export function settleNotice({ entry, noticeId }: Event<'notified'>): readonly SchedulerEffect[] {
  const { notice, ...facts } = entry.facts;
  return notice?.id === noticeId ? [{ type: 'keepFacts', jobId: entry.id, facts }] : [];
}

function endedRow(
  run: CronRun,
  { status, error, summary, delivery, sessionKey, sessionId }: CronOutcome,
  endedAtMs: number,
): CronRun {
  return {
    ...run,
    state: status,
    endedAtMs,
    ...present({
      error: error !== undefined ? head(error, TEXT_CHARACTERS) : undefined,
      summary: summary !== undefined ? head(summary, TEXT_CHARACTERS) : undefined,
      delivery,
      sessionKey,
      sessionId,
    }),
  };
}
