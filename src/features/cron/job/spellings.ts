/** Normalizes jobs written by older and newer clients, and by models that use similar names. Pure. */
import { isPlainObject } from '../../../config/paths.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';

export type Written = Readonly<Record<string, unknown>>;

/** The object itself, also when it was wrapped once more. Throws `invalid` for anything else. */
export function unwrap(value: unknown, what: string): Written {
  if (!isPlainObject(value))
    throw new AppError(
      'invalid',
      `The ${what} must be an object, e.g. {"schedule":"every weekday at ` +
        '7","payload":{"kind":"agentTurn","message":"…"}}.',
    );
  for (const wrapper of ['job', 'data', 'patch']) {
    const inside = value[wrapper];
    if (isPlainObject(inside) && !('schedule' in value) && !('payload' in value)) return inside;
  }
  return value;
}

/** Texts that stand where yes or no is meant. */
const YES_NO = ['enabled', 'deleteAfterRun'] as const;
const PAYLOAD_YES_NO = ['deliver', 'bestEffortDeliver'] as const;
const PAYLOAD_NUMBERS = ['timeoutSeconds'] as const;
const PAYLOAD_TEXTS = ['to', 'threadId', 'accountId'] as const;
/** Fields of newer clients that ask for nothing we do not do anyway. */
const TOLERATED = [
  'jobId',
  'displayName',
  'declarationKey',
  'configRevision',
  'scheduledToolPolicy',
  'failureAlert',
  'sessionKey',
] as const;
const PAYLOAD_TOLERATED = ['allowUnsafeExternalContent', 'lightContext', 'fallbacks'] as const;
/** A job's message stands at the top where it has no payload. */
const FLAT = [
  'text',
  'message',
  'model',
  'thinking',
  'timeoutSeconds',
  'deliver',
  'channel',
  'provider',
  'to',
  'accountId',
  'threadId',
  'chatKind',
  'bestEffortDeliver',
] as const;

/**
 * The documented fields of a job or of a change to one. A null stays where it is: it takes a field away. Throws
 * `unsupported` for what is not done here.
 */
export function spelledOut(
  written: Written,
  { keepUnknown = false }: { readonly keepUnknown?: boolean } = {},
): Record<string, unknown> {
  refuseUnsupported(written);
  const job: Record<string, unknown> = { ...written };
  if (!keepUnknown) for (const key of TOLERATED) delete job[key];
  for (const key of YES_NO) job[key] = yesNo(job[key]);
  if (typeof job['agentId'] === 'string' && job['agentId'].trim() === '') job['agentId'] = null;
  const payload = payloadOf(job, keepUnknown);
  delete job['delivery'];
  if (payload) job['payload'] = payload;
  if (typeof job['sessionTarget'] === 'string') job['sessionTarget'] = targetOf(job['sessionTarget']);
  return Object.fromEntries(Object.entries(job).filter(([, value]) => value !== undefined));
}

function payloadOf(job: Record<string, unknown>, keepUnknown: boolean): Record<string, unknown> | undefined {
  const inside = job['payload'];
  const flat = Object.fromEntries(
    FLAT.filter((key) => !isPlainObject(inside) && key in job).map((key) => [key, job[key]]),
  );
  for (const key of Object.keys(flat)) delete job[key];
  const input = isPlainObject(inside) ? inside : typeof inside === 'string' ? { ...flat, message: inside } : flat;
  const payload: Record<string, unknown> = { ...input, ...deliveryOf(job['delivery']) };
  if (Object.keys(payload).length === 0) return undefined;
  if ('provider' in payload) payload['channel'] ??= payload['provider'];
  delete payload['provider'];
  if (!keepUnknown) for (const key of PAYLOAD_TOLERATED) delete payload[key];
  for (const key of PAYLOAD_YES_NO) payload[key] = yesNo(payload[key]);
  for (const key of PAYLOAD_NUMBERS) payload[key] = numberOf(payload[key]);
  for (const key of PAYLOAD_TEXTS) payload[key] = textOf(payload[key]);
  for (const key of ['model', 'thinking', 'channel', ...PAYLOAD_TEXTS])
    if (typeof payload[key] === 'string' && payload[key].trim() === '') payload[key] = null;
  if (payload['timeoutSeconds'] === 0) payload['timeoutSeconds'] = null; // elsewhere: as long as it takes
  kindOf(payload);
  if (payload['kind'] === 'systemEvent' && payload['deliver'] === false) delete payload['deliver'];
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}

