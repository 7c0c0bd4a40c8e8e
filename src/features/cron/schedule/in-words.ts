/** Describes a schedule in words that this folder parses back to the same schedule. */
import type { CronSchedule } from '../cron-job.ts';
import { inertLine } from '../../../core/inert-line.ts';
import { expressionInWords } from './expression-words.ts';
import { inLocalWords } from './instant-words.ts';
import type { Zone } from './zone.ts';
import { head } from '../../../core/cut.ts';

const UNITS = [
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const;

/** `zoneOf` without a name gives the host's zone, where expressions without one are at home; `own` is the person's. */
export function inWords(schedule: CronSchedule, zoneOf: (name?: string) => Zone, own: Zone): string {
  if (schedule.kind === 'at') return `once, ${inLocalWords(schedule.atMs, own)}`;
  if (schedule.kind === 'every') {
    const starting = schedule.anchorMs === undefined ? '' : ` starting ${inLocalWords(schedule.anchorMs, own)}`;
    return `every ${period(schedule.everyMs)}${starting}`;
  }
  const later = schedule.staggerMs ? `, up to ${length(schedule.staggerMs)} later` : '';
  return (
    `${expressionInWords(schedule.expr) ?? inertLine(head(schedule.expr, 200))} ` +
    `(${zoneOf(schedule.tz).name})${later}`
  );
}

/**
 * `20 minutes`, `hour`; in the largest unit it is a whole number of. One day is 24 hours here: it keeps to no clock.
 */
function period(ms: number): string {
  const [unit, unitMs] = UNITS.find(
    ([name, size]) => ms % size === 0 && !((name === 'day' || name === 'week') && ms === size),
  )!;
  return ms === unitMs ? unit : `${ms / unitMs} ${unit}s`;
}

const length = (ms: number): string => (/^\d/.test(period(ms)) ? period(ms) : `1 ${period(ms)}`);
