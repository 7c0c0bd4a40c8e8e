/** Runs from claimed to ended: begins them, waits for them, writes what came of them and what that means for their jobs. */
import { cronRunId, type CronOutcome, type CronRun } from '../core/cron.ts';
import { AppError, asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Clock } from '../platform/clock.ts';
import type { InTurn } from '../platform/in-turn.ts';
import { afterRun } from './after-run.ts';
import { dueOf, nextSlotDue, type MissedRules } from './due.ts';
import type { CronLedger } from './ledger.ts';
import type { Schedules } from './schedule/schedules.ts';
import { cursorOf, isGood, type JobEntry, type StoredJob } from './store/entry.ts';
import type { JobStore } from './store/job-store.ts';

export interface RunsDeps {
  readonly store: JobStore;
  readonly ledger: CronLedger;
  readonly clock: Clock;
  readonly log: Log;
  readonly inTurn: InTurn;
  schedules(): Schedules;
  missed(job: StoredJob): MissedRules;
  /** Called again with the same run after a crash: it goes on, it does not begin anew. Rejects when the signal fires, which only means that nobody waits any more. */
  run(job: StoredJob, run: CronRun, signal: AbortSignal): Promise<CronOutcome>;
  /** Tells the owner of a job; twice under one id is once. */
  notify(notice: { readonly id: string; readonly text: string; readonly job: StoredJob }): Promise<void>;
  readonly news: {
    started(run: CronRun): void;
    finished(run: CronRun, nextMs: number | undefined): void;
    removed(jobId: string): void;
    updated(entry: JobEntry): void;
  };
  /** The job may run again, and others may in its place. */
  freed(id: string): void;
}

export interface Runs {
  readonly current: ReadonlyMap<string, CronRun>;
  /** `run` is claimed. */
  begin(entry: JobEntry, run: CronRun): void;
  /** Begun in an earlier life: handed over again as it was. To be called in the job's turn. */
  takeUp(run: CronRun): Promise<void>;
  /** What its owner is still to be told. */
  tell(entry: JobEntry): void;
  /** Nobody waits any more; the next life takes the runs up. */
  stop(): Promise<void>;
}

/** The ledger could not be written. */
const TROUBLE_MS = 10_000;
const DAY_MS = 86_400_000;
const TEXT_CHARACTERS = 2000;

