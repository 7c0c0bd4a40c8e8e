/** The schema of a job; other spellings are normalized first (`spellings.ts`). */
import { z } from 'zod';
import type { CronPayload } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { inertLine } from '../../../core/inert-line.ts';
import { THINKING_LEVELS } from '../../../core/turn.ts';
import { durationMs } from '../schedule/duration.ts';
import type { StoredJob } from '../store/entry.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';

const FURTHEST_MS = 8.64e15;
const TEXT_CHARACTERS = 100_000;

const instant = z.number().int().min(0).max(FURTHEST_MS);
const short = (characters: number) => z.string().trim().min(1).max(characters);
const text = z.string().max(TEXT_CHARACTERS);

const systemEvent = z.looseObject({ kind: z.literal('systemEvent'), text });
const agentTurn = z.looseObject({
  kind: z.literal('agentTurn'),
  message: text.refine((message) => message.trim() !== '', { error: 'must say what the agent should do' }),
  model: short(200).optional(),
  thinking: z.enum(THINKING_LEVELS).optional(),
  timeoutSeconds: z
    .number()
    .min(1)
    .max(7 * 86_400)
    .optional(),
  deliver: z.boolean().optional(),
  channel: short(64).toLowerCase().optional(),
  to: short(512).optional(),
  accountId: short(128).optional(),
  threadId: short(512).optional(),
  chatKind: z.enum(['direct', 'group', 'channel']).optional(),
  bestEffortDeliver: z.boolean().optional(),
});

const missed = z
  .looseObject({
    policy: z.enum(['skip', 'once', 'all']),
    maxAgeMs: z.number().int().min(1).max(FURTHEST_MS).optional(),
    maxAge: z
      .string()
      .refine((written) => durationMs(written) !== undefined, { error: 'must be a duration such as "24h"' })
      .optional(),
  })
  .transform(({ maxAge, maxAgeMs, policy }) => {
    const age = maxAgeMs ?? (maxAge === undefined ? undefined : durationMs(maxAge));
    return present({ policy, maxAgeMs: age });
  });

const chatAddress = z.looseObject({
  channel: short(64),
  accountId: short(128),
  chat: z.looseObject({ kind: z.enum(['direct', 'group', 'channel']), id: z.string().max(512) }),
  threadId: short(512).optional(),
});

/** Everything but the schedule, which has a reader of its own. */
const jobSchema = z.looseObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,127}$/, { error: 'must be letters, digits, dots, dashes and underscores' }),
  agentId: short(64).optional(),
  name: short(200),
  description: z.string().trim().max(2000).optional(),
  enabled: z.boolean().default(true),
  deleteAfterRun: z.boolean().optional(),
  createdAtMs: instant,
  updatedAtMs: instant,
  sessionTarget: z.union([z.enum(['main', 'isolated']), z.templateLiteral(['session:', z.string().min(1).max(512)])], {
    error: 'must be "main", "isolated", "current" or "session:<key>"',
  }),
  wakeMode: z.enum(['next-heartbeat', 'now']).default('next-heartbeat'),
  payload: z.discriminatedUnion('kind', [systemEvent, agentTurn], {
    error: 'must be {"kind":"systemEvent","text":…} or {"kind":"agentTurn","message":…}',
  }),
  isolation: z
    .looseObject({
      postToMainPrefix: z.string().max(200).optional(),
      postToMainMode: z.enum(['summary', 'full']).optional(),
      postToMainMaxChars: z.number().int().min(1).max(TEXT_CHARACTERS).optional(),
    })
    .optional(),
  missed: missed.optional(),
  owner: z
    .looseObject({
      sessionKey: short(512),
      senders: z.array(z.string().max(512)).max(100).optional(),
      address: chatAddress.optional(),
      trusted: z.literal(true).optional(),
    })
    .optional(),
});

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(jobSchema.shape), 'schedule', 'state']);
/** Nobody but us sets these. */
const OURS: readonly string[] = ['id', 'createdAtMs', 'updatedAtMs', 'state', 'owner'];
const PAYLOADS = { systemEvent: Object.keys(systemEvent.shape), agentTurn: Object.keys(agentTurn.shape) };

export type JobFields = Omit<StoredJob, 'schedule'>;

/** Throws `invalid` naming the field. `extra` are fields we do not know. */
export function checkFields(written: Readonly<Record<string, unknown>>): {
  readonly fields: JobFields;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
} {
  const { schedule: _schedule, state: _state, ...rest } = written;
  const checked = jobSchema.safeParse(rest);
  if (!checked.success) throw wrongField(checked.error);
  const extra = Object.fromEntries(Object.entries(checked.data).filter(([key]) => !KNOWN.has(key)));
  const fields = Object.fromEntries(
    Object.entries(checked.data).filter(([key]) => KNOWN.has(key)),
  ) as unknown as JobFields;
  checkKind(fields);
  return { fields, extra: Object.keys(extra).length > 0 ? extra : undefined };
}

/** What the conversation it runs in can take. */
function checkKind({ sessionTarget, payload }: JobFields): void {
  if (sessionTarget === 'main' && payload.kind !== 'systemEvent')
    throw new AppError('invalid', 'main cron jobs require payload.kind="systemEvent"');
  if (sessionTarget !== 'main' && payload.kind !== 'agentTurn')
    throw new AppError('invalid', 'isolated cron jobs require payload.kind="agentTurn"');
}

/**
 * Throws `invalid` for a field nobody reads: a slip of the pen must not go unnoticed. Not for what is already in the
 * file.
 */
export function refuseUnknown(written: Readonly<Record<string, unknown>>, kind: CronPayload['kind']): void {
  const stray = Object.keys(written).find((key) => !KNOWN.has(key));
  if (stray !== undefined)
    throw new AppError(
      'invalid',
      `A job has no field "${shown(stray)}". Its fields are ` +
        `${[...KNOWN].filter((key) => !OURS.includes(key)).join(', ')}.`,
    );
  const strayInside = Object.keys(written['payload'] ?? {}).find((key) => !PAYLOADS[kind].includes(key));
  if (strayInside !== undefined)
    throw new AppError(
      'invalid',
      `payload: a payload of the kind "${kind}" has no field "${shown(strayInside)}". Its fields are ` +
        `${PAYLOADS[kind].join(', ')}.`,
    );
}

const shown = (name: string): string => inertLine(head(name, 40));

function wrongField(error: z.ZodError): AppError {
  const issue = error.issues[0]!;
  const field = issue.path.map(String).join('.');
  return new AppError('invalid', `${shown(field || 'job')}: ${issue.message}.`, { cause: error });
}
