/**
 * A job as the form holds it, and what of it is sent: everything for a new one, the differences for a known one. Pure.
 */
import type { Job, JobSchedule, MissedPolicy } from './wire.ts';
import { sessionOf, textOf } from './job-words.ts';

const HOUR = 3_600_000;

export interface Draft {
  /** Words, an expression, or what the gateway said of the job's schedule. */
  readonly when: string;
  readonly message: string;
  /** Empty: the gateway takes the first line of the message. */
  readonly name: string;
  readonly description: string;
  readonly place: 'main' | 'isolated' | 'session';
  /** With `place` `session`. */
  readonly sessionKey: string;
  /** With `place` `main`: at once and not with the next heartbeat. */
  readonly atOnce: boolean;
  /** `none`, `last` or a channel's id. */
  readonly deliver: string;
  readonly to: string;
  readonly accountId: string;
  /** Empty: the gateway's default agent. */
  readonly agentId: string;
  readonly model: string;
  readonly thinking: string;
  readonly timeoutSeconds: string;
  /** Empty: as the configuration says. */
  readonly missed: MissedPolicy | '';
  readonly maxAgeHours: string;
  readonly deleteAfterRun: boolean;
}

export const EMPTY_DRAFT: Draft = {
  when: '',
  message: '',
  name: '',
  description: '',
  place: 'isolated',
  sessionKey: '',
  atOnce: true,
  deliver: 'none',
  to: '',
  accountId: '',
  agentId: '',
  model: '',
  thinking: '',
  timeoutSeconds: '',
  missed: '',
  maxAgeHours: '',
  deleteAfterRun: false,
};

export function draftOf(job: Job): Draft {
  const { missed } = job;
  const turn = job.payload.kind === 'agentTurn' ? job.payload : undefined;
  return {
    when: job.when,
    message: textOf(job),
    name: job.name,
    description: job.description ?? '',
    place: job.sessionTarget === 'main' ? 'main' : job.sessionTarget === 'isolated' ? 'isolated' : 'session',
    sessionKey: sessionOf(job) ?? '',
    atOnce: job.wakeMode === 'now',
    deliver: deliverOf(job),
    to: turn?.to ?? '',
    accountId: turn?.accountId ?? '',
    agentId: job.agentId ?? '',
    model: turn?.model ?? '',
    thinking: turn?.thinking ?? '',
    timeoutSeconds: turn?.timeoutSeconds === undefined ? '' : String(turn.timeoutSeconds),
    missed: missed?.policy ?? '',
    maxAgeHours: missed?.maxAgeMs === undefined ? '' : String(missed.maxAgeMs / HOUR),
    deleteAfterRun: job.deleteAfterRun === true,
  };
}

function deliverOf({ payload }: Job): string {
  if (payload.kind === 'systemEvent') return 'none';
  const { deliver = payload.to !== undefined, channel = 'last' } = payload;
  return deliver ? channel : 'none';
}

type Fields = Readonly<Record<string, unknown>>;

/** `schedule`: as the gateway read `when`, so that what was shown is what is kept; absent: the words. */
export function newJob(draft: Draft, schedule: JobSchedule | undefined): Fields {
  return {
    schedule: schedule ?? draft.when.trim(),
    ...filled('name', draft.name),
    ...filled('description', draft.description),
    ...filled('agentId', draft.agentId),
    ...placeFields(draft),
    payload: stated(payloadOf(draft)),
    ...(draft.missed ? { missed: missedOf(draft) } : {}),
    ...(draft.deleteAfterRun ? { deleteAfterRun: true } : {}),
  };
}

/** Only what differs from `before`; a field that was emptied is sent as null. Undefined: nothing differs. */
export function patchOf(before: Draft, after: Draft, schedule: JobSchedule | undefined): Fields | undefined {
  const patch: Record<string, unknown> = {};
  if (after.when.trim() !== before.when.trim()) patch['schedule'] = schedule ?? after.when.trim();
  for (const key of ['name', 'description', 'agentId'] as const)
    if (after[key].trim() !== before[key].trim()) patch[key] = after[key].trim() || null;
  if (differs('place', 'sessionKey', 'atOnce')) Object.assign(patch, placeFields(after));
  const payload = payloadPatch(before, after);
  if (payload) patch['payload'] = payload;
  if (differs('missed', 'maxAgeHours')) patch['missed'] = after.missed ? missedOf(after) : null;
  if (differs('deleteAfterRun')) patch['deleteAfterRun'] = after.deleteAfterRun;
  return Object.keys(patch).length === 0 ? undefined : patch;

  function differs(...keys: readonly (keyof Draft)[]): boolean {
    return keys.some((key) => after[key] !== before[key]);
  }
}

