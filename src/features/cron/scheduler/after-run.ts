/** What the outcome of a run means for its job: done, retried, postponed or disabled. Pure. */
import { cronRunId, type CronOutcome } from '../cron-job.ts';
import type { CronRun } from '../ledger-rows.ts';
import type { CronFacts, StoredJob } from '../store/entry.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** After the first failure in a row, the second … */
const BACKOFF_MS = [30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** How often the same instant is tried again. */
const RETRIES = BACKOFF_MS.length;
/** A skip that asks to be tried at once is believed a few times. */
const [SOONEST_MS, SOONEST_LATER_MS, TIMEOUT] = [SECOND_MS, MINUTE_MS, 10] as const;
const ERROR_CHARACTERS = 2000;

export interface Ended {
  readonly job: StoredJob;
  readonly facts: CronFacts;
  readonly run: CronRun;
  readonly outcome: CronOutcome;
  readonly endedMs: number;
  /** When the next instant after those dealt with is due. */
  readonly nextMs: number | undefined;
  /** Longest time after its instant at which a job that runs once is still tried. */
  readonly maxAgeMs: number;
}

export interface Afterwards {
  readonly facts: CronFacts;
  /** `done`: as it should be; `given-up`: its owner is told. */
  readonly off?: 'done' | 'given-up';
}

export function afterRun(ended: Ended): Afterwards {
  const { job, run, outcome, facts } = ended;
  const cronFacts = factsOf(ended);
  const isOurs = job.schedule.kind === 'at' ? run.slotMs === job.schedule.atMs : job.updatedAtMs <= run.startedAtMs;
  const goesOn = present({ retry: facts.retry, notBeforeMs: facts.notBeforeMs });
  // A run by hand changes nothing that was going to happen; nor does one of a job that has become another meanwhile.
  if (run.trigger === 'manual' || !isOurs) return { facts: { ...cronFacts, ...goesOn } };
  if (outcome.status === 'ok')
    return present({ facts: cronFacts, off: job.schedule.kind === 'at' ? 'done' : undefined });
  if (outcome.permanent) return abandoned(ended, cronFacts, 'A retry cannot succeed');
  return tryAgain(ended, cronFacts);
}

function tryAgain(ended: Ended, cronFacts: CronFacts): Afterwards {
  const { job, run, outcome, endedMs, nextMs } = ended;
  const wait = waitOf(ended, cronFacts);
  const again = outcome.final || (outcome.status === 'error' && run.attempt >= RETRIES) ? undefined : wait;
  const retry =
    again === undefined ? undefined : { slotMs: run.slotMs, attempt: run.attempt + 1, atMs: endedMs + again };
  if (job.schedule.kind === 'at') return tryOnce(ended, cronFacts, retry);
  // A job that runs so often that its next instant falls into the first quarter of the wait waits it out; otherwise
  // that instant comes in time.
  if (outcome.status === 'error' && wait !== undefined && nextMs !== undefined && nextMs < endedMs + wait / 4)
    return { facts: { ...cronFacts, notBeforeMs: endedMs + wait } };
  return { facts: retry && (nextMs === undefined || retry.atMs < nextMs) ? { ...cronFacts, retry } : cronFacts };
}

/** There is no next instant to wait for. */
function tryOnce(ended: Ended, cronFacts: CronFacts, retry: CronFacts['retry']): Afterwards {
  const { run, outcome, maxAgeMs } = ended;
  if (outcome.status === 'skipped' && (retry === undefined || retry.atMs - run.slotMs > maxAgeMs))
    return abandoned(ended, cronFacts, retry ? 'It was skipped until it expired' : 'It was skipped');
  if (retry === undefined)
    return abandoned(ended, cronFacts, run.attempt === 0 ? 'It failed' : `It failed ${run.attempt + 1} times`);
  return { facts: { ...cronFacts, retry } };
}

/** Milliseconds until it makes sense to try again; undefined: not before the next instant. */
function waitOf({ job, run, outcome, endedMs }: Ended, cronFacts: CronFacts): number | undefined {
  if (outcome.retryAtMs !== undefined)
    return Math.max(outcome.retryAtMs - endedMs, run.attempt < TIMEOUT ? SOONEST_MS : SOONEST_LATER_MS);
  const step = outcome.status === 'error' ? (cronFacts.consecutiveErrors ?? 1) : run.attempt + 1;
  return outcome.status === 'error' || job.schedule.kind === 'at'
    ? BACKOFF_MS[Math.min(step, BACKOFF_MS.length) - 1]
    : undefined;
}

function abandoned({ job, run, outcome }: Ended, cronFacts: CronFacts, why: string): Afterwards {
  const reason = head(`${why}: ${outcome.error ?? 'no reason was given'}`, ERROR_CHARACTERS);
  return { facts: { ...cronFacts, disabledReason: reason, notice: noticeOf(job, run, reason) }, off: 'given-up' };
}

/** What the owner of a job is told that was switched off. */
export const noticeOf = (
  job: StoredJob,
  run: Pick<CronRun, 'jobId' | 'slotMs' | 'attempt'>,
  reason: string,
): NonNullable<CronFacts['notice']> => ({
  id: `${cronRunId(run)}:off`,
  text:
    `The job "${job.name}" was disabled. ${reason.replace(/[.!?…]$/, '')}. ` +
    `${job.schedule.kind === 'at' ? 'Set a new time, or run it manually.' : 'Fix it and enable it again.'}`,
});

/** What is shown of the job from now on. */
function factsOf({ facts, run, outcome, endedMs }: Ended): CronFacts {
  const before = facts.consecutiveErrors ?? 0;
  const errors =
    outcome.status === 'ok' ? 0 : outcome.status === 'error' && run.trigger !== 'manual' ? before + 1 : before;
  return present({
    lastRunAtMs: run.startedAtMs,
    lastStatus: outcome.status,
    lastDurationMs: Math.max(0, endedMs - run.startedAtMs),
    lastError: outcome.status === 'ok' || !outcome.error ? undefined : head(outcome.error, ERROR_CHARACTERS),
    consecutiveErrors: errors > 0 ? errors : undefined,
    disabledReason: facts.disabledReason,
    notice: facts.notice,
  });
}
