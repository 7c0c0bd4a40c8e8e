/** Formats times and sizes. Pure. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Cached, because creating a formatter is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
const WEEKDAY = { weekday: 'short' } as const;
const DAY_OF_MONTH = { day: 'numeric', month: 'short' } as const;
const EXACT = { ...DATE, hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

function format(locale: string | undefined, timeZone: string | undefined, options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify([locale, timeZone, options]);
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, made);
  return made;
}

/** `now`, `5 min`, `14:03`, `Tue`, `3 Nov`: as short as the distance allows. */
export function shortTime(at: number, now: number, timeZone?: string): string {
  const age = now - at;
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  const day = (instant: number): string => format('en-CA', timeZone, DATE).format(instant);
  if (day(at) === day(now)) return clock(at, timeZone);
  if (age < 6 * DAY) return format(undefined, timeZone, WEEKDAY).format(at);
  return format(undefined, timeZone, DAY_OF_MONTH).format(at);
}

/** The same in the past, within a sentence: `just now`, `5 min ago`, `on 3 Nov`. */
export function ago(at: number, now: number, timeZone?: string): string {
  const short = shortTime(at, now, timeZone);
  return short === 'now'
    ? 'just now'
    : now - at < HOUR
      ? `${short} ago`
      : /^\d\d/.test(short)
        ? `at ${short}`
        : `on ${short}`;
}

/** `timeZone`: IANA; without one the browser's. */
export const clock = (at: number, timeZone?: string): string => format(undefined, timeZone, CLOCK).format(at);
/** With 24 hours, like the times of jobs from the gateway. */
export const clock24 = (at: number, timeZone?: string): string => format('en-GB', timeZone, CLOCK).format(at);
export const exactTime = (at: number, timeZone?: string): string => format(undefined, timeZone, EXACT).format(at);

export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.round((ms % MINUTE) / 1000)} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

/** `820 B`, `34 kB`, `1.2 MB`, as files are labelled. */
export const bytesText = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
export const thousands = (count: number): string =>
  count >= 10_000 ? `${Math.round(count / 1000)}k` : count >= 1000 ? `${(count / 1000).toFixed(1)}k` : String(count);
