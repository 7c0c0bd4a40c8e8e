/** Formats future times. Pure. */
import { clock24 } from '../elements/times.ts';
import { dayIn, dayKey, daysBetween } from './zone-days.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `in 40 s`, `in 5 min`, `in 3 h 20 min`, `in 4 days`; `due` for an instant in the past. */
export function inTime(at: number, now: number, zone: string): string {
  const left = at - now;
  if (left <= -5 * SECOND) return 'due';
  if (left < SECOND) return 'now';
  if (left < MINUTE - SECOND / 2) return `in ${Math.round(left / SECOND)} s`;
  if (left < HOUR - MINUTE / 2) return `in ${Math.round(left / MINUTE)} min`;
  if (left < DAY) return hoursAhead(left);
  const days = daysBetween(now, at, zone);
  return days === 1 ? 'in 1 day' : days < 60 ? `in ${days} days` : `in ${Math.round(days / 30.4)} months`;
}

function hoursAhead(left: number): string {
  const [hours, minutes] = [Math.floor(left / HOUR), Math.round((left % HOUR) / MINUTE)];
  return hours >= 6 || minutes === 0 || minutes === 60
    ? `in ${Math.round(left / HOUR)} h`
    : `in ${hours} h ${minutes} min`;
}

/** `today 14:20`, `tomorrow 07:00`, `Wed 07:00`, `3 Dec 07:00`, `3 Dec 2028 07:00`. */
export function dayAndTime(at: number, now: number, zone: string): string {
  const days = daysBetween(now, at, zone);
  const time = clock24(at, zone);
  if (days === 0) return `today ${time}`;
  if (days === 1) return `tomorrow ${time}`;
  if (days === -1) return `yesterday ${time}`;
  const [day, today] = [dayKey(at, zone), dayKey(now, zone)];
  if (days > 1 && days < 7) return `${dayIn(day, { weekday: 'short' })} ${time}`;
  const sameYear = day.slice(0, 4) === today.slice(0, 4);
  return `${dayIn(day, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })} ${time}`;
}

/** For `datetime` of a `<time>`. */
export const isoTime = (at: number): string => new Date(at).toISOString();
