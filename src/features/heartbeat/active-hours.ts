/**
 * Whether an agent is in its active hours: the local time of a zone against configured hours, including clock changes.
 * Pure.
 */
import { minuteOfDay, type ActiveHours } from './config.ts';

/** An instant, milliseconds since the epoch → minute of the day in one zone. */
export type WallMinute = (at: number) => number;

const MINUTE = 60_000;
const DAY = 24 * 60;
/** No zone moves its clock by more at once. */
const MAX_SHIFT = 3 * 60;

/** Making one takes 0.1 ms: keep it. An unknown zone throws a RangeError. */
export function wallMinuteIn(timeZone: string): WallMinute {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (at) => {
    const [hours, minutes] = clock.format(at).split(':');
    return Number(hours) * 60 + Number(minutes);
  };
}

/**
 * From `start` until before `end`; a window that ends before it starts goes over midnight, one of no length is the
 * whole day.
 */
export function isActive({ start, end }: Pick<ActiveHours, 'start' | 'end'>, minute: number): boolean {
  const [from, until] = [minuteOfDay(start) ?? 0, minuteOfDay(end) ?? DAY];
  if (from % DAY === until % DAY) return true;
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/**
 * When it wakes next, milliseconds since the epoch, on a full minute; undefined: it is awake.
 * Hours the clock skips are no hours: then it is the first minute after them that belongs to the window.
 */
export function nextOpening(
  hours: Pick<ActiveHours, 'start' | 'end'>,
  now: number,
  wall: WallMinute,
): number | undefined {
  if (isActive(hours, wall(now))) return undefined;
  const thisMinute = Math.floor(now / MINUTE) * MINUTE;
  const ahead = ((minuteOfDay(hours.start) ?? 0) - wall(now) + DAY) % DAY;
  // Just ahead first: where the clock goes back, the same hour opens again.
  for (const minutes of [0, ahead, ahead + DAY, ahead + 2 * DAY, ahead + 3 * DAY]) {
    const about = thisMinute + minutes * MINUTE;
    for (
      let at = Math.max(thisMinute + MINUTE, about - MAX_SHIFT * MINUTE);
      at <= about + MAX_SHIFT * MINUTE;
      at += MINUTE
    )
      if (isActive(hours, wall(at))) return at;
  }
  return thisMinute + DAY * MINUTE; // a window inside hours that this zone does not have for days
}