/** Another kind is sent whole; of the same kind the fields that changed. */
function payloadPatch(before: Draft, after: Draft): Fields | undefined {
  const [was, is] = [payloadOf(before), payloadOf(after)];
  if (was['kind'] !== is['kind']) return stated(is);
  const changed = Object.entries(is).filter(([key, value]) => value !== was[key]);
  return changed.length === 0
    ? undefined
    : { kind: is['kind'], ...Object.fromEntries(changed.map(([key, value]) => [key, value ?? null])) };
}

function payloadOf(draft: Draft): Fields {
  const text = draft.message.trim();
  if (draft.place === 'main') return { kind: 'systemEvent', text };
  const toChannel = draft.deliver !== 'none';
  return {
    kind: 'agentTurn',
    message: text,
    model: draft.model.trim() || undefined,
    thinking: draft.thinking || undefined,
    timeoutSeconds: draft.timeoutSeconds.trim() ? Number(draft.timeoutSeconds) : undefined,
    deliver: toChannel,
    channel: toChannel ? draft.deliver : undefined,
    to: toChannel ? draft.to.trim() || undefined : undefined,
    accountId: toChannel ? draft.accountId || undefined : undefined,
  };
}

/** Elsewhere than in the main conversation the mode only says whether the main one hears of it at once. */
const placeFields = ({ place, sessionKey, atOnce }: Draft): Fields => ({
  sessionTarget: place === 'session' ? `session:${sessionKey}` : place,
  ...(place === 'main' ? { wakeMode: atOnce ? 'now' : 'next-heartbeat' } : {}),
});

const missedOf = ({ missed, maxAgeHours }: Draft): Fields => ({
  policy: missed,
  ...(maxAgeHours.trim() && missed !== 'skip' ? { maxAgeMs: Math.round(Number(maxAgeHours) * HOUR) } : {}),
});

const filled = (key: string, value: string): Fields => (value.trim() ? { [key]: value.trim() } : {});
const stated = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Where in the form a problem belongs. */
export type Place =
  | 'when'
  | 'message'
  | 'name'
  | 'place'
  | 'deliver'
  | 'model'
  | 'thinking'
  | 'timeoutSeconds'
  | 'missed'
  | 'agentId';

/** What can be said before asking the gateway. */
export function problemsOf(draft: Draft): Partial<Record<Place, string>> {
  const positive = (text: string): boolean => !text.trim() || Number(text) > 0;
  return {
    ...(draft.when.trim() ? {} : { when: 'Enter a time, for example “every weekday at 7:00” or “in 20 minutes”.' }),
    ...(draft.message.trim() ? {} : { message: 'Enter a task.' }),
    ...(draft.place === 'session' && !draft.sessionKey ? { place: 'Choose a conversation.' } : {}),
    ...(draft.place !== 'main' && !['none', 'last'].includes(draft.deliver) && !draft.to.trim()
      ? { deliver: 'Enter a target: a person, chat or number in the format of the channel.' }
      : {}),
    ...(positive(draft.timeoutSeconds) ? {} : { timeoutSeconds: 'Enter a number of seconds above 0.' }),
    ...(positive(draft.maxAgeHours) ? {} : { missed: 'Enter a number of hours above 0.' }),
  };
}

const FIELDS: readonly (readonly [RegExp, Place])[] = [
  [/^(schedule|expr|everyMs|atMs|at|anchorMs|tz|when)\b/, 'when'],
  [/^timeoutSeconds/, 'timeoutSeconds'],
  [/^thinking/, 'thinking'],
  [/^model/, 'model'],
  [/^(missed|maxAge)/, 'missed'],
  [/^(delivery|deliver|channel|to|accountId|threadId)\b/, 'deliver'],
  [/^(sessionTarget|sessionKey|wakeMode)/, 'place'],
  [/^agentId/, 'agentId'],
  [/^name/, 'name'],
  [/^(message|text)\b/, 'message'],
];

const NAMED = /^["'“`]?([A-Za-z]+(?:\.[A-Za-z]+)*)["'”`]?(?=[:\s])/;

/** Beside its field a message need not name it. */
export const sayPlainly = (message: string): string => message.replace(/^[A-Za-z]+(\.[A-Za-z]+)*:\s+/, '');

/**
 * By the field the gateway names, in its details or as the first word: `payload.model: …`. One that names none is a
 * problem of the whole.
 */
export function placeOf({
  message,
  field,
}: {
  readonly message: string;
  readonly field?: string | undefined;
}): Place | undefined {
  const named = field ?? NAMED.exec(message)?.[1] ?? '';
  const bare = named.replace(/^(job|patch)\./, '').replace(/^payload\./, '');
  return FIELDS.find(([pattern]) => pattern.test(bare))?.[1];
}
