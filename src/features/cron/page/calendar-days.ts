/** Days of a calendar, counted and begun. Pure. Zones are IANA names, days are `2026-11-23`. */
import { dayKey } from '../../../../ui/src/pages/zone-days.ts';

const MINUTE = 60_000;
/** No zone is further from UTC. */
const FURTHEST = 15 * 60 * MINUTE;

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

/** 0 is Sunday. */
export const weekdayOf = (key: string): number => new Date(`${key}T00:00:00Z`).getUTCDay();

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
