/**
 * Parses a job, or a change of one, written by a model: all spellings become one form, and unknown fields are errors.
 * Pure.
 */
import { isPlainObject } from '../../../config/paths.ts';
import { AppError } from '../../../core/errors.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where answers are to go, as it was written. */
export interface DeliveryWords {
  readonly deliver?: boolean;
  readonly channel?: string;
  readonly to?: string;
  readonly accountId?: string;
  readonly threadId?: string;
}

export interface PayloadRequest {
  /** Absent: to be told from the rest of the job. */
  readonly kind?: 'systemEvent' | 'agentTurn';
  /** The kind its words are usually of. */
  readonly likely?: 'agentTurn';
  /** What is said, whichever of the two names it had. */
  readonly text?: string;
  /** `model`, `thinking`, `timeoutSeconds`, `bestEffortDeliver`. */
  readonly settings: Fields;
}

export interface CronRequest {
  /** Everything that says nothing about whose it is and where it goes. */
  readonly fields: Fields;
  /** Null is a request too: the default agent. */
  readonly agentId?: string | null;
  readonly sessionTarget?: string;
  readonly payload?: PayloadRequest;
  /** Absent: nothing was said about it. */
  readonly delivery?: DeliveryWords;
}

const PLAIN = ['name', 'description', 'enabled', 'deleteAfterRun', 'schedule', 'wakeMode', 'isolation', 'missed'];
const TIMES = ['at', 'atMs', 'every', 'everyMs', 'anchorMs', 'cron', 'expr', 'tz', 'staggerMs'];
const SETTINGS = ['model', 'thinking', 'timeoutSeconds', 'bestEffortDeliver'];
const PLACE = ['deliver', 'channel', 'to', 'accountId', 'threadId'];
/** What the gateway says of a job: models send back the whole of what they were shown. */
const SHOWN = [
  'id',
  'jobId',
  'createdAtMs',
  'updatedAtMs',
  'state',
  'owner',
  'when',
  'nextRuns',
  'nextRunsAtMs',
  'nextRunAtMs',
  'problem',
  'configRevision',
  'lastRunAtMs',
  'lastRunStatus',
  'lastRunError',
  'lastStatus',
  'lastError',
  'kind',
];
const OF_JOB = [
  ...PLAIN,
  ...TIMES,
  ...SETTINGS,
  ...PLACE,
  ...SHOWN,
  'agentId',
  'sessionTarget',
  'sessionKey',
  'session',
  'payload',
  'delivery',
  'message',
  'text',
  'provider',
];
const OF_PAYLOAD = [...SETTINGS, ...PLACE, 'kind', 'message', 'text', 'provider', 'chatKind'];
const OF_DELIVERY = [...PLACE, 'mode', 'bestEffort', 'provider'];

/** Characters. */
const LIMITS = { name: 200, description: 2000, text: 20_000, schedule: 400 };

/** Rejects with `invalid`, naming the field. */
export function readCronRequest(input: unknown): CronRequest {
  const job = unwrapped(input);
  only(job, OF_JOB, 'job');
  const payload = typeof job['payload'] === 'string' ? { message: job['payload'] } : objectAt(job, 'payload');
  const delivery = objectAt(job, 'delivery');
  only(payload, OF_PAYLOAD, 'job.payload');
  only(delivery, OF_DELIVERY, 'job.delivery');
  const agentId = job['agentId'];
  const target =
    job['sessionTarget'] ??
    job['session'] ??
    (typeof job['sessionKey'] === 'string' ? `session:${job['sessionKey']}` : undefined);
  const place = placeOf(job, payload, delivery);
  const said = payloadOf(job, payload, delivery);
  return present({
    fields: fieldsOf(job),
    agentId: 'agentId' in job ? (agentId === null ? null : textAt(job, 'agentId')!) : undefined,
    sessionTarget: target !== undefined && target !== null ? text(target, 'job.sessionTarget').trim() : undefined,
    payload: said,
    delivery: place,
  });
}

/** Models wrap what is wrapped already. */
function unwrapped(input: unknown, depth = 0): Fields {
  if (!isPlainObject(input) || depth > 2)
    throw new AppError('invalid', 'job required: an object with schedule and payload.');
  return 'job' in input || 'data' in input ? unwrapped(input['job'] ?? input['data'], depth + 1) : input;
}

