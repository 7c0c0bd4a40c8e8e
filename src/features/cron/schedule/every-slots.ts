/** The slots of an interval: an anchor plus multiples of the period. Only arithmetic, so long ranges are cheap. */
import type { CronSchedule } from '../cron-job.ts';

type Every = Extract<CronSchedule, { kind: 'every' }>;

/**
 * The first slot after `afterMs`. An anchor somebody chose is a slot itself; the moment a job was made is not, or it
 * would run at once.
 */
export function nextEvery({ everyMs, anchorMs }: Every, afterMs: number, madeAtMs: number): number | undefined {
  const first = anchorMs ?? madeAtMs + everyMs;
  const slot = afterMs < first ? first : first + (Math.floor((afterMs - first) / everyMs) + 1) * everyMs;
  return Number.isSafeInteger(slot) ? slot : undefined;
}

/** The last slot up to and with `untilMs`; undefined: it had not begun. */
export function lastEvery({ everyMs, anchorMs }: Every, untilMs: number, madeAtMs: number): number | undefined {
  const first = anchorMs ?? madeAtMs + everyMs;
  return untilMs < first ? undefined : first + Math.floor((untilMs - first) / everyMs) * everyMs;
}
