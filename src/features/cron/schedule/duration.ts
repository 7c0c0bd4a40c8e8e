/** Lengths of time in words: `20m`, `1h30m`, `2 hours and 15 minutes`, `half an hour`, `3 days`. */
import { END, NUMBER, numberOf } from './spoken.ts';

/** Days and months depend on the calendar, hours do not. */
export interface Duration {
  readonly ms: number;
  readonly days: number;
  readonly months: number;
}

const DAY_MS = 86_400_000;
const MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7 };
const MONTHS: Readonly<Record<string, number>> = { M: 1, y: 12 };
const UNIT = 'seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|years?';
const PART = new RegExp(
  `^(?:(${NUMBER}) ?(${UNIT})|(a )?quarter of an hour|one and a half hours|an hour and a half)(?![a-z])(?: ` +
    `and(?= ${NUMBER} ?(?:${UNIT})(?:\\d|${END})))? ?`,
);

/** The duration a text in small letters begins with, and what follows it; undefined: it begins with none. */
export function durationAhead(text: string): { readonly duration: Duration; readonly rest: string } | undefined {
  let [ms, days, months] = [0, 0, 0];
  let rest = text;
  for (let match = PART.exec(rest); match; match = PART.exec(rest)) {
    const [whole, count, unit] = match;
    const key = unit === undefined ? 'm' : unit.startsWith('month') ? 'M' : unit[0]!;
    const amount = unit === undefined ? (whole.includes('half') ? 90 : 15) : numberOf(count!);
    ms += amount * (MS[key] ?? 0);
    days += amount * (DAYS[key] ?? 0);
    months += amount * (MONTHS[key] ?? 0);
    rest = rest.slice(whole.length);
  }
  return rest === text ? undefined : { duration: { ms, days, months }, rest };
}

/** `24h` → 86 400 000; undefined for what is no length of time, is nothing, or depends on the calendar (months). */
export function durationMs(text: string): number | undefined {
  const found = durationAhead(text.trim().toLowerCase());
  if (!found || found.rest !== '' || found.duration.months > 0) return undefined;
  const ms = found.duration.ms + found.duration.days * DAY_MS;
  return Number.isSafeInteger(ms) && ms > 0 ? ms : undefined;
}

/** Months and days that are no whole number mean nothing on a calendar; a time has no fraction of a millisecond. */
export const isWholeDuration = ({ ms, days, months }: Duration): boolean =>
  [ms, days, months].every(Number.isSafeInteger) && ms + days + months > 0;
