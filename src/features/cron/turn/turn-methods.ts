/**
 * What the `cron` tool asks of the gateway for one turn: jobs of its own agent, within what the people in the turn may
 * do.
 */
import { handedOn, type Authority } from '../../../core/authority.ts';
import type { CronJob, CronJobView } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { may } from '../../../core/may.ts';
import { neutraliseFrames } from '../../../core/neutralise.ts';
import { present } from '../../../core/present.ts';
import { normaliseAgentId } from '../../../core/session-key.ts';
import type { CronListResult, CronRunResult, CronRunsResult, WireCronJob } from '../../../protocol/answers/cron.ts';
import { wireJob, wireRun } from '../wire.ts';
import type { CronService } from '../cron-service.ts';
import type { CronStatus } from '../../../protocol/answers/cron.ts';
import { createCronBounds, type CronBoundsDeps } from './bounds.ts';
import { MAX_CONTEXT_LINES, withContext, type ContextLine } from './context.ts';
import { changedWork, newWork } from './work.ts';
import { readCronRequest, type CronRequest, type PayloadRequest } from './request.ts';

export interface TurnMethodsDeps extends CronBoundsDeps {
  readonly cron: CronService;
  mainSessionKey(agentId: string): string;
  /** Resolves when it is kept. */
  wake(request: {
    readonly text: string;
    readonly mode: 'now' | 'next-heartbeat';
    readonly sessionKey: string;
    readonly authority: Authority;
  }): Promise<unknown>;
  /** The sessions that asked for the work of one, the nearest first. */
  origins(sessionKey: string): Promise<readonly string[]>;
  /** The newest texts of a conversation, oldest first. */
  contextLines(sessionKey: string, count: number): Promise<readonly ContextLine[]>;
  /** Jobs that name no agent are this one's. */
  defaultAgentId(): string;
  /** IANA zone of the person, for instants in words. */
  zone(): string;
}

type Params = Readonly<Record<string, unknown>>;
export type TurnMethod =
  | 'cron.status'
  | 'cron.list'
  | 'cron.add'
  | 'cron.update'
  | 'cron.remove'
  | 'cron.run'
  | 'cron.runs'
  | 'wake';
/** A job as the tool shows it; `nextRuns`: its next instants in words. */
export type TurnJob = WireCronJob & { readonly nextRuns: readonly string[] };

/** Of people who may not configure. */
const MAX_JOBS = 50;
const LEAST_PERIOD_MS = 60_000;
/** Instants that are looked at for it. */
const LOOKED_AT = 20;
const PAGE = 50;
const RUNS = { usual: 20, most: 200 };
const MAX_WAKE_CHARS = 8000;

