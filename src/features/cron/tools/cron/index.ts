/** `cron`: schedules jobs (reminders, reports, regular checks), and wakes the agent. */
import { z } from 'zod';
import {
  AppError,
  defineTool,
  errorResult,
  gatewayParameters,
  rpcOf,
  type ToolResult,
  present,
} from '../../../../sdk/index.ts';
import { jobOf } from './job-input.ts';
import { reportJob, reportJobs, reportRuns, reportStatus, reportStarted, jsonResult } from './report-cron.ts';

const ACTIONS = ['status', 'list', 'add', 'update', 'remove', 'run', 'runs', 'wake'] as const;
const MODES = ['now', 'next-heartbeat'] as const;
const MAX_CONTEXT = 10;

const input = z.looseObject({
  action: z
    .enum(ACTIONS)
    .describe(
      'What to do. add needs job; update needs jobId and patch; remove, run and runs need jobId; wake needs text',
    ),
  job: z
    .looseObject({})
    .optional()
    .describe(
      'add: {name, schedule, sessionTarget, wakeMode, payload}. schedule: words ("in 20 minutes", "tomorrow ' +
        '9:00", "every weekday at 7", "every 2 hours"), {kind:"at",at:"2026-03-01T09:00:00+01:00"}, ' +
        '{kind:"every",everyMs:3600000} or {kind:"cron",expr:"0 7 * * 1-5",tz:"Europe/Berlin"}. ' +
        ('payload: {kind:"agentTurn",message} with optional model, thinking, timeoutSeconds, deliver ' +
          '(true/false), channel, to, threadId. sessionTarget "main" takes {kind:"systemEvent",text} instead. ' +
          'Also: enabled, deleteAfterRun, description, missed {policy:"skip"|"once"|"all"}'),
    ),
  jobId: z.string().optional().describe('Job id, from add or list'),
  patch: z
    .looseObject({})
    .optional()
    .describe('update: only the fields to change, e.g. {"enabled":false} or {"schedule":"every day at 8"}'),
  includeDisabled: z.boolean().optional().describe('list: include disabled and completed jobs'),
  text: z.string().optional().describe('wake: text for the agent'),
  mode: z.enum(MODES).optional().describe('wake: now, or with the next heartbeat (default)'),
  contextMessages: z
    .number()
    .optional()
    .describe('add, with a systemEvent: this many of the newest messages go along, 0 to 10 (default 0)'),
  limit: z.number().optional().describe('runs: how many of the newest (default 20)'),
  ...gatewayParameters,
});
type CronInput = z.output<typeof input>;

type Rpc = ReturnType<typeof rpcOf>;
type Action = (input: CronInput, rpc: Rpc) => Promise<ToolResult>;

export default defineTool<CronInput>({
  name: 'cron',
  summary: 'Schedule jobs (reminders, reports, regular checks); list, change and run them',
  does: [
    ['read', 'job'],
    ['aim', 'job'],
  ],
  description: [
    'Schedules and manages jobs. The turn of a job knows only its message: ' +
      'put everything it needs into the message. Schedules may be words, in the time zone of the person. ' +
      'Examples of add:',
    'remind once: {"schedule":"in 20 ' +
      'minutes","sessionTarget":"current","wakeMode":"now","payload":{"kind":"agentTurn","message":"Reminder: ' +
      'stretch"}}',
    'every weekday: {"name":"Plan","schedule":"every weekday at ' +
      '7:00","sessionTarget":"current","payload":{"kind":"agentTurn","message":"Say what is planned today"}}',
    'a report elsewhere: {"name":"News","schedule":"every day at ' +
      '18:00","sessionTarget":"isolated","payload":{"kind":"agentTurn","message":"Sum up the ' +
      'news","deliver":true,"channel":"telegram","to":"12345"}}',
    'sessionTarget: current = this conversation, with its history; isolated = a fresh one for each run; main ' +
      '= a note for the main conversation. Without channel and to, answers come back to this chat.',
  ].join('\n'),
  aliases: { id: 'jobId', job_id: 'jobId', include_disabled: 'includeDisabled', context_messages: 'contextMessages' },
  input,
  async run(input, ctx) {
    ctx.signal.throwIfAborted();
    return ACTION[input.action](input, rpcOf(ctx, input));
  },
});

const ACTION: Readonly<Record<CronInput['action'], Action>> = {
  status: async (_input, rpc) => reportStatus(await rpc('cron.status', {})),
  list: async ({ includeDisabled = false }, rpc) => reportJobs(await rpc('cron.list', { includeDisabled })),
  async add(input, rpc) {
    const job = jobOf(input, input.job);
    if (!job)
      return errorResult(
        'job required: an object with schedule and payload, e.g. {"schedule":"in 20 ' +
          'minutes","sessionTarget":"current","payload":{"kind":"agentTurn","message":"Reminder: stretch"}}.',
      );
    const context = contextRequest(input);
    const added = await rpc('cron.add', context === 0 ? job : { job, contextMessages: context });
    return reportJob('Planned', added, await isOff(rpc));
  },
  update: (input, rpc) =>
    named(input, async (id) => {
      const patch = jobOf(input, input.patch ?? input.job);
      if (!patch) return errorResult('patch required: an object with the fields to change, e.g. {"enabled":false}.');
      const changed = await rpc('cron.update', { id, patch });
      return reportJob('Changed', changed, await isOff(rpc));
    }),
  remove: (input, rpc) =>
    named(input, async (id) => {
      const answer = await rpc('cron.remove', { id });
      const { removed } = answer as { readonly removed?: boolean };
      return removed === false
        ? errorResult(`Unknown job ${id}.`, answer)
        : jsonResult({ ok: true, removed: id }, answer);
    }),
  run: (input, rpc) => named(input, async (id) => reportStarted(id, await rpc('cron.run', { id, mode: 'force' }))),
  runs: (input, rpc) =>
    named(input, async (id) =>
      reportRuns(
        await rpc(
          'cron.runs',
          present({ id, limit: input.limit !== undefined ? Math.max(1, Math.trunc(input.limit)) : undefined }),
        ),
      ),
    ),
  async wake({ text, mode = 'next-heartbeat' }, rpc) {
    if (!text?.trim()) return errorResult('text required: the text for the agent.');
    return jsonResult({ ok: true, mode }, await rpc('wake', { text: text.trim(), mode }));
  },
};

/** The scheduler as a whole; what is planned waits until it is on again. */
async function isOff(rpc: Rpc): Promise<boolean> {
  try {
    return ((await rpc('cron.status', {})) as { readonly enabled?: boolean } | undefined)?.enabled === false;
  } catch (error) {
    if (error instanceof AppError) return false; // the job is kept all the same
    throw error;
  }
}

/** Another gateway does not know this conversation. */
const contextRequest = ({ contextMessages = 0, gatewayUrl }: CronInput): number =>
  gatewayUrl?.trim() ? 0 : Math.min(MAX_CONTEXT, Math.max(0, Math.trunc(contextMessages)));

async function named({ jobId, action }: CronInput, act: (id: string) => Promise<ToolResult>): Promise<ToolResult> {
  const id = jobId?.trim();
  return id ? act(id) : errorResult(`jobId required for ${action}; action "list" lists the jobs.`);
}
