/** Validates a job written by a client, a model, or a person in the file. */
import { isPlainObject } from '../../../config/paths.ts';
import type { CronOwner, CronSchedule } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { normaliseId, parseSessionKey } from '../../../core/session-key.ts';
import { sha256Hex } from '../../../platform/ids.ts';
import { readSchedule, type Schedules } from '../schedule/schedules.ts';
import type { StoredJob } from '../store/entry.ts';
import { checkFields, refuseUnknown, type JobFields } from './job-schema.ts';
import { spelledOut, unwrap, type Written } from './spellings.ts';
import { head } from '../../../core/cut.ts';

/** What a job is checked against. */
export interface JobRules {
  readonly schedules: Schedules;
  /** The person's zone, for times in words. */
  readonly zone: string;
  agentExists(agentId: string): boolean;
  canonicalKey(key: string): string;
}

export interface NewJob {
  readonly id: string;
  readonly nowMs: number;
  readonly agentId?: string | undefined;
  readonly owner?: CronOwner | undefined;
}

/** Rejects with `invalid` or `unsupported`, naming the field. */
export async function readNewJob(written: unknown, made: NewJob, rules: JobRules): Promise<StoredJob> {
  const input = unwrap(written, 'job');
  const { id, nowMs, owner } = made;
  const { state: _state, owner: _owner, ...spelled } = spelledOut(input);
  const job = withoutNulls({
    ...('agentId' in input ? {} : { agentId: made.agentId }),
    ...spelled,
    ...inferred(input, spelled, owner),
    id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  return finish(
    { ...job, ...present({ owner }) },
    { rules, named: job, schedule: () => readSchedule(need(job['schedule'], 'schedule'), { nowMs, zone: rules.zone }) },
  );
}

/** The job after a change; only what the change names is read anew. Rejects as `readNewJob` does. */
export async function readChangedJob(
  before: Written,
  patch: unknown,
  nowMs: number,
  rules: JobRules,
): Promise<StoredJob> {
  const {
    id: _id,
    createdAtMs: _made,
    updatedAtMs: _changed,
    owner: _owner,
    state: _state,
    ...change
  } = spelledOut(unwrap(patch, 'patch'));
  if (Object.keys(change).length === 0)
    throw new AppError(
      'invalid',
      'The patch changes nothing: give the fields to change, e.g. {"enabled":false} or {"schedule":"every day at 8"}.',
    );
  if (change['sessionTarget'] === 'current')
    throw new AppError('invalid', 'sessionTarget: "current" cannot be used in a change; use "session:<key>".');
  const payload = isPlainObject(change['payload']) ? change['payload'] : undefined;
  const merged = withoutNulls({
    ...before,
    ...change,
    ...present({ payload: payload ? mergedPayload(before['payload'], payload) : undefined }),
    updatedAtMs: nowMs,
  });
  const job = { ...inferred({}, merged, undefined), ...merged }; // what is wrong in the file may lack them
  const schedule = change['schedule'];
  const read = (): Promise<CronSchedule> =>
    schedule === undefined
      ? scheduleKept(before['schedule'], nowMs, rules)
      : readSchedule(mergedSchedule(before['schedule'], schedule), { nowMs, zone: rules.zone });
  return finish(job, { rules, named: change, schedule: read });
}

/** Fields of the new payload over those of the old one, unless it is another kind. */
function mergedPayload(before: unknown, change: Written): Record<string, unknown> {
  const known = isPlainObject(before) ? before : {};
  return change['kind'] === undefined || change['kind'] === known['kind'] ? { ...known, ...change } : { ...change };
}

/** A zone alone keeps the times. */
function mergedSchedule(before: unknown, change: unknown): unknown {
  const partial =
    isPlainObject(change) &&
    isPlainObject(before) &&
    !['kind', 'at', 'atMs', 'every', 'everyMs', 'expr', 'cron'].some((key) => key in change);
  return partial ? { ...before, ...change } : change;
}

/**
 * What makes an entry of the file: also one that is wrong, which is kept as it is. `rewrite`: what it lacked was filled
 * in, and must not be filled in differently next time.
 */
export type KeptJob =
  | {
      readonly kind: 'good';
      readonly job: StoredJob;
      readonly extra: Readonly<Record<string, unknown>> | undefined;
      readonly state: Written;
      readonly rewrite: boolean;
    }
  | { readonly kind: 'bad'; readonly id: string; readonly problem: string; readonly job?: StoredJob };

/** `nowMs`: when a job without times of its own was first seen. Never rejects for what stands in the file. */
export async function readKeptJob(
  raw: unknown,
  nowMs: number,
  rules: Pick<JobRules, 'schedules' | 'zone' | 'canonicalKey'>,
): Promise<KeptJob> {
  const id = idOf(raw);
  let fields: JobFields | undefined;
  try {
    if (!isPlainObject(raw)) throw new AppError('invalid', 'A job must be an object.');
    if (raw['id'] !== undefined && raw['id'] !== id)
      throw new AppError('invalid', 'id: must be letters, digits, dots, dashes and underscores.');
    const spelled = spelledOut(raw, { keepUnknown: true });
    const job = withoutNulls({
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      ...spelled,
      ...inferred(raw, spelled, undefined),
      id,
    });
    const checked = checkFields(job);
    fields = placed(checked.fields, rules);
    const schedule = await scheduleKept(job['schedule'], nowMs, rules);
    const whole = raw['id'] === id && typeof raw['createdAtMs'] === 'number' && schedule === raw['schedule'];
    return {
      kind: 'good',
      job: ordered({ ...fields, schedule }),
      extra: checked.extra,
      state: isPlainObject(raw['state']) ? raw['state'] : {},
      rewrite: !whole,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const schedule = isPlainObject(raw) && fields ? documented(raw['schedule']) : undefined;
    return {
      kind: 'bad',
      id,
      problem: `The job in jobs.json is invalid and does not run: ${error.message}`,
      ...present({ job: fields && schedule ? ordered({ ...fields, schedule }) : undefined }),
    };
  }
}

/** The id it has, or one that is the same whenever this text is read. */
export function idOf(raw: unknown): string {
  const id = isPlainObject(raw) ? (raw['id'] ?? raw['jobId']) : undefined;
  return typeof id === 'string' && /^[A-Za-z0-9][\w.-]{0,127}$/.test(id)
    ? id
    : `job-${sha256Hex(JSON.stringify(raw) ?? '').slice(0, 16)}`;
}

interface Finishing {
  readonly rules: JobRules;
  /** The fields somebody gave just now. */
  readonly named: Written;
  schedule(): Promise<CronSchedule>;
}

async function finish(job: Written, { rules, named, schedule }: Finishing): Promise<StoredJob> {
  const checked = checkFields(job);
  refuseUnknown(named, checked.fields.payload.kind);
  const fields = placed(checked.fields, rules);
  if (fields.agentId !== undefined && !rules.agentExists(fields.agentId))
    throw new AppError('invalid', `agentId: unknown agent "${fields.agentId}".`);
  return ordered({ ...fields, schedule: await schedule() });
}

/** The session it runs in by its full name, and the agent that session belongs to. */
function placed(fields: JobFields, { canonicalKey }: Pick<JobRules, 'canonicalKey'>): JobFields {
  const agentId = fields.agentId === undefined ? undefined : normaliseId(fields.agentId, '');
  if (agentId === '') throw new AppError('invalid', 'agentId: must contain letters or digits.');
  const own = agentId === undefined ? {} : { agentId };
  if (!fields.sessionTarget.startsWith('session:')) return { ...fields, ...own };
  const key = canonicalKey(fields.sessionTarget.slice('session:'.length));
  const keys = parseSessionKey(key)?.agentId;
  if (agentId !== undefined && keys !== undefined && keys !== agentId)
    throw new AppError(
      'invalid',
      `sessionTarget: the session ${key} belongs to the agent "${keys}", the job to "${agentId}".`,
    );
  return { ...fields, ...(keys === undefined ? own : { agentId: keys }), sessionTarget: `session:${key}` };
}

/** What a job need not say: its name, and where it runs. */
function inferred(input: Written, job: Written, owner: CronOwner | undefined): Written {
  const payload = isPlainObject(job['payload']) ? job['payload'] : {};
  const said = String(payload['message'] ?? payload['text'] ?? '');
  const name =
    typeof job['name'] === 'string' && job['name'].trim() !== '' ? job['name'] : firstLine(said) || 'Cron job';
  return {
    name,
    sessionTarget: targetOf(input, job, owner) ?? (payload['kind'] === 'systemEvent' ? 'main' : 'isolated'),
  };
}

function targetOf(input: Written, job: Written, owner: CronOwner | undefined): unknown {
  // Whoever may only speak for their own conversation does not choose another one by a second field.
  const named = owner ? undefined : input['sessionKey'];
  const target =
    job['sessionTarget'] ??
    (typeof named === 'string' &&
    named.trim() !== '' &&
    isPlainObject(job['payload']) &&
    job['payload']['kind'] === 'agentTurn'
      ? `session:${named.trim()}`
      : undefined);
  if (target !== 'current') return target;
  const key = owner?.sessionKey ?? (typeof named === 'string' && named.trim() !== '' ? named.trim() : undefined);
  if (key === undefined)
    throw new AppError(
      'invalid',
      'sessionTarget: there is no current conversation here; use "isolated" or "session:<key>".',
    );
  return `session:${key}`;
}

const NAME_CHARACTERS = 60;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.trim();
  return line.length > NAME_CHARACTERS ? `${head(line, NAME_CHARACTERS - 1).trimEnd()}…` : line;
}

/**
 * A schedule that stands in the file already: it may have gone by, and is read as words only when it is none of ours.
 */
async function scheduleKept(
  written: unknown,
  nowMs: number,
  { schedules, zone }: Pick<JobRules, 'schedules' | 'zone'>,
): Promise<CronSchedule> {
  const own = documented(written);
  if (!own || !isStrict(own)) return readSchedule(need(written, 'schedule'), { nowMs, zone, pastAllowed: true });
  schedules.check(own);
  return own;
}

/** The documented shape, whatever its values mean. */
function documented(written: unknown): CronSchedule | undefined {
  if (!isPlainObject(written)) return undefined;
  const { kind, atMs, everyMs, expr } = written;
  const is =
    (kind === 'at' && typeof atMs === 'number') ||
    (kind === 'every' && typeof everyMs === 'number') ||
    (kind === 'cron' && typeof expr === 'string');
  return is ? (written as unknown as CronSchedule) : undefined;
}

/** Words, too, may stand where an expression is meant. */
const isStrict = (schedule: CronSchedule): boolean => schedule.kind !== 'cron' || /^[\d*@]/.test(schedule.expr.trim());

function need(value: unknown, field: string): unknown {
  if (value === undefined)
    throw new AppError(
      'invalid',
      `${field}: is required, e.g. "in 20 minutes", "every weekday at 7" or ` +
        '{"kind":"cron","expr":"0 7 * * 1-5","tz":"Europe/Berlin"}.',
    );
  return value;
}

const withoutNulls = (job: Written): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(job)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [key, key === 'payload' && isPlainObject(value) ? withoutNulls(value) : value]),
  );

/** In the order of the documentation, so that people find their way in the file. */
function ordered({
  id,
  agentId,
  name,
  description,
  enabled,
  deleteAfterRun,
  createdAtMs,
  updatedAtMs,
  schedule,
  sessionTarget,
  wakeMode,
  payload,
  isolation,
  missed,
  owner,
}: StoredJob): StoredJob {
  return present({
    id,
    agentId,
    name,
    description: description || undefined,
    enabled,
    deleteAfterRun,
    createdAtMs,
    updatedAtMs,
    schedule,
    sessionTarget,
    wakeMode,
    payload,
    isolation,
    missed,
    owner,
  });
}
