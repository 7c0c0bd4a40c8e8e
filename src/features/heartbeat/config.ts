/**
 * The configuration of heartbeats: interval, hours, target and visibility, and the effective settings of an agent and a
 * chat.
 */
import { z } from 'zod';
import { isZone } from '../../platform/time-zone.ts';

/** Keys other parts of the product family use; kept so that their files load without a warning, read by nobody here. */
const familyKeys = [
  'lightContext',
  'isolatedSession',
  'directPolicy',
  'suppressToolErrorWarnings',
  'includeSystemPromptSection',
  'timeoutSeconds',
  'skipWhenBusy',
] as const;
const accepted = Object.fromEntries(
  familyKeys.map((key) => [key, z.unknown().optional().describe('Accepted; no part of this version reads it.')]),
) as { [K in (typeof familyKeys)[number]]: z.ZodOptional<z.ZodUnknown> };

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PARTS = /(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)/g;

/** `30m`, `1h30m`, `90s` → milliseconds; a bare number is minutes. Undefined: it is no duration. */
export function minutesOrSpan(written: string | number): number | undefined {
  const text = String(written).trim().toLowerCase();
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) return Math.round(Number(text) * UNITS.m);
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h|d)){1,5}$/.test(text)) return undefined;
  return Math.round(
    [...text.matchAll(PARTS)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit as keyof typeof UNITS],
      0,
    ),
  );
}

/** `HH:MM` → minutes of the day; `24:00` is the end of it. Undefined: it is no time. */
export function minuteOfDay(written: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(written.trim()) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && total <= 24 * 60 ? total : undefined;
}

const timeOfDay = z
  .string()
  .refine((text) => minuteOfDay(text) !== undefined, { error: 'must be a time like 08:00, at most 24:00' });

const activeHours = z.object({
  start: timeOfDay.default('00:00').describe('Start time, `HH:MM`.'),
  end: timeOfDay
    .default('24:00')
    .describe('End time, exclusive. Earlier than `start`: the next day. Equal to `start`: all day.'),
  timezone: z
    .string()
    .refine((name) => ['user', 'local'].includes(name) || isZone(name), {
      error: 'must be `user`, `local` or an IANA zone like Europe/Berlin',
    })
    .default('user')
    .describe('Time zone of both times: `user` (userTimezone), `local` (this machine), or an IANA zone.'),
});
export type ActiveHours = z.output<typeof activeHours>;

const every = z.union([z.string(), z.number()]).refine((text) => minutesOrSpan(text) !== undefined, {
  error: 'must be a duration like 30m, 1h or 0m (off); a bare number is minutes',
});

/**
 * Under `agents.defaults` and `agents.list[]`. No defaults: what an agent leaves out comes from
 * `agents.defaults.heartbeat`.
 */
export const heartbeatSchema = z.object({
  every: every
    .optional()
    .describe(
      'Interval of the checks: `30m`, `2h`, or a number of minutes; ' +
        '`0m`: never. At least one second. Default: 30m.',
    ),
  activeHours: activeHours.optional().describe('Hours in which heartbeats and wakes run. Absent: always.'),
  session: z.string().min(1).optional().describe('Session that heartbeats run in. Absent: the main session.'),
  target: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where to send reports: `last` (the chat that last wrote to the session), `none`, or a channel ' +
        'id. Default `last`.',
    ),
  to: z.string().min(1).optional().describe('Target chat on that channel, in the format of the channel.'),
  accountId: z.string().min(1).optional().describe('Account of that channel to send from.'),
  model: z.string().min(1).optional().describe('`provider/model` or an alias. Absent: the model of the session.'),
  prompt: z.string().min(1).optional().describe('Prompt to use in place of the built-in one.'),
  ackMaxChars: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'Maximum number of characters besides HEARTBEAT_OK that still count as "nothing to report". Default: 300.',
    ),
  includeReasoning: z.boolean().optional().describe('Also send the reasoning of the model. Default: false.'),
  ...accepted,
});
export type HeartbeatConfig = z.output<typeof heartbeatSchema>;

/** What is in force for one agent. */
export interface HeartbeatSettings {
  /** Null: it does not look by itself. */
  readonly everyMs: number | null;
  readonly activeHours: ActiveHours | undefined;
  readonly session: string | undefined;
  readonly target: string;
  readonly to: string | undefined;
  readonly accountId: string | undefined;
  readonly model: string | undefined;
  readonly prompt: string | undefined;
  readonly ackMaxChars: number;
  readonly includeReasoning: boolean;
}

/** More often makes no sense whatever is looked at. */
const LEAST_MS = 1000;

/** An agent's own keys over the general ones over the built-in ones. */
export function heartbeatSettings(defaults: HeartbeatConfig = {}, own: HeartbeatConfig = {}): HeartbeatSettings {
  const of = <K extends keyof HeartbeatConfig>(key: K): HeartbeatConfig[K] => own[key] ?? defaults[key];
  const everyMs = minutesOrSpan(of('every') ?? '30m') ?? 0;
  return {
    everyMs: everyMs > 0 ? Math.max(LEAST_MS, everyMs) : null,
    activeHours: of('activeHours'),
    session: of('session'),
    target: of('target')?.trim().toLowerCase() || 'last',
    to: of('to'),
    accountId: of('accountId'),
    model: of('model'),
    prompt: of('prompt'),
    ackMaxChars: of('ackMaxChars') ?? 300,
    includeReasoning: of('includeReasoning') ?? false,
  };
}
