/** Six weeks around a month, and which runs fall on which of their days. Pure; days begin when the browser's zone says so. */
import type { CronInstant } from '../gateway/cron-wire.ts';
import { dayKey } from './coming-times.ts';

const DAYS = 42;

export interface GridDay {
  /** `2026-11-23`. */
  readonly key: string;
  /** The first instant of the day, milliseconds since the epoch; where the clocks jump at midnight it is not midnight. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A month as `2026-11`; `step` is how many months away. */
export function monthOf(at: number, step = 0): string {
  const date = new Date(at);
  const there = new Date(date.getFullYear(), date.getMonth() + step, 1);
  return dayKey(there.getTime()).slice(0, 7);
}

export const monthStart = (month: string): number => {
  const [year, number] = month.split('-').map(Number);
  return new Date(year!, number! - 1, 1).getTime();
};

/**
 * Always six weeks, so that nothing below moves from month to month. The month of `now` begins with the week of `now`: what is over is of no use here.
 * `firstDay`: 1 is Monday, 7 is Sunday.
 */
export function gridOf(month: string, { firstDay, now }: { readonly firstDay: number; readonly now: number }): readonly GridDay[] {
  const first = new Date(month === monthOf(now) ? now : monthStart(month));
  const lead = (first.getDay() - (firstDay % 7) + 7) % 7;
  // Counted in dates and not in hours: a day may have 23 or 25 of them.
  const starts = Array.from({ length: DAYS + 1 }, (_, index) => new Date(first.getFullYear(), first.getMonth(), first.getDate() - lead + index).getTime());
  return starts.slice(0, DAYS).map((startMs, index) => ({ key: dayKey(startMs), startMs, endMs: starts[index + 1]! }));
}

/** `December 2026`, or the months that six weeks from today touch. */
export function spanWords(month: string, now: number): string {
  const format = (length: 'short' | 'long'): Intl.DateTimeFormat => new Intl.DateTimeFormat(undefined, { month: length, year: 'numeric' });
  return month === monthOf(now) ? format('short').formatRange(now, gridOf(month, { firstDay: 1, now }).at(-1)!.startMs) : format('long').format(monthStart(month));
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

export function byDay(runs: readonly CronInstant[]): DayRuns {
  const days = new Map<string, CronInstant[]>();
  for (const run of runs) {
    const key = dayKey(run.atMs);
    const day = days.get(key);
    if (day) day.push(run);
    else days.set(key, [run]);
  }
  return days;
}

/** Adds what else is known of the days that are `cut`: a job that runs once a day is not lost behind one that runs each minute. */
export function withKnown(runs: readonly CronInstant[], known: readonly CronInstant[], cut: ReadonlySet<string>): readonly CronInstant[] {
  const told = new Set(runs.map(({ jobId, atMs }) => `${atMs} ${jobId}`));
  const added = known.filter(({ jobId, atMs }) => cut.has(dayKey(atMs)) && !told.has(`${atMs} ${jobId}`));
  return added.length === 0 ? runs : [...runs, ...added].toSorted((a, b) => a.atMs - b.atMs);
}

/** One line a job: those that run once first in order of time, then the busy ones. */
export function condensed(runs: readonly CronInstant[]): readonly DayJob[] {
  const jobs = new Map<string, DayJob>();
  for (const { jobId, name, atMs } of runs) {
    const known = jobs.get(jobId);
    jobs.set(jobId, known ? { ...known, count: known.count + 1, lastAtMs: atMs } : { jobId, name, count: 1, firstAtMs: atMs, lastAtMs: atMs });
  }
  return [...jobs.values()].toSorted((a, b) => Number(a.count > BUSY) - Number(b.count > BUSY) || a.firstAtMs - b.firstAtMs);
}

/** More often than this a day it is background, and stands behind what happens once. */
const BUSY = 6;

/** The first day of the week where this person lives: 1 Monday … 7 Sunday. */
export function firstWeekday(locale: string | undefined = globalThis.navigator?.language): number {
  if (!locale) return 1;
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?(): { readonly firstDay: number }; readonly weekInfo?: { readonly firstDay: number } };
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

export const zoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
