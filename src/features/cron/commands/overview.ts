/** `cron status|list|show|runs|next|calendar`: shows jobs, coming runs and results. */
import type { CronListResult, CronRunsResult, CronStatus, WireCronJob } from '../answers.ts';
import { AppError } from '../../../core/errors.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import { calendarText } from './calendar.ts';
import { jobIdOf } from './job-id.ts';
import { readingAt } from './reading.ts';
import { instant, jobsText, jobText, plannedText, relative, runsText, type Reading } from './text.ts';
import type { Call } from '../../../cli/command.ts';
import type { GatewayLink } from '../../../cli/gateway-link.ts';
import { present } from '../../../core/present.ts';

const USUAL = { jobs: 200, runs: 50, instants: 5, days: 7, calendar: 2000 };
const DAY_MS = 86_400_000;

/** 1 when the file of jobs cannot be used. */
export async function cronStatus(call: Call): Promise<number> {
  const { io, flags } = call;
  const link = await call.gateway();
  const status = await link.request<CronStatus>('cron.status', {});
  io.out(flags.has('json') ? JSON.stringify(status, null, 2) : statusText(status, await readingAt(link)));
  if (status.problem !== undefined && !flags.has('json')) io.err(visibleLine(status.problem));
  return status.problem === undefined ? 0 : 1;
}

function statusText(
  { enabled, storePath, jobs, enabledJobs, running, nextWakeAtMs }: CronStatus,
  here: Reading,
): string {
  return [
    `The scheduler is ${enabled ? 'on' : 'off (cron.enabled); no job runs on its own'}. ${jobs} ` +
      `job${jobs === 1 ? '' : 's'}, ${enabledJobs} of them enabled, ${running} running.`,
    ...(nextWakeAtMs === null
      ? []
      : [`Next run ${relative(nextWakeAtMs, here)}, ${instant(nextWakeAtMs, here)} ${here.zone}.`]),
    `Jobs file: ${storePath}.`,
  ].join('\n');
}

export async function cronList(call: Call): Promise<void> {
  const { io, flags } = call;
  const agentId = flags.text('agent');
  const link = await call.gateway();
  const answer = await link.request<CronListResult>(
    'cron.list',
    present({ includeDisabled: flags.has('all'), limit: flags.number('limit') ?? USUAL.jobs, agentId }),
  );
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  const here = await readingAt(link);
  io.out(jobsText(answer.jobs, here));
  if (here.off) io.err('warning: The scheduler is off (cron.enabled); no job runs on its own.');
  if (here.problem !== undefined) io.err(`warning: ${visibleLine(here.problem)}`);
  for (const { name, problem } of answer.jobs)
    if (problem !== undefined) io.err(`warning: ${visibleLine(name)}: ${visibleLine(problem)}`);
  if (answer.hasMore) io.err(`(${answer.total - answer.jobs.length} more; use --limit to show them)`);
}

export async function cronShow(call: Call): Promise<void> {
  const link = await call.gateway();
  const job = await link.request<WireCronJob>('cron.get', { id: await jobIdOf(link, call.args[0]!) });
  call.io.out(call.flags.has('json') ? JSON.stringify(job, null, 2) : jobText(job, await readingAt(link)));
}

export async function cronRuns(call: Call): Promise<void> {
  const { io, flags } = call;
  const link = await call.gateway();
  const named = flags.text('id');
  const id = named === undefined ? undefined : await pastIdOf(link, named);
  const answer = await link.request<CronRunsResult>(
    'cron.runs',
    present({ id, limit: flags.number('limit') ?? USUAL.runs }),
  );
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : runsText(answer.entries, await readingAt(link)));
}

/** The history of a job outlives it: an id nobody knows now may still have one. */
async function pastIdOf(link: GatewayLink, written: string): Promise<string> {
  try {
    return await jobIdOf(link, written);
  } catch (error) {
    const past =
      error instanceof AppError && error.code === 'not_found'
        ? await link.request<CronRunsResult>('cron.runs', { id: written, limit: 1 })
        : undefined;
    if (!past?.entries.length) throw error;
    return written;
  }
}

export async function cronNext(call: Call): Promise<void> {
  const { io, flags, args } = call;
  const zone = flags.text('tz');
  const schedule = zone === undefined ? args[0]! : `${args[0]!} (${zone})`;
  const link = await call.gateway();
  const answer = await link.request<Pick<WireCronJob, 'when' | 'zone' | 'nextRunsAtMs'>>('cron.preview', {
    schedule,
    count: flags.number('count') ?? USUAL.instants,
  });
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : plannedText(answer, await readingAt(link)));
}

export async function cronCalendar(call: Call): Promise<void> {
  const { io, flags } = call;
  const days = flags.number('days') ?? USUAL.days;
  if (!(days > 0)) throw new AppError('invalid', `--days is ${days}; give 1 or more.`);
  const link = await call.gateway();
  const here = await readingAt(link);
  const answer = await link.request<Parameters<typeof calendarText>[0]>('cron.calendar', {
    fromMs: here.now,
    toMs: Math.round(here.now + days * DAY_MS),
    limit: flags.number('limit') ?? USUAL.calendar,
  });
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : calendarText(answer, here));
}