/** A payload that does not say what it is, or names its words by the other kind's name. */
function kindOf(payload: Record<string, unknown>): void {
  const kind =
    typeof payload['kind'] === 'string'
      ? ({ systemevent: 'systemEvent', agentturn: 'agentTurn' }[payload['kind'].toLowerCase()] ?? payload['kind'])
      : payload['kind'];
  payload['kind'] =
    kind ??
    (typeof payload['message'] === 'string'
      ? 'agentTurn'
      : typeof payload['text'] === 'string'
        ? 'systemEvent'
        : undefined);
  const [own, other] =
    payload['kind'] === 'systemEvent' ? (['text', 'message'] as const) : (['message', 'text'] as const);
  if (payload['kind'] === undefined || !(other in payload)) return;
  payload[own] ??= payload[other];
  delete payload[other];
}

/** The newer way to say where the answer goes. */
function deliveryOf(delivery: unknown): Written {
  if (!isPlainObject(delivery)) return {};
  const { mode, channel, to, accountId, threadId, bestEffort } = delivery;
  if (mode === 'none') return { deliver: false };
  const where = { channel, to, accountId, threadId, bestEffortDeliver: bestEffort };
  return {
    ...present({ deliver: mode !== undefined ? true : undefined }),
    ...Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined)),
  };
}

/** Only the key after `session:` has capitals that may mean something. */
function targetOf(target: string): string {
  const text = target.trim();
  return /^session:/i.test(text) ? `session:${text.slice('session:'.length).trim()}` : text.toLowerCase();
}

const yesNo = (value: unknown): unknown =>
  typeof value === 'string' ? ({ true: true, false: false }[value.trim().toLowerCase()] ?? value) : value;
const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

/** What others can do and we do not: ignoring it would run a job that means something else. */
function refuseUnsupported(job: Written): void {
  const schedule = isPlainObject(job['schedule']) ? job['schedule'] : {};
  const payload = isPlainObject(job['payload']) ? job['payload'] : {};
  const delivery = isPlainObject(job['delivery']) ? job['delivery'] : {};
  const refusals: readonly (readonly [boolean, string])[] = [
    [
      ['on-exit', 'stream'].includes(String(schedule['kind'])),
      `schedule.kind "${String(schedule['kind'])}" is not supported: start the command with the \`bash\` ` +
        'tool in the background; the agent is notified when it ends.',
    ],
    [
      isSet(job['trigger']),
      'trigger scripts are not supported: use an agentTurn job that checks the condition and answers ' +
        'HEARTBEAT_OK when ' +
        'there is nothing to report.',
    ],
    [isSet(job['pacing']), 'pacing is not supported: use a fixed schedule, which the running job may change.'],
    [
      ['command', 'script', 'exec'].includes(String(payload['kind'])),
      `payload.kind "${String(payload['kind'])}" is not supported: describe the task in words with ` +
        '{"kind":"agentTurn","message":"Run … and tell me …"}.',
    ],
    [
      isSet(payload['toolsAllow']),
      'payload.toolsAllow is not supported: use a separate agent (agentId) for the job, with tools ' +
        'limited in the configuration.',
    ],
    [
      delivery['mode'] === 'webhook' ||
        isSet(delivery['completionDestination']) ||
        isSet(delivery['failureDestination']),
      'delivery to a webhook or to a second place is not supported: deliver to a chat (mode "announce", ' +
        'channel, to), or let the agent call the address itself.',
    ],
  ];
  const refusal = refusals.find(([applies]) => applies);
  if (refusal) throw new AppError('unsupported', refusal[1]);
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
