/**
 * Parses one instant in words: `in 20 minutes`, `at 14:30`, `tomorrow at 7 in the evening`, `next friday at 5pm`. Days
 * are parsed by chrono, times and durations here.
 */
import { AppError } from '../../../core/errors.ts';
import { FURTHEST_MS } from './check.ts';
import { clockTimeOf, DAY_PART, HOUR, inDayPart, msOfDay, TIME, withPlainTimes, type DayPart } from './clock-time.ts';
import { durationAhead, isWholeDuration, type Duration } from './duration.ts';
import { inLocalWords } from './instant-words.ts';
import { shown, unreadable } from './spoken.ts';
import type { Zone } from './zone.ts';

const DAY_MS = 86_400_000;

export interface OnceContext {
  readonly nowMs: number;
  readonly zone: Zone;
  readonly pastAllowed?: boolean | undefined;
}

/** What was said, and the day and time of the day in it, each in small letters. */
interface Saying {
  readonly said: string;
  readonly day: string;
  readonly timeMs: number;
  readonly midnight: boolean;
}

/**
 * Milliseconds since the epoch. `said` comes from `plainText` and names no zone. Rejects with `invalid` for what cannot
 * be read, is open or has gone by.
 */
export async function readOnce(said: string, context: OnceContext): Promise<number> {
  const text = said
    .toLowerCase()
    .replace(/^once, /, '')
    .replaceAll(',', ' ')
    .replace(/ +/g, ' ')
    .trim();
  const ahead = durationAhead(text.replace(/^in /, ''));
  if (ahead && (ahead.rest === '' || ahead.rest === 'from now')) return afterDuration(ahead.duration, said, context);
  const saying = dayAndTime(said, text);
  return saying.day === '' ? nextTime(saying, context) : onDay(saying, context);
}

function afterDuration(duration: Duration, said: string, { nowMs, zone }: OnceContext): number {
  if (!isWholeDuration(duration)) throw unreadable(said, 'no time passes by then that a calendar can count');
  if (duration.days === 0 && duration.months === 0) return inRange(nowMs + duration.ms, said);
  const now = new Date(zone.wall(nowMs));
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + duration.months + 1, 0));
  if (Number.isNaN(month.getTime())) throw unreadable(said, 'that is too far away');
  const day = Math.min(now.getUTCDate(), month.getUTCDate());
  const wall = month.getTime() + (day - month.getUTCDate() + duration.days) * DAY_MS + (now.getTime() % DAY_MS);
  return inRange(zone.instant(inRange(wall, said)) + duration.ms, said);
}

const inRange = (ms: number, said: string): number => {
  if (ms <= FURTHEST_MS) return ms;
  throw unreadable(said, 'that is too far away');
};

/** Takes the one time of the day out of the text; what is left is the day. */
function dayAndTime(said: string, text: string): Saying {
  const plain = withPlainTimes(text);
  const times = [...plain.matchAll(new RegExp(`(?<=^| )(?:at (${HOUR})|(${TIME}))(?= |$)`, 'g'))];
  if (times.length > 1) throw unreadable(said, 'it names more than one time of the day');
  const time = times[0];
  if (!time)
    throw unreadable(
      said,
      hasDay(plain) ? 'it does not say at what time of the day' : 'it is no time in English, nor a date as 2026-11-24',
    );
  const rest = `${plain.slice(0, time.index)}${plain.slice(time.index + time[0].length)}`.replace(/ +/g, ' ').trim();
  const part = new RegExp(`(?<=^| )(?:(?:in the|at|this) )?(${DAY_PART})(?= |$)`).exec(rest);
  const dayPart = rest.includes('tonight') ? 'night' : (part?.[1] as DayPart | undefined);
  const whole = part
    ? rest.replace(part[0], part[0].startsWith('this') ? 'today' : '')
    : rest.replace(/\btonight\b/, 'today');
  return {
    said,
    day: dayWords(whole),
    midnight: /\bmidnight\b/.test(text),
    timeMs: msOfDay(inDayPart(clockTimeOf(time[1] ?? time[2]!, said), dayPart, said)),
  };
}

const hasDay = (text: string): boolean =>
  /\b(today|tonight|tomorrow|\w+day|week|month|year|\d+(st|nd|rd|th)|\d{4}-\d{2}-\d{2})\b/.test(text);

