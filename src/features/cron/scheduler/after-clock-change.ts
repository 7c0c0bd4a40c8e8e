/** Re-evaluates the due time of a job after a clock change, because the earlier clock may have been wrong. Pure. */
import { present } from '../../../core/present.ts';
import type { CronKept } from '../ledger-rows.ts';
import type { JobEntry } from '../store/entry.ts';
import type { Progress } from './scheduler-state.ts';

/** As many rows of a job as are certainly still in the ledger. */
const KEPT_ROWS = 1900;
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

export interface ClockFacts {
  readonly nowMs: number;
  /** How old an occurrence of this job may be when it runs. */
  readonly maxAgeMs: number;
  /** The rows the ledger has of the job; needed of one that is ahead. */
  readonly kept: CronKept | undefined;
}

/** It has dealt with instants that are still to come: the clock was set back. */
export const isAhead = ({ job, slotMs }: Pick<JobEntry, 'job' | 'slotMs'>, nowMs: number): boolean =>
  slotMs > nowMs && job.schedule.kind !== 'at';

/**
 * Nothing waits for a time that was only ever the clock's mistake. What ran under it has its rows and does not run
 * again.
 */
export function afterClockChange({ job, slotMs, facts }: JobEntry, clock: ClockFacts): Progress {
  const { nowMs, maxAgeMs } = clock;
  const { retry, notBeforeMs } = facts;
  const isFar = notBeforeMs !== undefined && notBeforeMs > nowMs + HOUR_MS;
  const isLateRetry = retry !== undefined && retry.atMs > nowMs + Math.max(DAY_MS, maxAgeMs);
  const sound = {
    ...facts,
    ...present({ notBeforeMs: isFar ? nowMs : undefined, retry: isLateRetry ? { ...retry, atMs: nowMs } : undefined }),
  };
  if (!isAhead({ job, slotMs }, nowMs) || !clock.kept) return { slotMs, facts: sound };
  const { rows, oldestSlotMs = nowMs } = clock.kept;
  return { slotMs: rows < KEPT_ROWS ? nowMs : Math.max(nowMs, Math.min(slotMs, oldestSlotMs)), facts: sound };
}
