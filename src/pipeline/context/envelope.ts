/** The header line of a channel message: its source and time. Pure. */
import { inertLine } from '../../core/inert-line.ts';
import type { InboundMessage } from '../../core/message.ts';

export interface EnvelopeRules {
  /** Writes a moment, milliseconds since the epoch; absent: none is shown. */
  readonly formatTime?: ((at: number) => string) | undefined;
  /** Shows how long ago the conversation was last used. */
  readonly elapsed: boolean;
}

/** `[Telegram Ann id:42 2026-11-22 10:00 CET] `; nothing the sender wrote can close the brackets. */
export function envelope(
  message: InboundMessage,
  label: string,
  { formatTime, elapsed }: EnvelopeRules,
  elapsedMs?: number,
): string {
  const parts = [
    label,
    conversationLabel(message),
    elapsed && elapsedMs !== undefined && elapsedMs >= 0 ? `+${span(elapsedMs)}` : '',
    formatTime?.(message.receivedAt) ?? '',
  ];
  return `[${parts.filter((part) => part !== '').join(' ')}] `;
}

/** In a direct chat the person, elsewhere the place; with the id where the name alone could mean another. */
function conversationLabel({ address, sender, place = {} }: InboundMessage): string {
  const { kind, id } = address.chat;
  const name = kind === 'direct' ? (sender.name ?? sender.handle) : place.chat;
  const shown = inertLine(
    [place.space, name, place.thread].filter((part) => part !== undefined && part !== '').join(' / '),
  );
  const known = kind === 'direct' ? sender.id : id;
  return shown === '' ? `id:${inertLine(known)}` : `${shown} id:${inertLine(known)}`;
}

/** `Ann (42)`: the name people know, and what stays the same when they change it. */
export function senderLabel({ id, name, handle }: InboundMessage['sender']): string {
  const shown = inertLine(name ?? handle ?? '');
  return shown === '' || shown === id ? inertLine(id) : `${shown} (${inertLine(id)})`;
}

function span(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/**
 * From a zone to what writes its moments: `2026-11-22 10:00 CET`, for `utc` and zones that do not exist
 * `2026-11-22T10:00Z`. Each zone's clock is made once, for the first moment that is written: the first of all loads
 * 8 MiB of calendars and zones, and the product's own chat writes none.
 */
export function createTimeFormats(): (timezone: string) => (at: number) => string {
  const known = new Map<string, (at: number) => string>();
  return (timezone) => {
    const writer = known.get(timezone) ?? timeFormatIn(timezone);
    known.set(timezone, writer);
    return writer;
  };
}

function timeFormatIn(timezone: string): (at: number) => string {
  const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
  if (timezone.toLowerCase() === 'utc') return utc;
  const made: { clock?: Intl.DateTimeFormat | 'none' } = {};
  return (at) => {
    const clock = (made.clock ??= clockOf(timezone) ?? 'none');
    if (clock === 'none') return utc(at);
    const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
    return `${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']} ${part['timeZoneName']}`;
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined; // no such zone
    throw error;
  }
}
