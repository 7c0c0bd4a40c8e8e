/**
 * Six weeks around a month, and which runs fall on which of their days. Pure; days begin when the clock of a zone says
 * so.
 */
import type { CronInstant } from './wire.ts';
import { keyAfter, startOfDay, weekdayOf } from './calendar-days.ts';
import { dayKey } from '../../../../ui/src/pages/zone-days.ts';

const DAYS = 42;

export interface GridDay {
  /** `2026-11-23`. */
  readonly key: string;
  /**
   * The first instant of the day, milliseconds since the epoch; where the clocks jump at midnight it is not midnight.
   */
  readonly startMs: number;
  readonly endMs: number;
}

/** A month as `2026-11`; `step` is how many months away. */
export const monthOf = (at: number, zone: string, step = 0): string =>
  keyAfter(dayKey(at, zone), { months: step || 0 }).slice(0, 7);

/** The month before or after. */
export const monthAfter = (month: string, step: number): string =>
  keyAfter(`${month}-01`, { months: step }).slice(0, 7);

/**
 * Always six weeks, so that nothing below moves from month to month. The month of `now` begins with the week of `now`:
 * what is over is of no use here.
 * `firstDay`: 1 is Monday, 7 is Sunday.
 */
export function gridOf(
  month: string,
  { firstDay, now, zone }: { readonly firstDay: number; readonly now: number; readonly zone: string },
): readonly GridDay[] {
  const first = month === monthOf(now, zone) ? dayKey(now, zone) : `${month}-01`;
  const lead = (weekdayOf(first) - (firstDay % 7) + 7) % 7;
  const keys = Array.from({ length: DAYS + 1 }, (_, index) => keyAfter(first, { days: index - lead }));
  const starts = keys.map((key) => startOfDay(key, zone));
  return keys.slice(0, DAYS).map((key, index) => ({ key, startMs: starts[index]!, endMs: starts[index + 1]! }));
}

/** `December 2026`, or the months that six weeks from today touch. */
export function spanWords(month: string, now: number, zone: string): string {
  const format = (length: 'short' | 'long'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(undefined, { month: length, year: 'numeric', timeZone: 'UTC' });
  if (month !== monthOf(now, zone)) return format('long').format(Date.parse(`${month}-01`));
  const days = gridOf(month, { firstDay: 1, now, zone });
  return format('short').formatRange(Date.parse(dayKey(now, zone)), Date.parse(days.at(-1)!.key));
}

/** What one job does on one day. */
export interface DayJob {
  readonly jobId: string;
  readonly name: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export type DayRuns = ReadonlyMap<string, readonly CronInstant[]>;

export function byDay(runs: readonly CronInstant[], zone: string): DayRuns {
  const days = new Map<string, CronInstant[]>();
  for (const run of runs) {
    const key = dayKey(run.atMs, zone);
    const day = days.get(key);
    if (day) day.push(run);
    else days.set(key, [run]);
  }
  return days;
}

/**
 * Adds what else is known of the days that are `cut`: a job that runs once a day is not lost behind one that runs each
 * minute.
 */
export function withKnown(
  runs: readonly CronInstant[],
  known: readonly CronInstant[],
  { cut, zone }: { readonly cut: ReadonlySet<string>; readonly zone: string },
): readonly CronInstant[] {
  const listed = new Set(runs.map(({ jobId, atMs }) => `${atMs} ${jobId}`));
  const added = known.filter(({ jobId, atMs }) => cut.has(dayKey(atMs, zone)) && !listed.has(`${atMs} ${jobId}`));
  return added.length === 0 ? runs : [...runs, ...added].toSorted((a, b) => a.atMs - b.atMs);
}

/** One line a job: those that run once first in order of time, then the busy ones. */
export function condensed(runs: readonly CronInstant[]): readonly DayJob[] {
  const jobs = new Map<string, DayJob>();
  for (const { jobId, name, atMs } of runs) {
    const known = jobs.get(jobId);
    jobs.set(
      jobId,
      known
        ? { ...known, count: known.count + 1, lastAtMs: atMs }
        : { jobId, name, count: 1, firstAtMs: atMs, lastAtMs: atMs },
    );
  }
  return [...jobs.values()].toSorted(
    (a, b) => Number(a.count > BUSY) - Number(b.count > BUSY) || a.firstAtMs - b.firstAtMs,
  );
}

/** More often than this a day it is background, and stands behind what happens once. */
const BUSY = 6;

/** The first day of the week in this person's locale: 1 Monday … 7 Sunday. */
export function firstWeekday(locale: string | undefined = globalThis.navigator?.language): number {
  if (!locale) return 1;
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}