function fieldsOf(job: Fields): Fields {
  const plain = Object.fromEntries(PLAIN.filter((name) => job[name] !== undefined).map((name) => [name, job[name]]));
  const schedule = scheduleOf(job['schedule'] ?? undefined, chosen(job, TIMES));
  within(job['name'], LIMITS.name, 'job.name');
  within(job['description'], LIMITS.description, 'job.description');
  if (schedule !== undefined && JSON.stringify(schedule).length > LIMITS.schedule)
    throw new AppError('invalid', 'job.schedule: is too long.');
  return { ...plain, ...present({ schedule }) };
}

/** Whole, in pieces beside the rest of the job, or with its zone apart. */
function scheduleOf(schedule: unknown, beside: Fields): unknown {
  if (schedule === undefined) return Object.keys(beside).length > 0 ? beside : undefined;
  if (isPlainObject(schedule)) return { ...beside, ...schedule };
  return typeof schedule === 'string' && typeof beside['tz'] === 'string' ? `${schedule} (${beside['tz']})` : schedule;
}

/** Said in the payload, beside it, or in neither. */
function payloadOf(job: Fields, payload: Fields | undefined, delivery: Fields | undefined): PayloadRequest | undefined {
  const kind = payload?.['kind'] ?? (KINDS.includes(String(job['kind'])) ? job['kind'] : undefined);
  if (kind !== undefined && !KINDS.includes(String(kind)))
    throw new AppError('invalid', 'job.payload.kind: must be "systemEvent" or "agentTurn".');
  const [message, event] = [payload?.['message'] ?? job['message'], payload?.['text'] ?? job['text']];
  const said = message ?? event;
  const bestEffort = delivery?.['bestEffort'];
  const settings = {
    ...chosen(job, SETTINGS),
    ...(payload && chosen(payload, SETTINGS)),
    ...present({ bestEffortDeliver: bestEffort }),
  };
  if (!payload && said === undefined && Object.keys(settings).length === 0) return undefined;
  within(said, LIMITS.text, 'job.payload');
  return present({
    kind: kind !== undefined ? (kind as 'agentTurn') : undefined,
    likely: message !== undefined && event === undefined ? 'agentTurn' : undefined,
    text: said !== undefined && said !== null ? text(said, 'job.payload.message') : undefined,
    settings,
  });
}

const KINDS: readonly string[] = ['systemEvent', 'agentTurn'];

function placeOf(job: Fields, payload: Fields = {}, delivery: Fields = {}): DeliveryWords | undefined {
  const mode = delivery['mode'];
  if (mode !== undefined && mode !== 'none' && mode !== 'announce')
    throw new AppError(
      'unsupported',
      `job.delivery.mode: "${String(mode).slice(0, 40)}" is not supported; use "announce" with channel and to, ` +
        'or "none".',
    );
  const said: Fields = { ...chosen(job, PLACE), ...chosen(payload, PLACE), ...chosen(delivery, PLACE) };
  const channel = said['channel'] ?? delivery['provider'] ?? payload['provider'] ?? job['provider'];
  const deliver = mode === undefined ? truth(said['deliver']) : mode === 'announce';
  const words: Fields = {
    deliver,
    channel: channel === undefined ? undefined : text(channel, 'channel').trim().toLowerCase(),
    to: textAt(said, 'to'),
    accountId: textAt(said, 'accountId'),
    threadId: textAt(said, 'threadId'),
  };
  const kept = Object.entries(words).filter(([, value]) => value !== undefined && value !== '');
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function truth(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new AppError('invalid', 'job.payload.deliver: must be true or false.');
}

const chosen = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.filter((name) => from[name] !== undefined && from[name] !== null).map((name) => [name, from[name]]),
  );

function objectAt(from: Fields, name: string): Fields | undefined {
  const value = from[name];
  if (value === undefined || value === null) return undefined;
  if (!isPlainObject(value)) throw new AppError('invalid', `job.${name}: must be an object.`);
  return value;
}

function textAt(from: Fields, name: string): string | undefined {
  const value = from[name];
  return value === undefined || value === null ? undefined : text(value, name).trim();
}

/** Ids of chats and topics are often written as numbers. */
function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new AppError('invalid', `${name}: must be a text.`);
}

function within(value: unknown, max: number, name: string): void {
  if (typeof value === 'string' && value.length > max)
    throw new AppError('invalid', `${name}: has ${value.length} characters; at most ${max}.`);
}

/** A field nobody looked at could say anything to the one who reads it next. */
function only(input: Fields | undefined, names: readonly string[], where: string): void {
  const stray = Object.keys(input ?? {}).find((name) => !names.includes(name));
  if (stray !== undefined)
    throw new AppError(
      'invalid',
      `${where}.${head(stray, 60)}: unknown field. Fields: name, schedule, sessionTarget, wakeMode, ` +
        'payload, enabled, deleteAfterRun, description, missed.',
    );
}
