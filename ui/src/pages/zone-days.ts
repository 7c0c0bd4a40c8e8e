/**
 * Days as the calendar of a zone has them, whatever its clocks do. Pure. Zones are IANA names, days are `2026-11-23`.
 */

const MINUTE = 60_000;
const DAY = 86_400_000;
/** No zone is further from UTC. */
const FURTHEST = 15 * 60 * MINUTE;

/** Making one costs more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-23`. */
export function dayKey(at: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      calendar: 'gregory',
      numberingSystem: 'latn',
    });
  formats.set(zone, format);
  return format.format(at);
}

/** A date so many days, or months from the first of its month, away. */
export function keyAfter(
  key: string,
  { days = 0, months = 0 }: { readonly days?: number; readonly months?: number },
): string {
  const [year, month, day] = key.split('-').map(Number);
  return new Date(Date.UTC(year!, month! - 1 + months, months === 0 ? day! + days : 1)).toISOString().slice(0, 10);
}

/**
 * The first instant of a day, milliseconds since the epoch, to the minute; where the clocks jump at midnight it is not
 * midnight.
 */
export function startOfDay(key: string, zone: string): number {
  const midnight = Date.parse(`${key}T00:00:00Z`);
  let [before, there] = [midnight - FURTHEST, midnight + FURTHEST];
  while (there - before > MINUTE) {
    const middle = Math.floor((before + there) / 2 / MINUTE) * MINUTE;
    if (dayKey(middle, zone) < key) before = middle;
    else there = middle;
  }
  return there;
}

/** Calendar days from one instant to another. */
export const daysBetween = (from: number, to: number, zone: string): number =>
  Math.round((Date.parse(dayKey(to, zone)) - Date.parse(dayKey(from, zone))) / DAY);

/** 0 is Sunday. */
export const weekdayOf = (key: string): number => new Date(`${key}T00:00:00Z`).getUTCDay();

/** A day in words of the reader's language. */
export const dayIn = (key: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(`${key}T00:00:00Z`).toLocaleDateString(undefined, { ...options, timeZone: 'UTC' });

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
