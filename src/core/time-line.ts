/** The line of the prompt with the current time, in the person's time zone. Pure. */

/** An instant and the zone it is shown in. */
export interface LocalTime {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
}

/** `Current time: Tuesday, 24 November 2026, 09:00 (Europe/Berlin)`. */
export function timeLine({ now, zone }: LocalTime): string {
  const said = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(now);
  return `Current time: ${said.replace(' at ', ', ')} (${zone})`;
}
