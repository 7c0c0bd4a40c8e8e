/** Jobs a turn makes and changes: within what its people may ask for, and so many of them, so often. */
import { AppError } from '../../../core/errors.ts';
import { normaliseAgentId } from '../../../core/session-key.ts';
import type { CronBounds } from './bounds.ts';
import { MAX_CONTEXT_LINES, withContext } from './context.ts';
import type { Params, TurnJob, TurnJobs, TurnMethodsDeps } from './turn-jobs.ts';
import { readCronWish, type CronWish, type PayloadWish } from './wish.ts';
import { changedWork, newWork } from './work.ts';

/** What planning works with. */
export interface Planning {
  readonly deps: TurnMethodsDeps;
  readonly bounds: CronBounds;
  readonly jobs: TurnJobs;
}

/** Of people who may not configure. */
const MAX_JOBS = 50;
const LEAST_PERIOD_MS = 60_000;
/** Instants that are looked at for it. */
const LOOKED_AT = 20;

export async function addJob(planning: Planning, { contextMessages, ...params }: Params): Promise<TurnJob> {
  const { deps, bounds, jobs } = planning;
  const wish = readCronWish(params);
  if (!wish.payload?.text?.trim())
    throw new AppError('invalid', 'job.payload: is required: {kind:"agentTurn",message} or {kind:"systemEvent",text}.');
  const whose = agentWished(deps, wish);
  const payload = await remembered(deps, wish.payload, contextMessages);
  const work = newWork({ ...wish, payload }, bounds);
  await sparing(planning, wish, 'new');
  const by = { agentId: deps.turn.route.agentId, owner: bounds.owner(await jobs.home()) };
  return jobs.shown(await deps.cron.add({ ...wish.fields, ...whose, ...work }, by));
}

export async function changeJob(planning: Planning, { patch, ...params }: Params): Promise<TurnJob> {
  const { deps, bounds, jobs } = planning;
  const job = await jobs.named(params);
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw new AppError('invalid', 'patch required: an object with the fields to change.');
  const wish = readCronWish(patch);
  if (changesWork(wish) && !bounds.covers(job)) {
    const owners = `What job ${job.id} does, where it goes and what it is called may be changed by its owner only`;
    throw new AppError('denied', `${owners}; schedule and enabled may be changed here.`);
  }
  await sparing(planning, wish, 'changed');
  const changed = { ...wish.fields, ...agentWished(deps, wish), ...changedWork(job, wish, bounds) };
  return jobs.shown(await deps.cron.update(job.id, changed));
}

/** More of the job changes than when it runs. */
function changesWork({ payload, delivery, sessionTarget, agentId, fields }: CronWish): boolean {
  return (payload ?? delivery ?? sessionTarget ?? agentId ?? fields['isolation'] ?? fields['name']) !== undefined;
}

/** Its own agent's, unless it says so; null stays null. Another agent's work is not a turn's to plan. */
function agentWished(
  { turn, defaultAgentId }: TurnMethodsDeps,
  { agentId: wished }: CronWish,
): { readonly agentId?: string | null } {
  const { agentId } = turn.route;
  if (wished === undefined) return {};
  const named = wished === null ? defaultAgentId() : normaliseAgentId(wished);
  if (named !== agentId) throw new AppError('denied', `Jobs can be made for this agent ("${agentId}") only.`);
  return { agentId: wished === null ? null : named };
}

/** Reminders are read without the conversation that asked for them. */
async function remembered(deps: TurnMethodsDeps, said: PayloadWish, wished: unknown): Promise<PayloadWish> {
  const count = Math.min(MAX_CONTEXT_LINES, Math.max(0, Math.trunc(Number(wished) || 0)));
  if (count === 0 || (said.kind ?? said.likely) === 'agentTurn' || said.text === undefined) return said;
  return { ...said, text: withContext(said.text, await deps.contextLines(deps.turn.route.sessionKey, count)) };
}

/** Work without an end costs money: others than the owner get so much of it, and so often. */
async function sparing({ deps, bounds, jobs }: Planning, { fields }: CronWish, what: 'new' | 'changed'): Promise<void> {
  if (bounds.free) return;
  if (what === 'new') {
    const ofHome = { includeDisabled: true, ownerSessionKey: await jobs.home(), limit: 1 };
    if ((await deps.cron.list(ofHome)).total >= MAX_JOBS)
      throw new AppError('denied', `This conversation has ${MAX_JOBS} jobs already; remove some first.`);
  }
  if (fields['schedule'] === undefined) return;
  const { nextRunsAtMs } = await deps.cron.preview(fields['schedule'], LOOKED_AT);
  if (nextRunsAtMs.some((at, n) => n > 0 && at - nextRunsAtMs[n - 1]! < LEAST_PERIOD_MS))
    throw new AppError(
      'denied',
      'job.schedule: comes more often than once a minute, which only the owner may ask for.',
    );
}
