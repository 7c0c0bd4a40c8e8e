/** The jobs one turn sees, as the `cron` tool shows them: its own agent's, within what the people in it may read. */
import type { Authority } from '../../../core/authority.ts';
import type { CronJob, CronJobView } from '../../../core/cron.ts';
import { AppError } from '../../../core/errors.ts';
import { may } from '../../../core/may.ts';
import type { CronListResult, CronRunsResult, CronStatus, WireCronJob } from '../../../protocol/answers/cron.ts';
import { wireJob, wireRun } from '../wire.ts';
import type { CronService } from '../cron-service.ts';
import type { CronBoundsDeps } from './bounds.ts';
import type { ContextLine } from './context.ts';

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

/** What a tool sent along, unread. */
export type Params = Readonly<Record<string, unknown>>;
/** A job as the tool shows it; `nextRuns`: its next instants in words. */
export type TurnJob = WireCronJob & { readonly nextRuns: readonly string[] };

const PAGE = 50;
const RUNS = { usual: 20, most: 200 };

export class TurnJobs {
  readonly #deps: TurnMethodsDeps;
  readonly #mayReadAll: boolean;

  constructor(deps: TurnMethodsDeps) {
    this.#deps = deps;
    this.#mayReadAll = may(deps.turn.authority, 'read', { kind: 'job' }, deps.open()).ok;
  }

  /** What a job plans is its conversation's: counted there, shown there, limited as it is. */
  async home(): Promise<string> {
    const { sessionKey } = this.#deps.turn.route;
    return (await this.#deps.origins(sessionKey)).at(-1) ?? sessionKey;
  }

  /** The job that `jobId` or `id` names; `not_found` also for one this turn does not see. */
  async named(params: Params): Promise<CronJobView> {
    const id = [params['jobId'], params['id']].find((value) => typeof value === 'string' && value.trim() !== '');
    if (typeof id !== 'string') throw new AppError('invalid', 'jobId required');
    const job = this.#deps.cron.get(id.trim());
    if (job && this.#sees(job, await this.home())) return job;
    const name = JSON.stringify(id.trim().slice(0, 128));
    throw new AppError('not_found', `There is no job ${name} here; action "list" with includeDisabled names them.`);
  }

  /** The job with its next instants in words. */
  shown(job: CronJobView, inWords = instantIn(this.#deps.zone())): TurnJob {
    return { ...wireJob(job), nextRuns: job.nextRunsAtMs.map(inWords) };
  }

  /** Counts of its own jobs. `all`: also what only people who may configure are told. */
  async status(
    all: boolean,
  ): Promise<Omit<CronStatus, 'storePath'> & { readonly storePath?: string; readonly nextWake?: string }> {
    const { storePath, problem, enabled, zone } = await this.#deps.cron.status();
    const jobs = await this.#mine(true);
    const next = jobs
      .flatMap(({ enabled: on, state }) => (on ? (state.nextRunAtMs ?? []) : []))
      .reduce((a, b) => Math.min(a, b), Infinity);
    const due = enabled && Number.isFinite(next);
    return {
      enabled,
      jobs: jobs.length,
      enabledJobs: jobs.filter(({ enabled: on }) => on).length,
      running: jobs.filter(({ state }) => state.runningAtMs !== undefined).length,
      zone,
      nextWakeAtMs: due ? next : null,
      ...(due && { nextWake: instantIn(this.#deps.zone())(next) }),
      ...(all && { storePath }),
      ...(problem !== undefined && {
        problem: all ? problem : 'The file of jobs needs its owner; nothing can be changed until then.',
      }),
    };
  }

  /** One page of its jobs; `query` looks into ids and names. */
  async list({
    includeDisabled,
    query,
    limit = PAGE,
    offset = 0,
  }: Params): Promise<Omit<CronListResult, 'jobs'> & { readonly jobs: readonly TurnJob[] }> {
    const words = typeof query === 'string' ? query.trim().toLowerCase() : '';
    const jobs = (await this.#mine(includeDisabled === true)).filter(
      (job) => !words || `${job.id} ${job.name}`.toLowerCase().includes(words),
    );
    const [from, most] = [Math.max(0, Number(offset) || 0), Math.min(PAGE, Math.max(1, Number(limit) || PAGE))];
    const end = from + most;
    const inWords = instantIn(this.#deps.zone());
    return {
      jobs: jobs.slice(from, end).map((job) => this.shown(job, inWords)),
      total: jobs.length,
      offset: from,
      limit: most,
      hasMore: end < jobs.length,
      nextOffset: end < jobs.length ? end : null,
    };
  }

  /** The newest runs of one of its jobs. */
  async runs({ limit = RUNS.usual, ...params }: Params): Promise<CronRunsResult> {
    const job = await this.named(params);
    const most = Math.min(RUNS.most, Math.max(1, Math.trunc(Number(limit) || RUNS.usual)));
    const past = await this.#deps.cron.runs({ jobId: job.id, limit: most });
    const hasMore = past.total > past.runs.length;
    return {
      entries: past.runs.flatMap((one) => wireRun(one, { jobName: job.name }) ?? []),
      total: past.total,
      offset: 0,
      limit: most,
      hasMore,
      nextOffset: hasMore ? past.runs.length : null,
    };
  }

  async #mine(includeDisabled: boolean): Promise<readonly CronJobView[]> {
    const at = await this.home();
    const { jobs } = await this.#deps.cron.list({
      includeDisabled,
      ...(this.#mayReadAll || this.#deps.turn.trigger?.origin === 'cron' ? {} : { ownerSessionKey: at }),
    });
    return jobs.filter((job) => this.#sees(job, at));
  }

  #sees(job: CronJob, at: string): boolean {
    const { agentId, sessionKey } = this.#deps.turn.route;
    if ((job.agentId ?? this.#deps.defaultAgentId()) !== agentId) return false;
    const isOwn = job.owner?.sessionKey === at && (at === sessionKey || !job.owner.trusted);
    return this.#mayReadAll || this.#isItself(job) || isOwn;
  }

  /** The turn is a run of this very job. */
  #isItself({ id }: CronJob): boolean {
    const { trigger } = this.#deps.turn;
    return trigger?.origin === 'cron' && trigger.jobId === id;
  }
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
