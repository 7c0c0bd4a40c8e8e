/** Times of the day in words: `9`, `9:30`, `6pm`, `half past 7`, `noon`, `7 in the evening`. */
import { unreadable } from './spoken.ts';

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Said with am or pm, or in a way that leaves no half of the day open. */
  readonly exact: boolean;
}

/** A time once `withPlainTimes` went over the text: `=` marks one whose half of the day was said. */
export const TIME = '(?:=?\\d{1,2}:\\d{2}(?::\\d{2})?)';
/** With `at` in front a bare hour is a time as well. */
export const HOUR = `(?:${TIME}|\\d{1,2})`;
/** What people call parts of the day. */
export const DAY_PART = 'morning|afternoon|evening|night';
export type DayPart = 'morning' | 'afternoon' | 'evening' | 'night';

const NAMED: Readonly<Record<string, string>> = { noon: '=12:00', midday: '=12:00', midnight: '=00:00' };

/**
 * Writes every time of a text in small letters as `9:30` or, when am or pm was said, `=21:30`. Throws `invalid` for
 * `13pm`.
 */
export function withPlainTimes(text: string): string {
  return text
    .replace(/\b(noon|midday|midnight)\b/g, (name) => NAMED[name]!)
    .replace(/\b(\d{1,2}) ?o'?clock\b/g, '$1:00')
    .replace(
      /\b(half|(?:a )?quarter) (past|to) (\d{1,2})(?![\d:])/g,
      (_, part: string, direction: string, hour: string) => partHour(part, direction, Number(hour)),
    )
    .replace(/\b(\d{1,2})\.(\d{2})(?= ?[ap]\.?m\b)/g, '$1:$2')
    .replace(/\bat (\d{1,2})\.(\d{2})(?= |$)/g, 'at $1:$2')
    .replace(/(?<=^| )(\d{1,2}) (?=(?:in the (?:morning|afternoon|evening)|tonight)(?: |$))/g, '$1:00 ')
    .replace(
      /\b(\d{1,2})(:\d{2}(?::\d{2})?)? ?([ap])\.?m\.?(?= |$)/g,
      (said, hour: string, rest: string | undefined, half: string) => {
        if (Number(hour) < 1 || Number(hour) > 12) throw unreadable(text, `"${said}" is not a time of day`);
        return `=${String((Number(hour) % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}${rest ?? ':00'}`;
      },
    );
}

function partHour(part: string, direction: string, hour: number): string {
  if (part === 'half') return direction === 'past' ? `${hour}:30` : `half to ${hour}`;
  return direction === 'past' ? `${hour}:15` : `${hour <= 1 ? hour + 11 : hour - 1}:45`;
}

/** A time that `TIME` or `HOUR` matched. Throws `invalid` for `25:00`. */
export function clockTimeOf(written: string, text: string): ClockTime {
  const [hour, minute = 0, second = 0] = written.replace('=', '').split(':').map(Number);
  if (hour! > 23 || minute > 59 || second > 59)
    throw unreadable(text, `"${written.replace('=', '')}" is not a time of day`);
  return { hour: hour!, minute, second, exact: written.startsWith('=') };
}

/** `7` and `evening` is 19:00. Throws `invalid` for `13:00 in the morning`. */
export function inDayPart(time: ClockTime, part: DayPart | undefined, text: string): ClockTime {
  if (part === undefined) return time;
  const [from, to] = { morning: [0, 11], afternoon: [12, 18], evening: [16, 23], night: [18, 29] }[part] as [
    number,
    number,
  ];
  // Each part of the day is shorter than twelve hours, so one of the two readings fits at most.
  const hours = time.exact ? [time.hour] : [time.hour, time.hour + 12];
  const hour = hours.find((each) => each < 24 && ((each >= from && each <= to) || each + 24 <= to));
  if (hour === undefined || (part === 'night' && time.hour === 12))
    throw unreadable(text, `${time.hour}:${String(time.minute).padStart(2, '0')} is not in the ${part}`);
  return { ...time, hour, exact: true };
}

/** `at 6 and 9pm` leaves open which 6 is meant. */
export function checkHalves(times: readonly ClockTime[], text: string): void {
  const open = times.find(
    (time, index) =>
      !time.exact && time.hour < 12 && times.slice(index + 1).some((later) => later.exact && later.hour >= 12),
  );
  if (open) throw unreadable(text, `it does not say whether ${open.hour} is in the morning or in the evening`);
}

export const msOfDay = ({ hour, minute, second }: ClockTime): number => ((hour * 60 + minute) * 60 + second) * 1000;