export function createRuns(deps: RunsDeps): Runs {
  const { store, ledger, clock, log, inTurn, news } = deps;
  const current = new Map<string, CronRun>();
  const pending = new Set<Promise<void>>();
  const abort = new AbortController();
  const stopped = (): boolean => abort.signal.aborted;

  /** Not to be forgotten when the gateway stops. */
  function inBackground(work: Promise<void>, event: string, jobId: string): void {
    const watched = work.catch((error: unknown) => log.error(event, { jobId, error })).finally(() => pending.delete(watched));
    pending.add(watched);
  }

  function begin(entry: JobEntry, run: CronRun): void {
    current.set(entry.id, run);
    entry.runningAtMs = run.startedAtMs;
    entry.dueAtMs = dueOf(entry, deps.schedules());
    store.touch();
    news.started(run);
    inBackground(carryOut(entry.job, run), 'cron.run', entry.id);
  }

  async function carryOut(job: StoredJob, run: CronRun): Promise<void> {
    const outcome = await outcomeOf(job, run);
    if (outcome === undefined) return; // the next life has it
    try {
      await untilWritten(run, () => inTurn(run.jobId, () => end(run, outcome)));
    } finally {
      current.delete(run.jobId);
      const entry = store.entries.get(run.jobId);
      if (entry && isGood(entry)) entry.runningAtMs = undefined;
      deps.freed(run.jobId);
    }
  }

  async function outcomeOf(job: StoredJob, run: CronRun): Promise<CronOutcome | undefined> {
    try {
      return await deps.run(job, run, abort.signal);
    } catch (error) {
      if (stopped()) return undefined;
      log.error('cron.run', { jobId: run.jobId, runId: cronRunId(run), error });
      return { status: 'error', error: asAppError(error).message };
    }
  }

  /** A result is not lost because the disk is full: it is written when it can be, or the next life meets the run as still going. */
  async function untilWritten(run: CronRun, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'storage' || stopped()) throw error;
        log.error('cron.ledger', { jobId: run.jobId, runId: cronRunId(run), error });
        await clock.sleep(TROUBLE_MS, abort.signal).catch(() => undefined /* stopping: one last try */);
      }
    }
  }

  async function end(run: CronRun, outcome: CronOutcome): Promise<void> {
    const endedMs = clock.now();
    const ended = endedRun(run, outcome, endedMs);
    const entry = store.entries.get(run.jobId);
    if (entry && isGood(entry)) return endOf(entry, { run, outcome, ended, endedMs });
    await ledger.commit({ ended });
    news.finished(ended, undefined);
  }

  async function endOf(entry: JobEntry, { run, outcome, ended, endedMs }: { readonly run: CronRun; readonly outcome: CronOutcome; readonly ended: CronRun; readonly endedMs: number }): Promise<void> {
    const { job } = entry;
    const { facts, off } = afterRun({ job, facts: entry.facts, run, outcome, endedMs, nextMs: nextSlotDue(entry, deps.schedules()), maxAgeMs: deps.missed(job).maxAgeMs });
    if (off === 'done' && job.deleteAfterRun) {
      await store.become(entry.id, null, { ended });
      news.finished(ended, undefined);
      return news.removed(entry.id);
    }
    const { runningAtMs: _running, ...rest } = entry;
    const holds = (await store.become(entry.id, { ...rest, facts, ...(off ? { job: { ...job, enabled: false } } : {}) }, { ended }))!;
    holds.dueAtMs = dueOf(holds, deps.schedules());
    news.finished(ended, holds.dueAtMs);
    if (off) news.updated(holds);
    tell(holds);
  }

  function tell(entry: JobEntry): void {
    const { notice } = entry.facts;
    if (notice) inBackground(deps.notify({ ...notice, job: entry.job }).then(() => inTurn(entry.id, () => told(entry.id, notice.id))), 'cron.notify', entry.id);
  }

  async function told(jobId: string, noticeId: string): Promise<void> {
    const entry = store.entries.get(jobId);
    if (!entry || !isGood(entry) || entry.facts.notice?.id !== noticeId) return;
    const { notice: _notice, ...facts } = entry.facts;
    await ledger.commit({ cursors: [cursorOf({ ...entry, facts })] });
    entry.facts = facts;
  }

  return {
    current,
    begin,
    async takeUp(run) {
      if (current.has(run.jobId)) return;
      const entry = store.entries.get(run.jobId);
      const known = entry && isGood(entry) ? entry : undefined;
      const inTime = known && clock.now() - run.startedAtMs <= Math.max(DAY_MS, deps.missed(known.job).maxAgeMs);
      if (known && inTime) return begin(known, run);
      const why = known ? 'the gateway came back too late to go on with it' : 'its job was gone when the gateway came back';
      await end(run, { status: 'error', error: `Broken off: ${why}.`, final: true });
    },
    tell,
    async stop() {
      abort.abort();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

function endedRun(run: CronRun, { status, error, summary, delivery, sessionKey, sessionId }: CronOutcome, endedAtMs: number): CronRun {
  return {
    ...run, state: status, endedAtMs, ...(error === undefined ? {} : { error: error.slice(0, TEXT_CHARACTERS) }), ...(summary === undefined ? {} : { summary: summary.slice(0, TEXT_CHARACTERS) }),
    ...(delivery ? { delivery } : {}), ...(sessionKey === undefined ? {} : { sessionKey }), ...(sessionId === undefined ? {} : { sessionId }),
  };
}
