/** The slots of cron expressions: croner reads the pattern, this folder's zones say when a clock shows it. */
import { setNewest } from '../../../core/bounded-map.ts';
import type { Cron } from 'croner';
import { AppError } from '../../../core/errors.ts';
import { inertLine } from '../../../core/inert-line.ts';
import type { Zone } from './zone.ts';
import { head } from '../../../core/cut.ts';

/** Nobody writes longer ones by hand, and what reads them should not have to. */
const EXPRESSION_CHARACTERS = 200;
/** A pattern that has been read takes about 3 KB without its years. */
const PATTERNS_KEPT = 500;
const NICKNAME = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
/** Every hour of the day, whatever the clock does. */
const OPEN_HOURS: ReadonlySet<string> = new Set(['*', '*/1', '0-23', '0-23/1']);

export interface CronSlots {
  /** The first slot after an instant; undefined: none ever. */
  next(expr: string, zone: Zone, afterMs: number): number | undefined;
  /** The last slot up to and with an instant; undefined: none ever. */
  last(expr: string, zone: Zone, untilMs: number): number | undefined;
  /** Whether there is any slot at all. */
  happens(expr: string): boolean;
}

/**
 * A pattern that names its hours follows the clock: each written time once a day, when the clock first reaches it,
 * which for a time the clock
 * skips is the end of the gap. One that leaves the hour open follows time itself: it runs in every hour that passes,
 * and not in one that does not.
 * Throws `invalid` for an expression that cannot be read.
 */
export function createCronSlots(CronClass: typeof Cron): CronSlots {
  const kept = new Map<string, Cron>();
  const everyYear = yearsOf(new CronClass('* * * * *', { paused: true }))?.year;
  const patternOf = (expr: string, timezone: string): Cron => {
    const key = `${timezone} ${expr}`;
    const pattern = kept.get(key) ?? withYears(readPattern(CronClass, expr, timezone), everyYear);
    return setNewest(kept, key, pattern, PATTERNS_KEPT);
  };
  return {
    next(expr, zone, afterMs) {
      if (hasOpenHours(expr)) return patternOf(expr, zone.name).nextRun(new Date(afterMs))?.getTime();
      const wall = patternOf(expr, 'UTC')
        .nextRun(new Date(zone.reached(afterMs)))
        ?.getTime();
      return wall === undefined ? undefined : zone.instant(wall);
    },
    last(expr, zone, untilMs) {
      // One millisecond on: croner gives runs before an instant, and this one counts.
      if (hasOpenHours(expr))
        return patternOf(expr, zone.name)
          .previousRuns(1, new Date(untilMs + 1))[0]
          ?.getTime();
      const wall = patternOf(expr, 'UTC')
        .previousRuns(1, new Date(zone.reached(untilMs) + 1))[0]
        ?.getTime();
      return wall === undefined ? undefined : zone.instant(wall);
    },
    happens(expr) {
      const pattern = patternOf(expr, 'UTC');
      if (fieldsOf(expr).length > 6) return pattern.nextRun(new Date(0)) !== null;
      return pattern.previousRuns(1, AFTER_FORTY_YEARS).length > 0;
    },
  };
}

interface Years {
  readonly starYear: boolean;
  year: readonly number[];
}

/** Croner keeps one number for each of ten thousand years, 80 KB a pattern. Undefined: a release that does not. */
const yearsOf = (cron: Cron): Years | undefined =>
  (cron as unknown as { readonly _states?: { readonly pattern?: Years } })._states?.pattern;

/** Patterns that name no year share theirs. */
function withYears(cron: Cron, every: readonly number[] | undefined): Cron {
  const years = yearsOf(cron);
  if (every && years?.starYear) years.year = every;
  return cron;
}

/**
 * In forty years every date has fallen on every day of the week, leap days included: what has not happened by then
 * never does. Forwards croner would look through eight thousand.
 */
const AFTER_FORTY_YEARS = new Date('0041-01-01T00:00:00Z');

/** Five: minute, hour, day, month, weekday; a sixth is a second in front, a seventh a year behind. */
export const fieldsOf = (expr: string): readonly string[] => expr.trim().split(/\s+/);

function hasOpenHours(expr: string): boolean {
  const fields = fieldsOf(expr);
  return expr.trim() === '@hourly' || OPEN_HOURS.has(fields[fields.length > 5 ? 2 : 1] ?? '');
}

function readPattern(CronClass: typeof Cron, expr: string, timezone: string): Cron {
  const wrong = oddity(expr);
  if (wrong) throw refusal(expr, wrong);
  try {
    return new CronClass(expr.trim(), { timezone, paused: true });
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw refusal(expr, reasonOf(error), error);
    throw error;
  }
}

/** What croner would take and should not: a date, `?` for an hour, `@Daily`. */
function oddity(expr: string): string | undefined {
  if (expr.length > EXPRESSION_CHARACTERS) return `it is longer than ${EXPRESSION_CHARACTERS} characters`;
  const fields = fieldsOf(expr);
  if (fields[0]!.startsWith('@'))
    return NICKNAME.test(expr.trim())
      ? undefined
      : 'of the words with @ there are only @yearly, @monthly, @weekly, @daily, @midnight and @hourly';
  if (fields.length < 5 || fields.length > 7)
    return (
      `it has ${fields.length === 1 && fields[0] === '' ? 0 : fields.length} fields where 5 to 7 are needed: ` +
      '[second] minute hour day month weekday [year]'
    );
  const first = fields.length > 5 ? 1 : 0;
  const mistaken = fields.find((field, index) => field.includes('?') && index !== first + 2 && index !== first + 4);
  return mistaken === undefined
    ? undefined
    : '"?" stands for any day only in the fields of the day and the weekday; write "*"';
}

/** Croner's own words, without its name in front and its full stop at the end. */
const reasonOf = (error: Error): string => inertLine(error.message.replace(/^Cron\w*: /, '').replace(/\.$/, ''));

const refusal = (expr: string, why: string, cause?: unknown): AppError =>
  new AppError(
    'invalid',
    `The cron expression "${inertLine(head(expr, 80))}" is invalid: ${why}. Example: "0 7 * * 1-5": ` +
      'every weekday at 07:00.',
    { cause },
  );
