/** Builds a schedule from the parsed clauses of a repeating time; ambiguous or impossible ones are errors. */
import type { CronSchedule } from '../cron-job.ts';
import { present } from '../../../core/present.ts';
import { msOfDay, type ClockTime } from './clock-time.ts';
import { isWholeDuration } from './duration.ts';
import type { Repeat } from './repeat.ts';
import { unreadable } from './spoken.ts';
import type { Zone } from './zone.ts';

const DAY_MS = 86_400_000;

export interface RepeatContext {
  readonly nowMs: number;
  readonly zone: Zone;
  /** Reads when the first one is. */
  readonly instant: (said: string) => Promise<number>;
}

/** Rejects with `invalid`. */
export async function buildRepeat(repeat: Repeat, context: RepeatContext): Promise<CronSchedule> {
  const { period } = repeat;
  if (period && (!isWholeDuration(period.duration) || period.count < 1))
    throw unreadable(repeat.said, 'the interval is shorter than a calendar can count');
  if (repeat.between && period?.duration.ms === 0)
    throw unreadable(repeat.said, 'between two times of a day it needs a period of minutes or hours');
  const { ms = 0, days = 0, months = 0 } = period?.duration ?? {};
  if (months > 0 && ms + days > 0)
    throw unreadable(repeat.said, 'months are not all of one length; give them alone, or days and hours');
  if (ms > 0) return withinDays(repeat, ms + days * DAY_MS, context);
  if (period && days > 0 && period.count > 1) return overDays(repeat, context);
  if (repeat.starting !== undefined)
    throw unreadable(repeat.said, 'only a period such as "every 2 hours" can start at an instant');
  return onDays(repeat, context);
}

/** Seconds, minutes and hours: a period of its own, or on certain days or hours a pattern of the clock. */
async function withinDays(repeat: Repeat, everyMs: number, context: RepeatContext): Promise<CronSchedule> {
  const { said, weekdays, nth, monthDays, months, times, between, minute, starting, dayPart } = repeat;
  if (times) throw unreadable(said, 'it has both a period and a time of the day');
  if (dayPart) throw unreadable(said, `say from when to when, e.g. "every 2 hours between 18 and 23"`);
  if (!weekdays && !nth && !monthDays && !months && !between && minute === undefined) {
    return present({
      kind: 'every',
      everyMs,
      anchorMs: starting !== undefined ? await context.instant(starting) : undefined,
    });
  }
  if (starting !== undefined)
    throw unreadable(said, 'a period on certain days or hours follows the clock and cannot start at an instant');
  return cron(
    `${minute ?? clockFields(repeat, everyMs)}${minute === undefined ? '' : ` ${hoursOf(repeat, 1)}`}`,
    repeat,
    context,
  );
}

/**
 * Fields of minute and hour, with a second in front where it is needed, for a period that must divide what it is part
 * of.
 */
function clockFields(repeat: Repeat, everyMs: number): string {
  const [seconds, minutes, hours] = [everyMs / 1000, everyMs / 60_000, everyMs / 3_600_000];
  if (Number.isInteger(hours) && hours < 24 && 24 % hours === 0) return `0 ${hoursOf(repeat, hours)}`;
  if (Number.isInteger(minutes) && 60 % minutes === 0) return `${step(minutes)} ${hoursOf(repeat, 0)}`;
  if (Number.isInteger(seconds) && 60 % seconds === 0) return `${step(seconds)} * ${hoursOf(repeat, 0)}`;
  throw unreadable(
    repeat.said,
    'on certain days or hours a period must divide the hour or the day, e.g. 5, 15, 20 or 30 minutes, or 1, ' +
      '2, 3, 4, 6, 8 or 12 hours',
  );
}

const step = (count: number): string => (count === 1 ? '*' : `*/${count}`);

/**
 * The hours of a day a period falls into. `every` 0: each hour up to, not with, the last one, for there are more within
 * each.
 */
function hoursOf({ between, said, weekdays, nth, monthDays, months }: Repeat, every: number): string {
  if (!between) return every <= 1 ? '*' : step(every);
  const [from, to] = between;
  if (from.minute + from.second + to.minute + to.second > 0)
    throw unreadable(said, 'between two times of a day these must be full hours');
  if (from.hour === to.hour) throw unreadable(said, 'the two times are the same');
  if (from.hour > to.hour && (weekdays || nth || monthDays || months))
    throw unreadable(said, 'over midnight it would be on two days; make a job of each');
  const length = ((to.hour - from.hour + 24) % 24) + (every === 0 ? 0 : 1);
  const hours = Array.from({ length }, (_, index) => index)
    .filter((index) => index % Math.max(1, every) === 0)
    .map((index) => (from.hour + index) % 24);
  return numbers(hours.sort((a, b) => a - b));
}

