/** The methods of the `cron` tool for one turn: jobs of its agent, within the rights of the people in the turn. */
import { delegatedVia, type Authority } from '../../../core/authority.ts';
import { AppError } from '../../../core/errors.ts';
import { neutraliseFrames } from '../../../core/neutralise.ts';
import { present } from '../../../core/present.ts';
import type { CronListResult, CronRunResult, CronRunsResult, CronStatus } from '../answers.ts';
import { wireRun } from '../wire.ts';
import { createCronBounds, type CronBoundsDeps } from './bounds.ts';
import { addJob, updateJob } from './plan-jobs.ts';
import { createTurnJobs, instantIn, type Params, type TurnJob, type TurnJobs, type TurnJobsDeps } from './turn-jobs.ts';

export interface TurnMethodsDeps extends CronBoundsDeps, TurnJobsDeps {
  /** Resolves when it is kept. */
  wake(request: {
    readonly text: string;
    readonly mode: 'now' | 'next-heartbeat';
    readonly sessionKey: string;
    readonly authority: Authority;
  }): Promise<unknown>;
}

export type TurnMethod =
  | 'cron.status'
  | 'cron.list'
  | 'cron.add'
  | 'cron.update'
  | 'cron.remove'
  | 'cron.run'
  | 'cron.runs'
  | 'wake';

const PAGE = 50;
const RUNS = { usual: 20, max: 200 };
const MAX_WAKE_CHARS = 8000;

export function createTurnMethods(
  deps: TurnMethodsDeps,
): Readonly<Record<TurnMethod, (params: Params) => Promise<unknown>>> {
  const { cron } = deps;
  const jobs = createTurnJobs(deps, createCronBounds(deps));
  return {
    'cron.status': () => statusOf(jobs, deps),
    'cron.list': (params) => listOf(params, jobs, deps),
    'cron.add': (params) => addJob(params, jobs, deps),
    'cron.update': (params) => updateJob(params, jobs, deps),
    'cron.remove': async (params) => ({ ok: true, ...(await cron.remove((await jobs.found(params)).id)) }),
    'cron.run': (params) => runJob(params, jobs, deps),
    'cron.runs': (params) => runsOf(params, jobs, deps),
    wake: (params) => wake(params, jobs, deps),
  };
}

type TurnStatus = Omit<CronStatus, 'storePath'> & { readonly storePath?: string; readonly nextWake?: string };

async function statusOf({ mine, bounds }: TurnJobs, { cron, zone }: TurnMethodsDeps): Promise<TurnStatus> {
  const { storePath, problem, ...all } = await cron.status();
  const jobs = await mine(true);
  const next = jobs
    .flatMap(({ enabled, state }) => (enabled ? (state.nextRunAtMs ?? []) : []))
    .reduce((a, b) => Math.min(a, b), Infinity);
  const due = all.enabled && Number.isFinite(next);
  const shownProblem = bounds.free
    ? problem
    : 'The jobs file is invalid; only its owner can fix it, and nothing can be changed until then.';
  return {
    enabled: all.enabled,
    jobs: jobs.length,
    enabledJobs: jobs.filter(({ enabled }) => enabled).length,
    running: jobs.filter(({ state }) => state.runningAtMs !== undefined).length,
    zone: all.zone,
    nextWakeAtMs: due ? next : null,
    ...present({
      nextWake: due ? instantIn(zone())(next) : undefined,
      storePath: bounds.free ? storePath : undefined,
      problem: problem === undefined ? undefined : shownProblem,
    }),
  };
}

async function listOf(
  { includeDisabled, query, limit = PAGE, offset = 0 }: Params,
  { mine, shown }: TurnJobs,
  { zone }: TurnMethodsDeps,
): Promise<Omit<CronListResult, 'jobs'> & { readonly jobs: readonly TurnJob[] }> {
  const words = typeof query === 'string' ? query.trim().toLowerCase() : '';
  const jobs = (await mine(includeDisabled === true)).filter(
    (job) => !words || `${job.id} ${job.name}`.toLowerCase().includes(words),
  );
  const [from, max] = [Math.max(0, Number(offset) || 0), Math.min(PAGE, Math.max(1, Number(limit) || PAGE))];
  const end = from + max;
  const inWords = instantIn(zone());
  return {
    jobs: jobs.slice(from, end).map((job) => shown(job, inWords)),
    total: jobs.length,
    offset: from,
    limit: max,
    hasMore: end < jobs.length,
    nextOffset: end < jobs.length ? end : null,
  };
}

async function runJob(
  { mode, ...params }: Params,
  { found }: TurnJobs,
  { cron }: TurnMethodsDeps,
): Promise<CronRunResult> {
  const { ran, ...more } = await cron.run((await found(params)).id, mode === 'due' ? 'due' : 'force');
  return { ok: true, ran, enqueued: ran, ...more };
}

async function runsOf(
  { limit = RUNS.usual, ...params }: Params,
  { found }: TurnJobs,
  { cron }: TurnMethodsDeps,
): Promise<CronRunsResult> {
  const job = await found(params);
  const max = Math.min(RUNS.max, Math.max(1, Math.trunc(Number(limit) || RUNS.usual)));
  const past = await cron.runs({ jobId: job.id, limit: max });
  const entries = past.runs.flatMap((one) => wireRun(one, { jobName: job.name }) ?? []);
  return {
    entries,
    total: past.total,
    offset: 0,
    limit: max,
    hasMore: past.total > past.runs.length,
    nextOffset: past.total > past.runs.length ? past.runs.length : null,
  };
}

/** Words in the main conversation are for those whose it is. */
async function wake({ text, mode }: Params, { bounds }: TurnJobs, deps: TurnMethodsDeps): Promise<unknown> {
  const { turn, conversations } = deps;
  const { agentId, sessionKey } = turn.route;
  if (typeof text !== 'string' || text.trim() === '') throw new AppError('invalid', 'text required');
  if (text.length > MAX_WAKE_CHARS)
    throw new AppError('invalid', `text: has ${text.length} characters; at most ${MAX_WAKE_CHARS}.`);
  const said = bounds.free ? text.trim() : neutraliseFrames(text.trim());
  await deps.wake({
    text: said,
    mode: mode === 'now' ? 'now' : 'next-heartbeat',
    sessionKey: bounds.free ? conversations.mainKey(agentId) : sessionKey,
    authority: delegatedVia(turn.authority, 'wake'),
  });
  return { ok: true };
}
