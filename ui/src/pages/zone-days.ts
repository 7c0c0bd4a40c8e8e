/** Calendar days of a time zone, independent of clock changes. Pure. Zones are IANA names, days are `2026-11-23`. */

const DAY = 86_400_000;

/** Cached, because creating a formatter is slow. */
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

/** Calendar days from one instant to another. */
export const daysBetween = (from: number, to: number, zone: string): number =>
  Math.round((Date.parse(dayKey(to, zone)) - Date.parse(dayKey(from, zone))) / DAY);

/** A day in the language of the reader. */
export const dayIn = (key: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(`${key}T00:00:00Z`).toLocaleDateString(undefined, { ...options, timeZone: 'UTC' });
