/** Executes runs and notices in the background, and reports their results to the scheduler. */
import { cronRunId, type CronOutcome } from '../cron-job.ts';
import type { CronRun } from '../ledger-rows.ts';
import { AppError, asAppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CronFacts, StoredJob } from '../store/entry.ts';
import { pause } from '../../../platform/pause.ts';

export interface RunJobsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called again with the same run after a crash: it goes on, it does not begin anew. Rejects when the signal fires,
   * which only means that nobody waits any more.
   */
  run(job: StoredJob, run: CronRun, signal: AbortSignal): Promise<CronOutcome>;
  /** Tells the owner of a job; twice under one id is once. */
  notify(notice: { readonly id: string; readonly text: string; readonly job: StoredJob }): Promise<void>;
  /** Writes how the run ended. Rejects with `storage` when it cannot be written now. */
  ended(run: CronRun, outcome: CronOutcome): Promise<void>;
  /** Nobody waits for the run any more. */
  freed(jobId: string): void;
  notified(jobId: string, noticeId: string): Promise<void>;
}

export interface RunJobs {
  start(job: StoredJob, run: CronRun): void;
  notify(job: StoredJob, notice: NonNullable<CronFacts['notice']>): void;
  /** Nobody waits any more; the next instance takes the runs up. Resolves when what is being written is written. */
  stop(): Promise<void>;
}

/** The ledger could not be written. */
const TROUBLE_MS = 10_000;

export function createRunJobs(deps: RunJobsDeps): RunJobs {
  const { log } = deps;
  const pending = new Set<Promise<void>>();
  const abort = new AbortController();

  /** Not to be forgotten when the gateway stops. */
  function inBackground(work: () => Promise<void>, event: string, jobId: string): void {
    const watched = Promise.resolve()
      .then(work)
      .catch((error: unknown) => log.error(event, { jobId, error }))
      .finally(() => pending.delete(watched));
    pending.add(watched);
  }

  return {
    start: (job, run) => inBackground(() => carryOut(deps, { job, run, signal: abort.signal }), 'cron.run', job.id),
    notify: (job, notice) =>
      inBackground(
        async () => {
          await deps.notify({ ...notice, job });
          await deps.notified(job.id, notice.id);
        },
        'cron.notify',
        job.id,
      ),
    async stop() {
      abort.abort();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

interface Attempt {
  readonly job: StoredJob;
  readonly run: CronRun;
  readonly signal: AbortSignal;
}

async function carryOut(deps: RunJobsDeps, attempt: Attempt): Promise<void> {
  const outcome = await outcomeOf(deps, attempt);
  if (outcome === undefined) return; // the next instance has it
  try {
    await untilWritten(deps, attempt, outcome);
  } finally {
    deps.freed(attempt.run.jobId);
  }
}

async function outcomeOf(deps: RunJobsDeps, { job, run, signal }: Attempt): Promise<CronOutcome | undefined> {
  try {
    return await deps.run(job, run, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    deps.log.error('cron.run', { jobId: run.jobId, runId: cronRunId(run), error });
    return { status: 'error', error: asAppError(error).message };
  }
}

/**
 * A result is not lost because the disk is full: it is written when it can be, or the next instance meets the run as
 * still going.
 */
async function untilWritten(deps: RunJobsDeps, { run, signal }: Attempt, outcome: CronOutcome): Promise<void> {
  for (;;) {
    try {
      return await deps.ended(run, outcome);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage' || signal.aborted) throw error;
      deps.log.error('cron.ledger', { jobId: run.jobId, runId: cronRunId(run), error });
      await pause(TROUBLE_MS, signal, deps.clock); // stopping: one last try
    }
  }
}
