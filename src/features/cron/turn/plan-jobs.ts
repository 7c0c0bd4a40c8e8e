/** Adds and changes jobs for a turn, within its limits and the maximum number of jobs. */
import type { CronJobView } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { normaliseAgentId } from '../../../core/session-key.ts';
import { MAX_CONTEXT_LINES, withContext } from './context.ts';
import { readCronRequest, type CronRequest, type PayloadRequest } from './request.ts';
import type { Params, TurnJob, TurnJobs, TurnJobsDeps } from './turn-jobs.ts';
import { changedWork, newWork } from './work.ts';

/** Of people who may not configure. */
const MAX_JOBS = 50;
const LEAST_PERIOD_MS = 60_000;
/** Instants that are looked at for it. */
const MAX_SHOWN = 20;

export async function addJob(
  { contextMessages, ...params }: Params,
  jobs: TurnJobs,
  deps: TurnJobsDeps,
): Promise<TurnJob> {
  const { bounds, home, shown } = jobs;
  const { agentId } = deps.turn.route;
  const request = readCronRequest(params);
  if (!request.payload?.text?.trim())
    throw new AppError('invalid', 'job.payload: is required: {kind:"agentTurn",message} or {kind:"systemEvent",text}.');
  const whose = requestedAgent(request, deps);
  const payload = await remembered(request.payload, contextMessages, deps);
  const work = newWork({ ...request, payload }, bounds);
  await sparing(request, 'new', jobs, deps);
  const owner = bounds.owner(await home());
  return shown(await deps.cron.add({ ...request.fields, ...whose, ...work }, { agentId, owner }));
}

export async function updateJob({ patch, ...params }: Params, jobs: TurnJobs, deps: TurnJobsDeps): Promise<TurnJob> {
  const job = await jobs.found(params);
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw new AppError('invalid', 'patch required: an object with the fields to change.');
  const request = readCronRequest(patch as Params);
  refuseDeepChange(job, request, jobs);
  await sparing(request, 'changed', jobs, deps);
  const work = { ...requestedAgent(request, deps), ...changedWork(job, request, jobs.bounds) };
  return jobs.shown(await deps.cron.update(job.id, { ...request.fields, ...work }));
}

/** When it runs and whether may be changed by whoever sees it; what it does only by those whose it could be. */
function refuseDeepChange(job: CronJobView, request: CronRequest, { bounds }: TurnJobs): void {
  const { payload, delivery, sessionTarget, agentId, fields } = request;
  const deep = payload ?? delivery ?? sessionTarget ?? agentId ?? fields['isolation'] ?? fields['name'];
  if (deep !== undefined && !bounds.covers(job))
    throw new AppError(
      'denied',
      `Only the owner of job ${job.id} may change its task, target and name; ` +
        'here you may change schedule and enabled.',
    );
}

/** Its own agent's, unless it says so; null stays null. Another agent's work is not a turn's to plan. */
function requestedAgent(
  { agentId: requested }: CronRequest,
  { turn, defaultAgentId }: TurnJobsDeps,
): { readonly agentId?: string | null } {
  const { agentId } = turn.route;
  if (requested === undefined) return {};
  const named = requested === null ? defaultAgentId() : normaliseAgentId(requested);
  if (named !== agentId) throw new AppError('denied', `Jobs can be added only for this agent ("${agentId}").`);
  return { agentId: requested === null ? null : named };
}

/** Reminders are read without the conversation that asked for them. */
async function remembered(
  said: PayloadRequest,
  requested: unknown,
  { turn, conversations }: TurnJobsDeps,
): Promise<PayloadRequest> {
  const count = Math.min(MAX_CONTEXT_LINES, Math.max(0, Math.trunc(Number(requested) || 0)));
  if (count === 0 || (said.kind ?? said.likely) === 'agentTurn' || said.text === undefined) return said;
  return { ...said, text: withContext(said.text, await conversations.lines(turn.route.sessionKey, count)) };
}

/** Work without an end costs money: others than the owner get so much of it, and so often. */
async function sparing(
  { fields }: CronRequest,
  what: 'new' | 'changed',
  { bounds, home }: TurnJobs,
  { cron }: TurnJobsDeps,
): Promise<void> {
  if (bounds.free) return;
  if (
    what === 'new' &&
    (await cron.list({ includeDisabled: true, ownerSessionKey: await home(), limit: 1 })).total >= MAX_JOBS
  )
    throw new AppError('denied', `This conversation has reached the limit of ${MAX_JOBS} jobs; remove some first.`);
  if (fields['schedule'] === undefined) return;
  const { nextRunsAtMs } = await cron.preview(fields['schedule'], MAX_SHOWN);
  if (nextRunsAtMs.some((at, n) => n > 0 && at - nextRunsAtMs[n - 1]! < LEAST_PERIOD_MS))
    throw new AppError('denied', 'job.schedule: runs more than once a minute, which only the owner may request.');
}
