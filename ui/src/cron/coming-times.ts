/** Instants ahead as people say them, and days as the browser's calendar has them. Pure. */
import { clock } from '../elements/times.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `in 40 s`, `in 5 min`, `in 3 h 20 min`, `in 4 days`; an instant that passed is `due`. */
export function inTime(at: number, now: number): string {
  const left = at - now;
  if (left <= -5 * SECOND) return 'due';
  if (left < SECOND) return 'now';
  if (left < MINUTE - SECOND / 2) return `in ${Math.round(left / SECOND)} s`;
  if (left < HOUR - MINUTE / 2) return `in ${Math.round(left / MINUTE)} min`;
  if (left < DAY) return hoursAhead(left);
  const days = daysBetween(now, at);
  return days === 1 ? 'in 1 day' : days < 60 ? `in ${days} days` : `in ${Math.round(days / 30.4)} months`;
}

function hoursAhead(left: number): string {
  const [hours, minutes] = [Math.floor(left / HOUR), Math.round((left % HOUR) / MINUTE)];
  return hours >= 6 || minutes === 0 || minutes === 60 ? `in ${Math.round(left / HOUR)} h` : `in ${hours} h ${minutes} min`;
}

/** `today 14:20`, `tomorrow 07:00`, `Wed 07:00`, `3 Dec 07:00`, `3 Dec 2028 07:00`. */
export function dayAndTime(at: number, now: number): string {
  const days = daysBetween(now, at);
  if (days === 0) return `today ${clock(at)}`;
  if (days === 1) return `tomorrow ${clock(at)}`;
  if (days === -1) return `yesterday ${clock(at)}`;
  const date = new Date(at);
  if (days > 1 && days < 7) return `${date.toLocaleDateString(undefined, { weekday: 'short' })} ${clock(at)}`;
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })} ${clock(at)}`;
}

/** Calendar days from one instant to another in the browser's zone, whatever the clocks did between them. */
export const daysBetween = (from: number, to: number): number => Math.round((dayNumber(to) - dayNumber(from)) / DAY);

/** The same date at midnight UTC, where every day has 24 hours. */
function dayNumber(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}

/** `2026-11-23`, in the browser's zone. */
export function dayKey(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** For `datetime` of a `<time>`. */
export const isoTime = (at: number): string => new Date(at).toISOString();
