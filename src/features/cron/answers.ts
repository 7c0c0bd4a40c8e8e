/** Scheduled jobs and their runs: the documented fields beside those of the published protocol. */
import { z } from 'zod';
import { THINKING_LEVELS } from '../../core/turn.ts';
import { chatKind, instant, list, text } from '../../protocol/answers/shapes.ts';

const word = z.enum(['ok', 'error', 'skipped']);

/** `at` as published; the documented `atMs` stands beside it. */
const schedule = z.union([
  z.strictObject({ kind: z.literal('at'), atMs: instant, at: text.exactOptional() }),
  z.strictObject({ kind: z.literal('every'), everyMs: z.number(), anchorMs: instant.exactOptional() }),
  z.strictObject({
    kind: z.literal('cron'),
    expr: text,
    tz: text.exactOptional().describe("IANA zone; absent: the gateway's machine."),
    staggerMs: z.number().exactOptional(),
  }),
]);
/** When a job is due. */
export type WireCronSchedule = z.output<typeof schedule>;

const payload = z.union([
  z.strictObject({ kind: z.literal('systemEvent'), text }),
  z.strictObject({
    kind: z.literal('agentTurn'),
    message: text,
    model: text.exactOptional(),
    thinking: z.enum(THINKING_LEVELS).exactOptional(),
    timeoutSeconds: z.number().exactOptional(),
    deliver: z.boolean().exactOptional(),
    channel: text.exactOptional(),
    to: text.exactOptional(),
    accountId: text.exactOptional(),
    threadId: text.exactOptional(),
    chatKind: chatKind.exactOptional(),
    bestEffortDeliver: z.boolean().exactOptional(),
  }),
]);

/** Where the answer of an isolated run goes, in the words of the published protocol; `payload` says the same. */
const delivery = z.strictObject({
  mode: z.enum(['none', 'announce']),
  channel: text.exactOptional(),
  to: text.exactOptional(),
  accountId: text.exactOptional(),
  threadId: text.exactOptional(),
  bestEffort: z.boolean().exactOptional(),
});
/** Where a job's answer goes. */
export type WireCronDelivery = z.output<typeof delivery>;

const job = z.strictObject({
  id: text,
  agentId: text.exactOptional(),
  name: text,
  description: text.exactOptional(),
  enabled: z.boolean(),
  deleteAfterRun: z.boolean().exactOptional(),
  createdAtMs: instant,
  updatedAtMs: instant,
  schedule,
  sessionTarget: z.custom<'main' | 'isolated' | `session:${string}`>(
    (target) => typeof target === 'string' && /^(main|isolated|session:.*)$/s.test(target),
  ),
  wakeMode: z.enum(['next-heartbeat', 'now']),
  payload,
  isolation: z
    .strictObject({
      postToMainPrefix: text.exactOptional(),
      postToMainMode: z.enum(['summary', 'full']).exactOptional(),
      postToMainMaxChars: z.number().exactOptional(),
    })
    .exactOptional(),
  missed: z
    .strictObject({ policy: z.enum(['skip', 'once', 'all']), maxAgeMs: z.number().exactOptional() })
    .exactOptional()
    .describe('What happens to runs missed while the gateway was not running.'),
  owner: z.strictObject({ sessionKey: text }).exactOptional(),
  delivery: delivery.exactOptional(),
  state: z.strictObject({
    nextRunAtMs: instant.exactOptional(),
    runningAtMs: instant.exactOptional(),
    lastRunAtMs: instant.exactOptional(),
    lastStatus: word.exactOptional(),
    lastRunStatus: word.exactOptional(),
    lastError: text.exactOptional(),
    lastDurationMs: z.number().exactOptional(),
    consecutiveErrors: z.number().exactOptional(),
    disabledReason: text.exactOptional(),
  }),
  when: text.describe('Its schedule in words, e.g. `every weekday at 07:00 (Europe/Berlin)`.'),
  zone: text.exactOptional().describe('IANA time zone of the schedule in words; absent if the schedule is invalid.'),
  nextRunsAtMs: list(instant).describe(
    'The next three runs; none if disabled or completed. In long lists only the first.',
  ),
  problem: text.exactOptional().describe('Why the job cannot run, and what to do.'),
  configRevision: text.describe('Changes with every change of the job.'),
  nextRunAtMs: instant.exactOptional(),
  lastRunAtMs: instant.exactOptional(),
  lastRunStatus: word.exactOptional(),
  lastRunError: text.exactOptional(),
});
/** A job on the wire; durations and instants are milliseconds. */
export type WireCronJob = z.output<typeof job>;