/** Two days, a week, two weeks: a period from the next such day and time. */
async function overDays(repeat: Repeat, { nowMs, zone, instant }: RepeatContext): Promise<CronSchedule> {
  const { said, period, weekdays, nth, monthDays, months, times, starting } = repeat;
  const everyMs = period!.duration.days * DAY_MS;
  if (nth || monthDays || months || (times?.length ?? 1) > 1 || (weekdays?.length ?? 1) > 1)
    throw unreadable(said, 'such a period has one day and one time; make a job of each');
  if (weekdays && period!.unit !== 'week') throw unreadable(said, 'a number of days falls on all days of the week');
  if (starting !== undefined) {
    if (weekdays || times) throw unreadable(said, 'it says twice when it begins');
    return { kind: 'every', everyMs, anchorMs: await instant(starting) };
  }
  if (!weekdays && !times) return { kind: 'every', everyMs };
  if (!times) throw noTime(said);
  if (!weekdays && period!.unit === 'week') throw unreadable(said, 'it does not say on which day of the week');
  const today = Math.floor(zone.wall(nowMs) / DAY_MS) * DAY_MS;
  const anchorMs = Array.from({ length: 9 }, (_, days) => today + days * DAY_MS)
    .filter((day) => !weekdays || weekdays.includes(new Date(day).getUTCDay()))
    .map((day) => zone.instant(day + msOfDay(times[0]!)))
    .find((ms) => ms > nowMs);
  return { kind: 'every', everyMs, anchorMs: anchorMs! };
}

/** Days of the week, the month or the year at times of the day. */
function onDays(repeat: Repeat, context: RepeatContext): CronSchedule {
  const { said, period, times, nth, monthDays, weekdays } = repeat;
  if (period?.unit === 'week' && !weekdays) throw unreadable(said, 'it does not say on which day of the week');
  if ((period?.unit === 'month' || period?.unit === 'year') && !nth && !monthDays)
    throw unreadable(said, `it does not say on which day of the ${period.unit}`);
  if (period?.unit === 'year' && !repeat.months) throw unreadable(said, 'it does not say in which month');
  if (repeat.dayOfPeriod && !repeat.months && period?.unit !== 'month' && period?.unit !== 'year')
    throw unreadable(said, 'say "of the month", or how many days lie between');
  if (repeat.months && !period && !weekdays && !nth && !monthDays)
    throw unreadable(said, 'it does not say on which day of the month');
  if (nth?.some((each) => /#[2-5]/.test(each)) && !period && !repeat.months)
    throw unreadable(said, 'say whether it is such a day "of the month", or "every other" one');
  if (!times) throw noTime(said);
  return cron(timeFields(times, said), repeat, context);
}

const noTime = (said: string): Error => unreadable(said, 'it does not say at what time of the day');

/** `0 9,18`: hours that share their minute, or minutes that share their hour. */
function timeFields(times: readonly ClockTime[], said: string): string {
  const unique = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const [hours, minutes, seconds] = [
    unique(times.map(({ hour }) => hour)),
    unique(times.map(({ minute }) => minute)),
    unique(times.map(({ second }) => second)),
  ];
  const different = new Set(times.map(msOfDay)).size;
  if (hours.length * minutes.length * seconds.length !== different)
    throw unreadable(said, 'these times do not fit one schedule; make a job of each');
  return (
    `${seconds.length === 1 && seconds[0] === 0 ? '' : `${numbers(seconds)} `}${numbers(minutes)} ` +
    `${numbers(hours)}`
  );
}

function cron(clock: string, repeat: Repeat, { zone }: RepeatContext): CronSchedule {
  const { said, weekdays, nth, monthDays } = repeat;
  if ([weekdays, nth, monthDays].filter(Boolean).length > 1) {
    throw unreadable(
      said,
      'it names days of the month and of the week; write which is meant: "0 9 15 * 1" is on the 15th and ' +
        'every Monday, "0 9 15 * +1" on the 15th if it is a Monday',
    );
  }
  const days = weekdays ? numbers([...new Set(weekdays)].sort((a, b) => a - b)) : (nth?.join(',') ?? '*');
  return { kind: 'cron', expr: `${clock} ${monthDays?.join(',') ?? '*'} ${monthsOf(repeat)} ${days}`, tz: zone.name };
}

function monthsOf({ said, period, months }: Repeat): string {
  const every = period?.unit === 'month' ? period.count : period?.unit === 'year' ? 12 * period.count : 1;
  if (every > 12) throw unreadable(said, 'a schedule comes at least once a year');
  if (months) {
    if (every > 1 && every < 12) throw unreadable(said, 'it names months, and how many lie between');
    return numbers([...new Set(months)].sort((a, b) => a - b));
  }
  if (12 % every !== 0) throw unreadable(said, 'months can be 2, 3, 4 or 6 apart, counted from January');
  return every === 1 ? '*' : numbers(Array.from({ length: 12 / every }, (_, index) => 1 + index * every));
}

/** `1-5`, `0,6`, `9,18`: three or more in a row become a range. */
function numbers(values: readonly number[]): string {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && value === run.at(-1)! + 1) run.push(value);
    else runs.push([value]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(','))).join(',');
}
