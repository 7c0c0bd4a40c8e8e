/** Cron jobs and runs in the format of the protocol. Pure. */
import { cronRunId, type CronJob, type CronJobView, type CronNews, type CronPayload } from './cron-job.ts';
import type { CronDelivery, CronRun } from './ledger-rows.ts';
import { present } from '../../core/present.ts';
import type { CronEvent, WireCronDelivery, WireCronJob, WireCronRun, WireCronSchedule } from './answers.ts';

/** Who asked for a job is nobody's business but the gateway's: of its owner only the session is shown. */
export function wireJob({ schedule, owner, state, ...job }: CronJobView): WireCronJob {
  const { lastStatus, nextRunAtMs, lastRunAtMs, lastError } = state;
  const delivery = deliveryOf(job.payload);
  return {
    ...job,
    schedule: wireSchedule(schedule),
    configRevision: String(job.updatedAtMs),
    ...present({ delivery, owner: owner ? { sessionKey: owner.sessionKey } : undefined }),
    state: { ...state, ...present({ lastRunStatus: lastStatus }) },
    ...present({ nextRunAtMs, lastRunAtMs, lastRunStatus: lastStatus, lastRunError: lastError }),
  };
}

/** The farthest instant a date can hold, in milliseconds. */
const FARTHEST = 8.64e15;

/** A job edited by hand may hold anything as its instant, or nothing. */
function wireSchedule(schedule: CronJob['schedule']): WireCronSchedule {
  if (schedule?.kind !== 'at') return schedule;
  const { atMs } = schedule;
  return Number.isFinite(atMs) && Math.abs(atMs) <= FARTHEST
    ? { ...schedule, at: new Date(atMs).toISOString() }
    : schedule;
}

function deliveryOf(payload: CronPayload): WireCronDelivery | undefined {
  if (payload?.kind !== 'agentTurn') return undefined;
  const { deliver, channel, to, accountId, threadId, bestEffortDeliver } = payload;
  if (!(deliver ?? to !== undefined)) return { mode: 'none' };
  return present({
    mode: 'announce',
    channel: channel ?? 'last',
    to: to || undefined,
    accountId: accountId || undefined,
    threadId: threadId || undefined,
    bestEffort: bestEffortDeliver,
  });
}

/** Undefined while it has not ended. */
export function wireRun(
  run: CronRun,
  { jobName, nextRunAtMs }: { readonly jobName?: string | undefined; readonly nextRunAtMs?: number | undefined } = {},
): WireCronRun | undefined {
  const {
    jobId,
    slotMs,
    attempt,
    trigger,
    state,
    startedAtMs,
    endedAtMs = startedAtMs,
    error,
    summary,
    delivery,
    sessionKey,
    sessionId,
  } = run;
  if (state === 'running') return undefined;
  return {
    ts: endedAtMs,
    jobId,
    action: 'finished',
    status: state,
    runAtMs: startedAtMs,
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    runId: cronRunId(run),
    slotMs,
    attempt,
    trigger,
    ...present({ jobName: jobName || undefined, error, summary, nextRunAtMs }),
    ...(delivery && wireDelivered(delivery)),
    ...present({ sessionKey: sessionKey || undefined, sessionId: sessionId || undefined }),
  };
}

/** What still waits in the outbox is neither here nor there. */
function wireDelivered({
  status,
  channel,
  to,
  error,
}: CronDelivery): Pick<WireCronRun, 'deliveryStatus' | 'deliveryError' | 'delivered' | 'delivery'> {
  return {
    deliveryStatus: status === 'pending' ? 'unknown' : status,
    ...present({
      deliveryError: error,
      delivered: status === 'delivered' || status === 'not-delivered' ? status === 'delivered' : undefined,
      delivery: channel !== undefined || to !== undefined ? { intended: present({ channel, to }) } : undefined,
    }),
  };
}

/** Undefined for what nobody needs to hear of. */
export function wireNews(news: CronNews, jobName?: string): CronEvent | undefined {
  return news.action === 'finished' ? wireRun(news.run, { jobName, nextRunAtMs: news.nextRunAtMs }) : news;
}
