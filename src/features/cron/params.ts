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
  jobId: jobId.optional().describe('The same; counts when both are given.'),
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
  enabled: z
    .enum(['all', 'enabled', 'disabled'])
    .optional()
    .describe('Says more than `includeDisabled`, and counts before it.'),
  agentId: agentId.describe('Only of this agent.'),
  query: z.string().max(200).optional().describe('In name, description, text or id.'),
  scheduleKind: z.enum(['all', 'at', 'every', 'cron', 'on-exit', 'stream']).optional(),
  lastRunStatus: z.enum(['all', 'ok', 'error', 'skipped', 'unknown']).optional(),
  trigger: z
    .enum(['all', 'conditional', 'unconditional'])
    .optional()
    .describe('Jobs with a condition do not exist here.'),
  sortBy: z.enum(['nextRunAtMs', 'updatedAtMs', 'name']).optional(),
  sortDir: z.enum(['asc', 'desc']).optional(),
  limit: positive.max(MAX_JOBS).optional().describe(`Jobs; default and most ${MAX_JOBS}.`),
  offset: count.optional(),
  compact: z.boolean().optional().describe('Accepted; jobs are always whole.'),
  includeDeliveryPreviews: z.boolean().optional().describe('Accepted; `delivery` says it.'),
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
    .describe('`{policy:"skip"|"once"|"all",maxAgeMs?}`: what becomes of instants nobody was there for.'),
});

/** `cron.update`: changes the named fields of a job. */
export const cronUpdateParams = z
  .strictObject({
    ...named,
    patch: z.looseObject({}).describe('Fields of the job; a payload of the same kind is merged.'),
    expectedConfigRevision: text.optional().describe('Refuses with `conflict` when the job was changed since.'),
  })
  .refine(needsId, ID_MISSING);

/** `cron.run`: begins a run now; answered when it has begun, not when it is over. */
export const cronRunParams = z
  .strictObject({
    ...named,
    mode: z
      .enum(['due', 'force', 'if-enabled'])
      .optional()
      .describe('`due` (default): only when it is due; `force`: in any case; `if-enabled`: also when it is not due.'),
    expectedProcessInstanceId: text.optional().describe('Accepted; runs are told apart by their instant.'),
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
  query: z.string().max(200).optional().describe('In summary, error or id.'),
  limit: positive.max(MAX_RUNS).optional().describe(`The newest so many; default 200, at most ${MAX_RUNS}.`),
  offset: count.optional().describe('Skips so many of the newest.'),
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
    .describe('As in `cron.add`; words too.'),
  count: positive.max(100).optional().describe('Instants; default 3.'),
});

/** `cron.calendar`: coming runs of all enabled jobs, in order of time. */
export const cronCalendarParams = z.strictObject({
  fromMs: count.max(8.64e15).optional().describe('Milliseconds since the epoch; default now.'),
  toMs: count.max(8.64e15).optional().describe('Default a week later; at most 400 days.'),
  limit: positive.max(2000).optional().describe('Runs; default 500.'),
});
