/** Filters and paginates lists of jobs and runs. */
import type { CronJob, CronJobView } from './cron-job.ts';
import { MAX_JOBS, MAX_RUNS, type CronListParams, type CronRunsParams } from './params.ts';
import type { CronListResult, CronRunsResult, WireCronRun } from './answers.ts';
import { wireJob, wireRun } from './wire.ts';
import type { HostAgents } from '../../host/host.ts';
import { refuse } from '../../host/method.ts';
import { requireAgentId } from '../../host/named-session.ts';
import type { CronService } from './cron-service.ts';

export interface ListDeps {
  readonly cron: CronService;
  readonly agents: Pick<HostAgents, 'ids' | 'defaultId'>;
}

interface Page {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

const USUAL_RUNS = 200;

export async function listJobs(params: CronListParams, deps: ListDeps): Promise<CronListResult> {
  const {
    agentId,
    includeDisabled = false,
    enabled = includeDisabled ? 'all' : 'enabled',
    query,
    sortBy,
    sortDir,
    limit = MAX_JOBS,
    offset = 0,
  } = params;
  if (agentId !== undefined) requireAgentId({ agentIds: deps.agents.ids }, agentId);
  const filter = { includeDisabled: enabled !== 'enabled', query, sortBy, sortDir };
  const keeps = keeper({ ...params, enabled }, deps);
  if (!keeps) {
    const { jobs, total } = await deps.cron.list({ ...filter, limit, offset });
    return { jobs: jobs.map(wireJob), ...paged(jobs.length, { total, offset, limit }) };
  }
  const fitting = (await deps.cron.list(filter)).jobs.filter(keeps);
  const jobs = fitting.slice(offset, offset + limit);
  return { jobs: jobs.map(wireJob), ...paged(jobs.length, { total: fitting.length, offset, limit }) };
}

/** Undefined: the service's own filter says it all. */
function keeper(
  { enabled, agentId, scheduleKind = 'all', lastRunStatus = 'all', trigger = 'all' }: CronListParams,
  { agents }: ListDeps,
): ((job: CronJobView) => boolean) | undefined {
  if (
    enabled !== 'disabled' &&
    agentId === undefined &&
    scheduleKind === 'all' &&
    lastRunStatus === 'all' &&
    trigger !== 'conditional'
  )
    return undefined;
  return (job) =>
    (enabled !== 'disabled' || !job.enabled) &&
    (agentId === undefined || agentOf(job, agents) === agentId.toLowerCase()) &&
    (scheduleKind === 'all' || job.schedule?.kind === scheduleKind) &&
    (lastRunStatus === 'all' || (job.state.lastStatus ?? 'unknown') === lastRunStatus) &&
    trigger !== 'conditional';
}

/** Jobs that name no agent are the default one's. */
const agentOf = ({ agentId }: Pick<CronJob, 'agentId'>, agents: ListDeps['agents']): string =>
  agentId ?? agents.defaultId();

const paged = (shown: number, { total, offset, limit }: Page) => ({
  total,
  offset,
  limit,
  hasMore: offset + shown < total,
  nextOffset: offset + shown < total ? offset + shown : null,
});

export async function listRuns(params: CronRunsParams, deps: ListDeps): Promise<CronRunsResult> {
  const {
    id,
    jobId = id,
    scope = jobId === undefined ? 'all' : 'job',
    limit = USUAL_RUNS,
    offset = 0,
    sortDir = 'asc',
  } = params;
  if (params.agentId !== undefined) requireAgentId({ agentIds: deps.agents.ids }, params.agentId);
  if (scope === 'job' && jobId === undefined) throw refuse('jobId: is required with scope "job"');
  const found = await pageOfRuns(params, { jobId: scope === 'job' ? jobId : undefined, limit, offset, deps });
  return { ...found, entries: sortDir === 'desc' ? [...found.entries].reverse() : found.entries };
}

interface RunQuery {
  readonly jobId: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly deps: ListDeps;
}

async function pageOfRuns(params: CronRunsParams, { jobId, limit, offset, deps }: RunQuery): Promise<CronRunsResult> {
  const { cron } = deps;
  const status = params.status === 'all' ? undefined : params.status;
  const fits = runFilter(params, deps);
  const { runs, total } = await cron.runs({ jobId, status, ...(fits ? { limit: MAX_RUNS } : { limit, offset }) });
  const entries = runs.flatMap((run) => wireRun(run, { jobName: cron.get(run.jobId)?.name }) ?? []);
  if (!fits) return { entries, ...paged(runs.length, { total, offset, limit }) };
  const fitting = entries.filter(fits);
  const end = Math.max(0, fitting.length - offset);
  const shown = fitting.slice(Math.max(0, end - limit), end);
  return { entries: shown, ...paged(shown.length, { total: fitting.length, offset, limit }) };
}

/** Undefined: nothing beyond what the service filters by. */
function runFilter(
  { agentId, runId, statuses, deliveryStatus, deliveryStatuses, query }: CronRunsParams,
  { cron, agents }: ListDeps,
): ((run: WireCronRun) => boolean) | undefined {
  const deliveries = deliveryStatuses ?? (deliveryStatus && [deliveryStatus]);
  const words = query?.trim().toLowerCase();
  if (agentId === undefined && runId === undefined && !statuses && !deliveries && !words) return undefined;
  return (run) => {
    const job = cron.get(run.jobId);
    return (
      (agentId === undefined || (job !== undefined && agentOf(job, agents) === agentId.toLowerCase())) &&
      (runId === undefined || run.runId === runId) &&
      (!statuses || statuses.includes(run.status)) &&
      (!deliveries || deliveries.includes(run.deliveryStatus ?? 'not-requested')) &&
      (!words ||
        [run.jobName, run.summary, run.error, run.jobId, run.runId].some((text) => text?.toLowerCase().includes(words)))
    );
  };
}
