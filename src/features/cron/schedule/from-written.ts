/** Converts words or fields to a schedule or an instant, after detecting the form. */
import type { CronSchedule } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { FURTHEST_MS } from './check.ts';
import { durationAhead, isWholeDuration } from './duration.ts';
import { fieldsOf } from './cron-slots.ts';
import { notPast, readOnce } from './read-once.ts';
import { isRepeat, readRepeat } from './read-repeat.ts';
import { MONTH, plainText, shown, unreadable, WEEKDAY } from './spoken.ts';
import { spelledZone, splitZone, zoneNamed } from './zone-name.ts';

/** Who reads a time, and when. */
export interface ReadingContext {
  readonly nowMs: number;
  /** The IANA zone of the person whose words they are. */
  readonly zone: string;
  /** A schedule that exists already is read again: its instant may have gone by. */
  readonly pastAllowed?: boolean;
}

/** A client sends an instant a little after it was computed. */
const SLACK_MS = 60_000;
const GROUPS = {
  at: ['at', 'atMs'],
  every: ['every', 'everyMs', 'anchorMs'],
  cron: ['expr', 'cron', 'staggerMs'],
} as const;
type Kind = keyof typeof GROUPS;
const FIELD = new RegExp(`^(?:[\\d*?,\\-/#+LW]|${MONTH}|${WEEKDAY})+$`, 'i');
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:([T ])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A person's words, and where they are: the zone of a field beats the person's own. */
interface Saying {
  readonly text: string;
  readonly tz?: string | undefined;
  readonly context: ReadingContext;
}

/** Rejects with `invalid`. What comes out has the right fields; whether it can ever happen is checked by the caller. */
export async function scheduleFrom(written: unknown, context: ReadingContext): Promise<CronSchedule> {
  if (typeof written === 'string') return fromText({ text: written, context });
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new AppError(
      'invalid',
      'A schedule is a text such as "every weekday at 7", or an object such as {"kind":"cron","expr":"0 7 * ' +
        '* 1-5","tz":"Europe/Berlin"}.',
    );
  }
  // Models fill the fields they do not use with null.
  const fields = Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== null && value !== undefined),
  );
  const kind = kindOf(fields);
  const tz = fields['tz'] === undefined || fields['tz'] === '' ? undefined : spelledZone(textOf('tz', fields['tz']));
  if (kind === 'at') return { kind, atMs: await instantFrom(only(fields, 'atMs', 'at'), context, tz) };
  return kind === 'every' ? everyFrom(fields, context, tz) : cronFrom(fields, context, tz);
}

/** One instant in milliseconds since the epoch. Rejects with `invalid`. */
async function instantFrom(written: unknown, context: ReadingContext, tz?: string): Promise<number> {
  const ms =
    typeof written === 'number' ? written : /^\d{5,16}$/.test(String(written).trim()) ? Number(written) : undefined;
  if (ms !== undefined) {
    if (!Number.isInteger(ms) || ms < 0 || ms > FURTHEST_MS)
      throw new AppError('invalid', 'An instant is a whole number of milliseconds since 1970, e.g. 1795510800000.');
    return notPast(ms, String(ms), { ...context, zone: zoneNamed(tz ?? context.zone) }, SLACK_MS);
  }
  const text = plainText(textOf('at', written));
  const split = splitZone(text);
  const zone = agreedZone(split.zone, tz);
  const here = { ...context, zone: zoneNamed(zone ?? context.zone) };
  const iso = ISO.exec(split.text);
  if (iso) return notPast(isoInstant(iso, zone, context), text, here, SLACK_MS);
  if (isRepeat(split.text.toLowerCase())) throw unreadable(text, 'it repeats, and one instant is wanted here');
  return readOnce(split.text, here);
}

/** Without a zone an ISO date is UTC; with a space in place of the `T` people wrote it, and it is in their zone. */
function isoInstant(iso: RegExpExecArray, zone: string | undefined, context: ReadingContext): number {
  const [text, year, month, day, joint, hour = '0', minute = '0', second = '0', fraction = '', offset] = iso;
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(`${fraction}000`.slice(0, 3)),
  );
  const date = new Date(wall);
  const [hours, minutes] = (offset ?? '').replace(/[zZ]/, '').match(/\d{2}/g)?.map(Number) ?? [0, 0];
  const asWritten =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    date.getUTCSeconds() === Number(second);
  if (!asWritten || hours! > 15 || minutes! > 59) throw unreadable(text, 'there is no such date or time');
  if (offset !== undefined) return wall - (offset.startsWith('-') ? -1 : 1) * (hours! * 60 + minutes!) * 60_000;
  return zoneNamed(zone ?? (joint === ' ' ? context.zone : 'UTC')).instant(wall);
}

