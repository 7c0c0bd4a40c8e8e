/** Parameters of `cron.*`. */
import { z } from 'zod';
import { count, noParams, positive, text } from '../../protocol/fields.ts';

/** Ids name files in older versions: nothing that could lead out of a folder. */
const jobId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^/\\\p{Cc}]+$/u, 'an id has no slashes and no control characters');
const named = {
  id: jobId.optional().describe('The job.'),
  jobId: jobId.optional().describe('Same as `id`; takes precedence.'),
};
const needsId = ({
  id,
  jobId: other,
}: {
  readonly id?: string | undefined;
  readonly jobId?: string | undefined;
}): boolean => (other ?? id) !== undefined;
const ID_MISSING = { path: ['jobId'], error: 'is required: the id of the job, as cron.list gives it' };

/** What a list may hold at once. */
export const MAX_JOBS = 1000;
/** Runs that one answer may hold. */
export const MAX_RUNS = 5000;
const agentId = text.max(64).optional();
const word = z.enum(['ok', 'error', 'skipped']);

/** `cron.status`: takes nothing. */
export const cronStatusParams = noParams;

/** `cron.list`: one page of jobs. */
export const cronListParams = z.strictObject({
  includeDisabled: z.boolean().optional().describe('Default false.'),
  enabled: z.enum(['all', 'enabled', 'disabled']).optional().describe('Replaces `includeDisabled`.'),
  agentId: agentId.describe('Only of this agent.'),
  query: z.string().max(200).optional().describe('Search in name, description, text and id.'),
  scheduleKind: z.enum(['all', 'at', 'every', 'cron', 'on-exit', 'stream']).optional(),
  lastRunStatus: z.enum(['all', 'ok', 'error', 'skipped', 'unknown']).optional(),
  trigger: z
    .enum(['all', 'conditional', 'unconditional'])
    .optional()
    .describe('Accepted; conditional jobs are not supported.'),
  sortBy: z.enum(['nextRunAtMs', 'updatedAtMs', 'name']).optional(),
  sortDir: z.enum(['asc', 'desc']).optional(),
  limit: positive.max(MAX_JOBS).optional().describe(`Maximum number of jobs. Default and maximum: ${MAX_JOBS}.`),
  offset: count.optional(),
  compact: z.boolean().optional().describe('Accepted; jobs are always complete.'),
  includeDeliveryPreviews: z.boolean().optional().describe('Accepted; see `delivery`.'),
});
/** What `cronListParams` reads. */
export type CronListParams = z.output<typeof cronListParams>;

/** `cron.get`: one job by its id. */
export const cronGetParams = z.strictObject(named).refine(needsId, ID_MISSING);

/** Loose: the service knows every spelling of a job, and names the field that is wrong. */
export const cronAddParams = z.looseObject({
  name: z.unknown().optional().describe('Default: the beginning of the text.'),
  schedule: z
    .unknown()
    .optional()
    .describe(
      '`{kind:"at",at}`, `{kind:"every",everyMs}`, `{kind:"cron",expr,tz?}`, or words: "tomorrow 9:00", ' +
        '"every weekday at 7".',
    ),
  sessionTarget: z.unknown().optional().describe('`main`, `isolated` or `session:<key>`.'),
  wakeMode: z.unknown().optional().describe('`next-heartbeat` or `now`.'),
  payload: z
    .unknown()
    .optional()
    .describe('`{kind:"systemEvent",text}` or `{kind:"agentTurn",message,model?,deliver?,channel?,to?,…}`.'),
  agentId: z.unknown().optional().describe('Default: the default agent.'),
  enabled: z.unknown().optional().describe('Default true.'),
  missed: z
    .unknown()
    .optional()
    .describe(
      '`{policy:"skip"|"once"|"all",maxAgeMs?}`: what happens to runs missed while the gateway was not running.',
    ),
});

/** `cron.update`: changes the named fields of a job. */
export const cronUpdateParams = z
  .strictObject({
    ...named,
    patch: z.looseObject({}).describe('Fields of the job; a payload of the same kind is merged.'),
    expectedConfigRevision: text.optional().describe('Fails with `conflict` if the job was changed since.'),
  })
  .refine(needsId, ID_MISSING);

/** `cron.run`: begins a run now; answered when it has begun, not when it is over. */
export const cronRunParams = z
  .strictObject({
    ...named,
    mode: z
      .enum(['due', 'force', 'if-enabled'])
      .optional()
      .describe('`due` (default): only if it is due; `force`: always; `if-enabled`: also if it is not due.'),
    expectedProcessInstanceId: text.optional().describe('Accepted; runs are identified by their due time.'),
  })
  .refine(needsId, ID_MISSING);

const delivered = z.enum(['delivered', 'not-delivered', 'unknown', 'not-requested']);
/** `cron.runs`: runs that are over, newest first unless asked otherwise. */
export const cronRunsParams = z.strictObject({
  ...named,
  scope: z.enum(['job', 'all']).optional().describe('`all`: of every job; the default without an id.'),
  agentId: agentId.describe('Only of jobs of this agent.'),
  runId: text.optional(),
  status: z.enum(['all', 'ok', 'error', 'skipped']).optional(),
  statuses: z.array(word).optional(),
  deliveryStatus: delivered.optional(),
  deliveryStatuses: z.array(delivered).optional(),
  query: z.string().max(200).optional().describe('Search in summary, error and id.'),
  limit: positive
    .max(MAX_RUNS)
    .optional()
    .describe(`Maximum number of newest runs. Default: 200, at most ${MAX_RUNS}.`),
  offset: count.optional().describe('Skip this many of the newest runs.'),
  sortDir: z.enum(['asc', 'desc']).optional().describe('`asc` (default): oldest first.'),
});
/** What `cronRunsParams` reads. */
export type CronRunsParams = z.output<typeof cronRunsParams>;

/** `cron.preview`: what a schedule means and when it is due, without making a job. */
export const cronPreviewParams = z.strictObject({
  schedule: z
    .union([text.max(200), z.number(), z.looseObject({})], {
      error: 'is required: words such as "every weekday at 7", or an object as in cron.add',
    })
    .describe('As in `cron.add`, including words.'),
  count: positive.max(100).optional().describe('Instants; default 3.'),
});

/** `cron.calendar`: coming runs of all enabled jobs, in order of time. */
export const cronCalendarParams = z.strictObject({
  fromMs: count.max(8.64e15).optional().describe('Milliseconds since the epoch. Default: now.'),
  toMs: count.max(8.64e15).optional().describe('Default: one week later; at most 400 days.'),
  limit: positive.max(2000).optional().describe('Runs; default 500.'),
});