const run = z.strictObject({
  ts: instant.describe('When it ended.'),
  jobId: text,
  jobName: text.exactOptional(),
  action: z.literal('finished'),
  status: word,
  error: text.exactOptional(),
  summary: text.exactOptional(),
  runAtMs: instant.describe('When it began.'),
  durationMs: z.number(),
  nextRunAtMs: instant.exactOptional(),
  deliveryStatus: z.enum(['delivered', 'not-delivered', 'unknown', 'not-requested']).exactOptional(),
  deliveryError: text.exactOptional(),
  delivered: z.boolean().exactOptional(),
  delivery: z
    .strictObject({ intended: z.strictObject({ channel: text.exactOptional(), to: text.exactOptional() }) })
    .exactOptional(),
  sessionKey: text.exactOptional(),
  sessionId: text.exactOptional(),
  runId: text,
  slotMs: instant.describe('Time the run was due.'),
  attempt: z.number(),
  trigger: z.enum(['schedule', 'catch-up', 'retry', 'manual']),
});
/** One run of a job. */
export type WireCronRun = z.output<typeof run>;

const status = z.strictObject({
  enabled: z.boolean(),
  storePath: text.describe('Absolute path of `jobs.json`.'),
  jobs: z.number(),
  enabledJobs: z.number(),
  running: z.number(),
  nextWakeAtMs: instant.nullable(),
  zone: text.describe('IANA time zone of displayed times.'),
  problem: text.exactOptional().describe('Problem of the file; changes are rejected until it is fixed.'),
});
/** Answer of `cron.status`. */
export type CronStatus = z.output<typeof status>;

const page = {
  total: z.number(),
  offset: z.number(),
  limit: z.number(),
  hasMore: z.boolean(),
  nextOffset: z.number().nullable(),
};
const jobs = z.strictObject({ jobs: list(job), ...page });
/** The answer to `cron.list`; `nextOffset` is null on the last page. */
export type CronListResult = z.output<typeof jobs>;
const runs = z.strictObject({ entries: list(run), ...page });
/** The answer to `cron.runs`; `nextOffset` is null on the last page. */
export type CronRunsResult = z.output<typeof runs>;

/** `enqueued`: begun; it goes on after the answer. */
const begun = z.strictObject({
  ok: z.literal(true),
  ran: z.boolean(),
  enqueued: z.boolean(),
  runId: text.exactOptional(),
  reason: z.enum(['not-due', 'already-running', 'disabled']).exactOptional(),
});
/** Answer of `cron.run`. */
export type CronRunResult = z.output<typeof begun>;

const preview = z.strictObject({
  schedule,
  when: text,
  zone: text.exactOptional(),
  nextRunsAtMs: list(instant),
});
const calendar = z.strictObject({
  fromMs: instant,
  toMs: instant,
  runs: list(z.strictObject({ jobId: text, name: text, atMs: instant })),
  more: z.boolean().describe('There are more runs.'),
});

/** Answers of the methods about scheduled jobs. */
export const answers = {
  'cron.status': status,
  'cron.list': jobs,
  'cron.get': job,
  'cron.add': job,
  'cron.update': job,
  'cron.remove': z.strictObject({ ok: z.literal(true), removed: z.boolean() }),
  'cron.run': begun,
  'cron.runs': runs,
  'cron.preview': preview,
  'cron.calendar': calendar,
};

/** A job came, changed, went, began or ended. */
const news = z.union([
  z.strictObject({ action: z.enum(['added', 'updated']), jobId: text, nextRunAtMs: instant.exactOptional() }),
  z.strictObject({ action: z.literal('removed'), jobId: text }),
  z.strictObject({ action: z.literal('started'), jobId: text, runAtMs: instant }),
  run,
]);
/** Payload of the `cron` event. */
export const payloads = { cron: news };
/** Payload of the `cron` event. */
export type CronEvent = z.output<typeof news>;

type Answered = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };
type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends Answered {}
  interface FeatureEvents extends Payloads {}
}
