/**
 * What the `cron` tool asks of the gateway for one turn: jobs of its own agent, within what the people in the turn may
 * do.
 */
import { handedOn } from '../../../core/authority.ts';
import { AppError } from '../../../core/errors.ts';
import { neutraliseFrames } from '../../../core/neutralise.ts';
import type { CronRunResult } from '../../../protocol/answers/cron.ts';
import { createCronBounds } from './bounds.ts';
import { addJob, changeJob, type Planning } from './plan-job.ts';
import { TurnJobs, type Params, type TurnMethodsDeps } from './turn-jobs.ts';

export type TurnMethod =
  | 'cron.status'
  | 'cron.list'
  | 'cron.add'
  | 'cron.update'
  | 'cron.remove'
  | 'cron.run'
  | 'cron.runs'
  | 'wake';

const MAX_WAKE_CHARS = 8000;

export function createTurnMethods(
  deps: TurnMethodsDeps,
): Readonly<Record<TurnMethod, (params: Params) => Promise<unknown>>> {
  const jobs = new TurnJobs(deps);
  const planning: Planning = { deps, bounds: createCronBounds(deps), jobs };
  return {
    'cron.status': () => jobs.status(planning.bounds.free),
    'cron.list': (params) => jobs.list(params),
    'cron.add': (params) => addJob(planning, params),
    'cron.update': (params) => changeJob(planning, params),
    'cron.remove': async (params) => ({ ok: true, ...(await deps.cron.remove((await jobs.named(params)).id)) }),
    'cron.run': (params) => runJob(planning, params),
    'cron.runs': (params) => jobs.runs(params),
    wake: (params) => wake(planning, params),
  };
}

async function runJob({ deps, jobs }: Planning, { mode, ...params }: Params): Promise<CronRunResult> {
  const { ran, ...more } = await deps.cron.run((await jobs.named(params)).id, mode === 'due' ? 'due' : 'force');
  return { ok: true, ran, enqueued: ran, ...more };
}

/** Words in the main conversation are for those whose it is. */
async function wake({ deps, bounds }: Planning, { text, mode }: Params): Promise<unknown> {
  if (typeof text !== 'string' || text.trim() === '') throw new AppError('invalid', 'text required');
  if (text.length > MAX_WAKE_CHARS)
    throw new AppError('invalid', `text: has ${text.length} characters; at most ${MAX_WAKE_CHARS}.`);
  const { agentId, sessionKey } = deps.turn.route;
  await deps.wake({
    text: bounds.free ? text.trim() : neutraliseFrames(text.trim()),
    mode: mode === 'now' ? 'now' : 'next-heartbeat',
    sessionKey: bounds.free ? deps.mainSessionKey(agentId) : sessionKey,
    authority: handedOn(deps.turn.authority, 'wake'),
  });
  return { ok: true };
}