async function everyFrom(
  fields: Readonly<Record<string, unknown>>,
  context: ReadingContext,
  tz: string | undefined,
): Promise<CronSchedule> {
  const value = only(fields, 'everyMs', 'every');
  const anchor = fields['anchorMs'] === undefined ? {} : { anchorMs: numberOf('anchorMs', fields['anchorMs']) };
  if (fields['everyMs'] !== undefined) return { kind: 'every', everyMs: numberOf('everyMs', value), ...anchor };
  const said = plainText(textOf('every', value)).replace(/^(every|each) /i, '');
  const ahead = durationAhead(said.toLowerCase());
  if (ahead?.rest === '' && ahead.duration.months === 0 && isWholeDuration(ahead.duration)) {
    return { kind: 'every', everyMs: ahead.duration.ms + ahead.duration.days * 86_400_000, ...anchor };
  }
  if ('anchorMs' in anchor) throw unreadable(said, 'with an anchor a length of time is wanted, e.g. "20m"');
  return fromText({ text: `every ${said}`, tz, context });
}

async function cronFrom(
  fields: Readonly<Record<string, unknown>>,
  context: ReadingContext,
  tz: string | undefined,
): Promise<CronSchedule> {
  const expr = plainExpression(textOf('expr', only(fields, 'expr', 'cron')));
  const stagger = fields['staggerMs'] === undefined ? {} : { staggerMs: numberOf('staggerMs', fields['staggerMs']) };
  if (isLikelyExpression(expr)) return { kind: 'cron', expr, ...present({ tz }), ...stagger };
  const schedule = await fromText({ text: expr, tz, context });
  if (schedule.kind === 'at') throw unreadable(expr, 'it is one instant; give it as "at"');
  return schedule.kind === 'cron' ? { ...schedule, ...stagger } : schedule;
}

async function fromText({ text: written, tz, context }: Saying): Promise<CronSchedule> {
  const text = plainText(written);
  const split = splitZone(text);
  const zone = agreedZone(split.zone, tz) ?? context.zone;
  const expr = plainExpression(split.text);
  if (isLikelyExpression(expr)) return { kind: 'cron', expr, tz: zone };
  if (!isRepeat(split.text.toLowerCase())) return { kind: 'at', atMs: await instantFrom(written, context, tz) };
  return readRepeat(split.text.toLowerCase(), {
    ...context,
    zone: zoneNamed(zone),
    instant: (said) => instantFrom(said, context, zone),
  });
}

/** On one line, and `@Daily` is `@daily`. */
function plainExpression(text: string): string {
  const expr = fieldsOf(text).join(' ');
  return expr.startsWith('@') ? expr.toLowerCase() : expr;
}

/** Something with a star, a nickname, or nothing but fields. */
function isLikelyExpression(text: string): boolean {
  const fields = fieldsOf(text);
  return (
    text.startsWith('@') || fields.includes('*') || (fields.length >= 5 && fields.every((field) => FIELD.test(field)))
  );
}

function kindOf(fields: Readonly<Record<string, unknown>>): Kind {
  const known: readonly string[] = ['kind', 'tz', ...Object.values(GROUPS).flat()];
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new AppError('invalid', `A schedule has no field "${shown(unknown)}". Its fields are ${known.join(', ')}.`);
  const kinds = (Object.keys(GROUPS) as Kind[]).filter((kind) => GROUPS[kind].some((key) => key in fields));
  const written =
    fields['kind'] === undefined ? kinds[0] : (Object.keys(GROUPS) as Kind[]).find((kind) => kind === fields['kind']);
  if (written === undefined)
    throw new AppError(
      'invalid',
      'A schedule needs one of {"at": …}, {"everyMs": …} and {"expr": …}; its kind is "at", "every" or "cron".',
    );
  const other = kinds.find((kind) => kind !== written);
  if (other !== undefined)
    throw new AppError(
      'invalid',
      `A schedule is one thing: of the kind "${written}" it has no ${GROUPS[other].find((key) => key in fields)}.`,
    );
  return written;
}

/** The value of the one field of two that is given. */
function only(fields: Readonly<Record<string, unknown>>, ...names: readonly [string, string]): unknown {
  const input = names.filter((name) => name in fields);
  if (input.length === 1) return fields[input[0]!];
  throw new AppError(
    'invalid',
    input.length === 0
      ? `The schedule lacks its ${names[0]} (or ${names[1]}).`
      : `The schedule has both ${names[0]} and ${names[1]}; give one.`,
  );
}

function textOf(field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new AppError('invalid', `The schedule's ${field} must be a text${field === 'every' ? ' such as "20m"' : ''}.`);
}

/** A number, also as digits. */
function numberOf(field: string, value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^\d{1,16}$/.test(value.trim())) return Number(value);
  throw new AppError('invalid', `The schedule's ${field} must be a number of milliseconds.`);
}

function agreedZone(said: string | undefined, field: string | undefined): string | undefined {
  if (said === undefined || field === undefined || said === field) return said ?? field;
  throw new AppError('invalid', `The schedule names two time zones, ${said} and ${field}; give one.`);
}