export function createTurnMethods(
  deps: TurnMethodsDeps,
): Readonly<Record<TurnMethod, (params: Params) => Promise<unknown>>> {
  const { turn, cron } = deps;
  const { agentId, sessionKey } = turn.route;
  const bounds = createCronBounds(deps);
  const agentOf = (job: Pick<CronJob, 'agentId'>): string => job.agentId ?? deps.defaultAgentId();
  const mayReadAll = may(turn.authority, 'read', { kind: 'job' }, deps.open()).ok;
  const isItself = (job: CronJob): boolean => turn.trigger?.origin === 'cron' && turn.trigger.jobId === job.id;
  /** What a job plans is its conversation's: counted there, shown there, limited as it is. */
  const home = async (): Promise<string> => (await deps.origins(sessionKey)).at(-1) ?? sessionKey;
  const sees = (job: CronJob, at: string): boolean =>
    agentOf(job) === agentId &&
    (mayReadAll || isItself(job) || (job.owner?.sessionKey === at && (at === sessionKey || !job.owner.trusted)));

  async function found(params: Params): Promise<CronJobView> {
    const id = [params['jobId'], params['id']].find((value) => typeof value === 'string' && value.trim() !== '');
    if (typeof id !== 'string') throw new AppError('invalid', 'jobId required');
    const job = cron.get(id.trim());
    if (!job || !sees(job, await home()))
      throw new AppError(
        'not_found',
        `There is no job ${JSON.stringify(id.trim().slice(0, 128))} here; action "list" with includeDisabled names them.`,
      );
    return job;
  }

  const shown = (job: CronJobView, inWords = instantIn(deps.zone())): TurnJob => ({
    ...wireJob(job),
    nextRuns: job.nextRunsAtMs.map(inWords),
  });

  async function mine(includeDisabled: boolean): Promise<readonly CronJobView[]> {
    const at = await home();
    const { jobs } = await cron.list(
      present({ includeDisabled, ownerSessionKey: mayReadAll || turn.trigger?.origin === 'cron' ? undefined : at }),
    );
    return jobs.filter((job) => sees(job, at));
  }

  async function status(): Promise<
    Omit<CronStatus, 'storePath'> & { readonly storePath?: string; readonly nextWake?: string }
  > {
    const { storePath, problem, ...all } = await cron.status();
    const jobs = await mine(true);
    const next = jobs
      .flatMap(({ enabled, state }) => (enabled ? (state.nextRunAtMs ?? []) : []))
      .reduce((a, b) => Math.min(a, b), Infinity);
    const due = all.enabled && Number.isFinite(next);
    return {
      enabled: all.enabled,
      jobs: jobs.length,
      enabledJobs: jobs.filter(({ enabled }) => enabled).length,
      running: jobs.filter(({ state }) => state.runningAtMs !== undefined).length,
      zone: all.zone,
      nextWakeAtMs: due ? next : null,
      ...present({
        nextWake: due ? instantIn(deps.zone())(next) : undefined,
        storePath: bounds.free ? storePath : undefined,
        problem:
          problem !== undefined
            ? bounds.free
              ? problem
              : 'The file of jobs needs its owner; nothing can be changed until then.'
            : undefined,
      }),
    };
  }

  async function list({
    includeDisabled,
    query,
    limit = PAGE,
    offset = 0,
  }: Params): Promise<Omit<CronListResult, 'jobs'> & { readonly jobs: readonly TurnJob[] }> {
    const words = typeof query === 'string' ? query.trim().toLowerCase() : '';
    const jobs = (await mine(includeDisabled === true)).filter(
      (job) => !words || `${job.id} ${job.name}`.toLowerCase().includes(words),
    );
    const [from, max] = [Math.max(0, Number(offset) || 0), Math.min(PAGE, Math.max(1, Number(limit) || PAGE))];
    const end = from + max;
    const inWords = instantIn(deps.zone());
    return {
      jobs: jobs.slice(from, end).map((job) => shown(job, inWords)),
      total: jobs.length,
      offset: from,
      limit: max,
      hasMore: end < jobs.length,
      nextOffset: end < jobs.length ? end : null,
    };
  }

  async function add({ contextMessages, ...params }: Params): Promise<TurnJob> {
    const request = readCronRequest(params);
    if (!request.payload?.text?.trim())
      throw new AppError(
        'invalid',
        'job.payload: is required: {kind:"agentTurn",message} or {kind:"systemEvent",text}.',
      );
    const whose = requestedAgent(request);
    const payload = await remembered(request.payload, contextMessages);
    const work = newWork({ ...request, payload }, bounds);
    await sparing(request, 'new');
    return shown(
      await cron.add({ ...request.fields, ...whose, ...work }, { agentId, owner: bounds.owner(await home()) }),
    );
  }

  async function update({ patch, ...params }: Params): Promise<TurnJob> {
    const job = await found(params);
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
      throw new AppError('invalid', 'patch required: an object with the fields to change.');
    const request = readCronRequest(patch);
    const deep =
      request.payload ??
      request.delivery ??
      request.sessionTarget ??
      request.agentId ??
      request.fields['isolation'] ??
      request.fields['name'];
    if (deep !== undefined && !bounds.covers(job))
      throw new AppError(
        'denied',
        `What job ${job.id} does, where it goes and what it is called may be changed by its owner only; schedule and enabled may be changed here.`,
      );
    await sparing(request, 'changed');
    return shown(
      await cron.update(job.id, {
        ...request.fields,
        ...requestedAgent(request),
        ...changedWork(job, request, bounds),
      }),
    );
  }

  /** Its own agent's, unless it says so; null stays null. Another agent's work is not a turn's to plan. */
  function requestedAgent({ agentId: requested }: CronRequest): { readonly agentId?: string | null } {
    if (requested === undefined) return {};
    const named = requested === null ? deps.defaultAgentId() : normaliseAgentId(requested);
    if (named !== agentId) throw new AppError('denied', `Jobs can be made for this agent ("${agentId}") only.`);
    return { agentId: requested === null ? null : named };
  }

  /** Reminders are read without the conversation that asked for them. */
  async function remembered(said: PayloadRequest, requested: unknown): Promise<PayloadRequest> {
    const count = Math.min(MAX_CONTEXT_LINES, Math.max(0, Math.trunc(Number(requested) || 0)));
    if (count === 0 || (said.kind ?? said.likely) === 'agentTurn' || said.text === undefined) return said;
    return { ...said, text: withContext(said.text, await deps.contextLines(sessionKey, count)) };
  }

  /** Work without an end costs money: others than the owner get so much of it, and so often. */
  async function sparing({ fields }: CronRequest, what: 'new' | 'changed'): Promise<void> {
    if (bounds.free) return;
    if (
      what === 'new' &&
      (await cron.list({ includeDisabled: true, ownerSessionKey: await home(), limit: 1 })).total >= MAX_JOBS
    )
      throw new AppError('denied', `This conversation has ${MAX_JOBS} jobs already; remove some first.`);
    if (fields['schedule'] === undefined) return;
    const { nextRunsAtMs } = await cron.preview(fields['schedule'], LOOKED_AT);
    if (nextRunsAtMs.some((at, n) => n > 0 && at - nextRunsAtMs[n - 1]! < LEAST_PERIOD_MS))
      throw new AppError(
        'denied',
        'job.schedule: comes more often than once a minute, which only the owner may ask for.',
      );
  }

  async function run({ mode, ...params }: Params): Promise<CronRunResult> {
    const { ran, ...more } = await cron.run((await found(params)).id, mode === 'due' ? 'due' : 'force');
    return { ok: true, ran, enqueued: ran, ...more };
  }

  async function runs({ limit = RUNS.usual, ...params }: Params): Promise<CronRunsResult> {
    const job = await found(params);
    const max = Math.min(RUNS.most, Math.max(1, Math.trunc(Number(limit) || RUNS.usual)));
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
  async function wake({ text, mode }: Params): Promise<unknown> {
    if (typeof text !== 'string' || text.trim() === '') throw new AppError('invalid', 'text required');
    if (text.length > MAX_WAKE_CHARS)
      throw new AppError('invalid', `text: has ${text.length} characters; at most ${MAX_WAKE_CHARS}.`);
    const said = bounds.free ? text.trim() : neutraliseFrames(text.trim());
    await deps.wake({
      text: said,
      mode: mode === 'now' ? 'now' : 'next-heartbeat',
      sessionKey: bounds.free ? deps.mainSessionKey(agentId) : sessionKey,
      authority: handedOn(turn.authority, 'wake'),
    });
    return { ok: true };
  }

  return {
    'cron.status': status,
    'cron.list': list,
    'cron.add': add,
    'cron.update': update,
    'cron.remove': async (params) => ({ ok: true, ...(await cron.remove((await found(params)).id)) }),
    'cron.run': run,
    'cron.runs': runs,
    wake,
  };
}

/** `Thu, 15 Jan 2026, 13:00 Europe/Berlin` */
const instantIn = (zone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (at) => `${format.format(at)} ${zone}`;
};