/** Without what joins a day to a time, and with days as chrono reads them. */
const dayWords = (text: string): string =>
  text
    .replace(/ +/g, ' ')
    .trim()
    .replace(/^(on|at) /, '')
    .replace(/ (on|at)$/, '')
    .replace(/^(?:the )?day after tomorrow/, 'the day after tomorrow')
    .replace(/^the (?=\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z])/, '')
    .replace(
      /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/,
      (_, day: string, month: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    );

/** The next such time, today or tomorrow. */
function nextTime({ timeMs }: Saying, { nowMs, zone }: OnceContext): number {
  const today = Math.floor(zone.wall(nowMs) / DAY_MS) * DAY_MS;
  return [0, 1, 2].map((days) => zone.instant(today + days * DAY_MS + timeMs)).find((ms) => ms > nowMs)!;
}

async function onDay(saying: Saying, context: OnceContext): Promise<number> {
  const { said, day, timeMs, midnight } = saying;
  if (midnight && day === 'today' && said.toLowerCase().includes('tonight')) return nextTime(saying, context);
  if (midnight) throw unreadable(said, 'midnight lies between two days; write 00:00 and the day that begins then');
  const numbered = /^the (\d{1,2})(?:st|nd|rd|th)$/.exec(day);
  if (numbered) return nextNumbered(Number(numbered[1]), saying, context);
  const { wall, repeats } = await dayOf(day, said, context);
  const { zone, nowMs } = context;
  const at = inRange(zone.instant(wall + timeMs), said);
  return at <= nowMs && repeats ? zone.instant(wall + 7 * DAY_MS + timeMs) : notPast(at, said, context);
}

/** The next day of a month with that number: `the 5th`. */
function nextNumbered(day: number, { said, timeMs }: Saying, { nowMs, zone }: OnceContext): number {
  const now = new Date(zone.wall(nowMs));
  for (let month = 0; month <= 12; month++) {
    const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, day));
    const at = zone.instant(date.getTime() + timeMs);
    if (date.getUTCDate() === day && at > nowMs) return at;
  }
  throw unreadable(said, 'no month has such a day');
}

/**
 * Midnight of a day in words, on the zone's clocks. `repeats`: it was only called by its name, so a later one of that
 * name may be meant.
 */
async function dayOf(
  day: string,
  said: string,
  { nowMs, zone }: OnceContext,
): Promise<{ readonly wall: number; readonly repeats: boolean }> {
  if (/\b(last|past|previous|ago)\b/.test(day))
    throw unreadable(said, 'it is in the past, or it does not say which day it means');
  const slashed = /(?<![\d/-])(\d{1,2})[/-](\d{1,2})\b/.exec(day);
  if (slashed && slashed[1] !== slashed[2] && Number(slashed[1]) <= 12 && Number(slashed[2]) <= 12) {
    throw unreadable(
      said,
      `"${slashed[0]}" may be a day and a month or a month and a day; write the date as 2026-12-03`,
    );
  }
  if (/^(next|this) week$/.test(day)) throw unreadable(said, 'it does not say on which day of the week');
  if (durationAhead(day)?.rest === '')
    throw unreadable(said, `say "in ${shown(day)}" or "every ${shown(day.replace(/^an? /, ''))}"`);
  const { parse } = await import('chrono-node/en');
  // Chrono counts days on the machine's clock, whatever zone it is told: at noon of the person's day there it finds
  // theirs.
  const today = new Date(zone.wall(nowMs));
  const instant = new Date(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), 12);
  const results = parse(day, { instant }, { forwardDate: true });
  const [result] = results;
  if (
    !result ||
    results.length > 1 ||
    result.text.length !== day.length ||
    result.end ||
    result.start.isCertain('hour') ||
    result.start.isCertain('timezoneOffset')
  ) {
    throw unreadable(said, `"${shown(day)}" is not a day it can be on`);
  }
  const { start } = result;
  const wall = Date.UTC(start.get('year')!, start.get('month')! - 1, start.get('day')!);
  if (!start.isCertain('day') && !start.isCertain('weekday')) throw unreadable(said, 'it does not say on which day');
  if (new Date(wall).getUTCDate() !== start.get('day')) throw unreadable(said, 'there is no such date');
  if (start.isCertain('day') && start.isCertain('weekday') && new Date(wall).getUTCDay() !== start.get('weekday')) {
    throw unreadable(said, 'that date is another day of the week');
  }
  return { wall, repeats: !start.isCertain('day') && !/\bthis\b/.test(day) };
}

/**
 * Throws `invalid` with what time it is for an instant that has gone by; `slackMs` is what passes between saying and
 * reading.
 */
export function notPast(at: number, said: string, { nowMs, zone, pastAllowed }: OnceContext, slackMs = 0): number {
  if (pastAllowed || at > nowMs - slackMs) return at;
  throw new AppError(
    'invalid',
    `"${shown(said)}" is ${inLocalWords(at, zone)}, which is in the past: it is ${inLocalWords(nowMs, zone)} ` +
      'now. Use a future time, e.g. "tomorrow 9:00".',
  );
}
