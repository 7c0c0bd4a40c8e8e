/** Performs the effects of the scheduler's state machine on the clock, the ledger, the jobs and the runs. */
import type { CronNews } from '../cron-job.ts';
import { present } from '../../../core/present.ts';
import type { Timer } from '../../../platform/clock.ts';
import { inSteps } from '../../../platform/in-steps.ts';
import type { KeyedQueue } from '../../../platform/keyed-queue.ts';
import { byExpression } from '../by-expression.ts';
import type { CronLedger } from '../ledger.ts';
import type { Schedules } from '../schedule/schedules.ts';
import { cursorOf, isGood, type JobEntry } from '../store/entry.ts';
import type { JobStore } from '../store/job-store.ts';
import { afterClockChange, isAhead } from './after-clock-change.ts';
import { dueOf } from './due.ts';
import { createRunJobs, type RunJobs, type RunJobsDeps } from './run-jobs.ts';
import type { SchedulerEffect, SchedulerInput, SchedulerState } from './scheduler-state.ts';
import { missedOf } from './take-turn.ts';

export interface PerformDeps extends Pick<RunJobsDeps, 'clock' | 'log' | 'run' | 'notify'> {
  readonly store: Pick<JobStore, 'entries' | 'become' | 'touch'>;
  readonly ledger: Pick<CronLedger, 'commit' | 'running' | 'kept'>;
  readonly jobQueue: Pick<KeyedQueue, 'run'>;
  schedules(): Schedules;
  announce(news: CronNews): void;
  /** Resolves when what follows from the event is done. */
  dispatch(input: SchedulerInput): Promise<void>;
  state(): SchedulerState;
}

export interface Perform {
  /** Resolves when it is done; runs and turns go on in the background. */
  effect(effect: SchedulerEffect): Promise<void> | void;
  reckon(jobId: string): void;
  stop(): Promise<void>;
}

type Effect<Type extends SchedulerEffect['type']> = Extract<SchedulerEffect, { readonly type: Type }>;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createPerform(deps: PerformDeps): Perform {
  const { store, ledger, jobQueue, dispatch } = deps;
  const setTimer = timerOf(deps);
  const reckon = (jobId: string): void => reckonJob(deps, jobId);
  const runs = createRunJobs({
    ...deps,
    ended: (run, outcome) =>
      jobQueue.run(run.jobId, () => dispatch({ type: 'runEnded', run, outcome, entry: goodOf(store, run.jobId) })),
    freed: (jobId) => free(deps, jobId),
    notified: (jobId, noticeId) =>
      jobQueue.run(jobId, async () => {
        const entry = goodOf(store, jobId);
        if (entry) await dispatch({ type: 'notified', noticeId, entry });
      }),
  });

  function effect(one: SchedulerEffect): Promise<void> | void {
    switch (one.type) {
      case 'setTimer':
        return setTimer(one.atMs);
      case 'takeTurn':
        return void takeTurn(deps, one.jobId);
      case 'claim':
        return claim(deps, one);
      case 'startRun':
        return startRun(deps, runs, one);
      case 'resume':
        return void resumeRun(deps, one.jobId);
      case 'record':
        return record(deps, one);
      case 'reckon':
        return reckon(one.jobId);
      case 'reckonAll':
        return reckonAll(deps, runs, one);
      case 'announce':
        return deps.announce(one.news);
      case 'notify':
        return runs.notify(goodOf(store, one.jobId)!.job, one.notice);
      case 'keepFacts':
        return keepFacts({ store, ledger }, one);
      case 'warn':
        return deps.log.warn(one.event, one.fields);
    }
  }

  return { effect, reckon, stop: () => runs.stop() };
}

function goodOf({ entries }: Pick<JobStore, 'entries'>, jobId: string): JobEntry | undefined {
  const entry = entries.get(jobId);
  return entry && isGood(entry) ? entry : undefined;
}

/** For events nobody waits for. */
function notify({ dispatch, log }: PerformDeps, input: SchedulerInput): void {
  void dispatch(input).catch((error: unknown) => log.error('cron.arm', { event: input.type, error }));
}

function timerOf(deps: PerformDeps): (atMs: number | undefined) => void {
  const { clock } = deps;
  const state: { timer: Timer | undefined } = { timer: undefined };
  return (atMs) => {
    state.timer?.cancel();
    state.timer = undefined;
    if (atMs === undefined) return;
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(atMs - clock.now())));
    state.timer = clock.setTimeout(() => notify(deps, { type: 'ticked' }), waitMs).unref();
  };
}

function reckonJob(deps: PerformDeps, jobId: string): void {
  const entry = goodOf(deps.store, jobId);
  if (!entry) return notify(deps, { type: 'jobGone', jobId });
  entry.dueAtMs = dueOf(entry, deps.schedules());
  notify(deps, { type: 'jobReckoned', jobId, dueMs: entry.dueAtMs });
}

