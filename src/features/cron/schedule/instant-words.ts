/** Formats an instant: `Tue 24 Nov 2026 09:00 (Europe/Berlin)`. The text is parsed back to the same instant. */
import { createZone, type Zone } from './zone.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Seconds only when there are any. The second of two equal times of a night is given in UTC, for its own zone cannot
 * tell them apart.
 */
export function inLocalWords(ms: number, zone: Zone): string {
  const second = Math.floor(ms / 1000) * 1000;
  const shown = zone.instant(zone.wall(second)) === second ? zone : createZone('UTC')!;
  const date = new Date(shown.wall(second));
  const day = `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const time = date.toISOString().slice(11, date.getUTCSeconds() === 0 ? 16 : 19);
  return `${day} ${time} (${shown.name})`;
}
