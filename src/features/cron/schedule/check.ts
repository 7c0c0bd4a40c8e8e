/** Checks the fields of a schedule, because jobs.json can be edited manually. */
import type { CronSchedule } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { zoneNamed } from './zone-name.ts';
import { head } from '../../../core/cut.ts';

/** The last day of the year 9999 in every zone: there the calendars of all that is used here end. */
export const FURTHEST_MS = Date.UTC(9999, 11, 31);
const FIELDS: Readonly<Record<CronSchedule['kind'], readonly string[]>> = {
  at: ['atMs'],
  every: ['everyMs', 'anchorMs'],
  cron: ['expr', 'tz', 'staggerMs'],
};

/** Throws `invalid`. The expression itself is the reader's of expressions to judge. */
export function checkSchedule(schedule: CronSchedule): void {
  const known = FIELDS[schedule.kind];
  if (!known) throw wrong('kind', 'must be "at", "every" or "cron"');
  const unknown = Object.keys(schedule).find((key) => key !== 'kind' && !known.includes(key));
  if (unknown !== undefined)
    throw wrong(
      JSON.stringify(head(unknown, 40)),
      `is not a field of a schedule of the kind "${schedule.kind}", which has ${known.join(', ')}`,
    );
  if (schedule.kind === 'at') return checkInstant('atMs', schedule.atMs);
  if (schedule.kind === 'every') return checkPeriod(schedule);
  if (typeof schedule.expr !== 'string' || schedule.expr.trim() === '')
    throw wrong('expr', 'must be a cron expression such as "0 7 * * 1-5"');
  if (schedule.tz !== undefined) zoneNamed(String(schedule.tz));
  if (schedule.staggerMs !== undefined && !isWhole(schedule.staggerMs, 0))
    throw wrong('staggerMs', 'must be a whole number of milliseconds, 0 or more');
}

function checkPeriod({ everyMs, anchorMs }: Extract<CronSchedule, { kind: 'every' }>): void {
  if (!isWhole(everyMs, 1))
    throw wrong('everyMs', 'must be a whole number of milliseconds, 1 or more, e.g. 1200000 for 20 minutes');
  if (anchorMs !== undefined) checkInstant('anchorMs', anchorMs);
}

function checkInstant(field: string, ms: number): void {
  if (!isWhole(ms, 0)) throw wrong(field, 'must be an instant in milliseconds since 1970, e.g. 1795510800000');
}

const isWhole = (value: number, least: number): boolean =>
  Number.isInteger(value) && value >= least && value <= FURTHEST_MS;

const wrong = (field: string, why: string): AppError => new AppError('invalid', `The schedule's ${field} ${why}.`);