async function takeTurn(deps: PerformDeps, jobId: string): Promise<void> {
  const { jobQueue, dispatch, store, log } = deps;
  const failed = await jobQueue
    .run(jobId, () => dispatch({ type: 'turnCame', jobId, entry: goodOf(store, jobId) }))
    .then(
      () => false,
      (error: unknown) => {
        log.error('cron.claim', { jobId, error });
        return true;
      },
    );
  const over = (): void => notify(deps, { type: 'turnEnded', jobId, failed });
  // Looking at thousands that are only put off must not hold up everything else.
  if (deps.state().waiting) setImmediate(over);
  else over();
}

async function claim(deps: PerformDeps, { run, progress, skipped }: Effect<'claim'>): Promise<void> {
  const { store, ledger, dispatch } = deps;
  const entry = goodOf(store, run.jobId);
  const won = await ledger.commit({
    claim: run,
    ...present({
      cursors: entry && progress ? [cursorOf({ ...entry, ...progress })] : undefined,
      skipped: skipped ? [skipped] : undefined,
    }),
  });
  if (entry && progress) Object.assign(entry, progress);
  await dispatch({ type: 'claimed', run, won, entry });
}

/** A run is claimed and found in its job's turn: the job is there. */
function startRun({ store, schedules }: PerformDeps, runs: RunJobs, { run }: Effect<'startRun'>): void {
  const entry = goodOf(store, run.jobId)!;
  entry.runningAtMs = run.startedAtMs;
  entry.dueAtMs = dueOf(entry, schedules());
  store.touch();
  runs.start(entry.job, run);
}

function free(deps: PerformDeps, jobId: string): void {
  const entry = goodOf(deps.store, jobId);
  if (entry) entry.runningAtMs = undefined;
  notify(deps, { type: 'jobFreed', jobId });
}

async function record(deps: PerformDeps, { row, as, change, progress }: Effect<'record'>): Promise<void> {
  const { store, ledger, dispatch } = deps;
  const { jobId } = row;
  const rows = as === 'ended' ? { ended: row } : { skipped: [row] };
  const entry = goodOf(store, jobId);
  if (!entry || !progress) await ledger.commit(rows);
  else if (change === 'removed') await store.become(jobId, null, rows);
  else {
    const { runningAtMs: _running, ...rest } = entry;
    const job = change === 'off' ? { ...entry.job, enabled: false } : entry.job;
    await store.become(jobId, { ...rest, ...progress, job }, rows);
  }
  reckonJob(deps, jobId);
  await dispatch({ type: 'recorded', row, change, entry: progress && goodOf(store, jobId) });
}

async function keepFacts(
  { store, ledger }: Pick<PerformDeps, 'store' | 'ledger'>,
  { jobId, facts }: Effect<'keepFacts'>,
): Promise<void> {
  const entry = goodOf(store, jobId)!;
  await ledger.commit({ cursors: [cursorOf({ ...entry, facts })] });
  entry.facts = facts;
}

async function reckonAll(deps: PerformDeps, runs: RunJobs, { resume }: Effect<'reckonAll'>): Promise<void> {
  const { store, jobQueue } = deps;
  if (resume) await resumeRuns(deps, runs);
  // In its turn: what is being written under a clock that was wrong is judged afterwards.
  for await (const { id } of inSteps(byExpression([...store.entries.values()], ({ job }) => job?.schedule)))
    await jobQueue.run(id, () => reckonSound(deps, id));
}

/** The clock may have been wrong until now. In the job's turn, so that nothing is written of it meanwhile. */
async function reckonSound(deps: PerformDeps, jobId: string): Promise<void> {
  const { store, ledger, clock } = deps;
  const before = goodOf(store, jobId);
  const kept = before && isAhead(before, clock.now()) ? await ledger.kept(jobId) : undefined;
  const entry = goodOf(store, jobId);
  if (!entry) return;
  const { maxAgeMs } = missedOf(deps.state(), entry);
  Object.assign(entry, afterClockChange(entry, { nowMs: clock.now(), maxAgeMs, kept }));
  reckonJob(deps, jobId);
}

/** Once in an instance: afterwards what runs is ours, and its end is on the way. */
async function resumeRuns(deps: PerformDeps, runs: RunJobs): Promise<void> {
  const { store, ledger } = deps;
  for (const { jobId } of await ledger.running()) await resumeRun(deps, jobId);
  for (const entry of store.entries.values())
    if (isGood(entry) && entry.facts.notice) runs.notify(entry.job, entry.facts.notice);
}

/** The ledger is asked in the job's turn: a run may have been ours, and have ended meanwhile. */
async function resumeRun({ store, ledger, jobQueue, dispatch, log }: PerformDeps, jobId: string): Promise<void> {
  const resume = async (): Promise<void> => {
    for (const run of await ledger.running())
      if (run.jobId === jobId) await dispatch({ type: 'runFound', run, entry: goodOf(store, jobId) });
  };
  await jobQueue.run(jobId, resume).catch((error: unknown) => log.error('cron.take-up', { jobId, error }));
}
