/** The jobs a turn may see: those of its agent that its people may read. */
import type { CronJob, CronJobView } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { may } from '../../../core/may.ts';
import { present } from '../../../core/present.ts';
import type { WireCronJob } from '../answers.ts';
import type { CronService } from '../cron-service.ts';
import { wireJob } from '../wire.ts';
import type { CronBounds, CronBoundsDeps } from './bounds.ts';
import type { ContextLine } from './context.ts';

/** What is asked of conversations: which one is whose, and what was said there. */
export interface Conversations {
  mainKey(agentId: string): string;
  /** The sessions that asked for the work of one, the nearest first. */
  origins(sessionKey: string): Promise<readonly string[]>;
  /** The newest texts of a conversation, oldest first. */
  lines(sessionKey: string, count: number): Promise<readonly ContextLine[]>;
}

export interface TurnJobsDeps extends Pick<CronBoundsDeps, 'turn' | 'open'> {
  readonly cron: CronService;
  readonly conversations: Conversations;
  /** Jobs that name no agent are this one's. */
  defaultAgentId(): string;
  /** IANA zone of the person, for instants in words. */
  zone(): string;
}

/** What a tool call gives. */
export type Params = Readonly<Record<string, unknown>>;
/** A job as the tool shows it; `nextRuns`: its next instants in words. */
export type TurnJob = WireCronJob & { readonly nextRuns: readonly string[] };

/** The jobs of a turn, and how far it may change them. */
export interface TurnJobs {
  readonly bounds: CronBounds;
  /** What a job plans is its conversation's: counted there, shown there, limited as it is. */
  home(): Promise<string>;
  /** The job that is named; `not_found` also for those the turn does not see. */
  found(params: Params): Promise<CronJobView>;
  mine(includeDisabled: boolean): Promise<readonly CronJobView[]>;
  shown(job: CronJobView, inWords?: (at: number) => string): TurnJob;
}

export function createTurnJobs(deps: TurnJobsDeps, bounds: CronBounds): TurnJobs {
  const { turn, cron } = deps;
  const { agentId, sessionKey } = turn.route;
  const agentOf = (job: Pick<CronJob, 'agentId'>): string => job.agentId ?? deps.defaultAgentId();
  const mayReadAll = may(turn.authority, 'read', { kind: 'job' }, deps.open()).ok;
  const isItself = (job: CronJob): boolean => turn.trigger?.origin === 'cron' && turn.trigger.jobId === job.id;
  const home = async (): Promise<string> => (await deps.conversations.origins(sessionKey)).at(-1) ?? sessionKey;
  const sees = (job: CronJob, at: string): boolean =>
    agentOf(job) === agentId &&
    (mayReadAll || isItself(job) || (job.owner?.sessionKey === at && (at === sessionKey || !job.owner.trusted)));
  return {
    bounds,
    home,
    async found(params) {
      const id = [params['jobId'], params['id']].find((value) => typeof value === 'string' && value.trim() !== '');
      if (typeof id !== 'string') throw new AppError('invalid', 'jobId required');
      const job = cron.get(id.trim());
      if (!job || !sees(job, await home()))
        throw new AppError(
          'not_found',
          `There is no job ${JSON.stringify(id.trim().slice(0, 128))} here; action "list" with ` +
            'includeDisabled names them.',
        );
      return job;
    },
    async mine(includeDisabled) {
      const at = await home();
      const { jobs } = await cron.list(
        present({ includeDisabled, ownerSessionKey: mayReadAll || turn.trigger?.origin === 'cron' ? undefined : at }),
      );
      return jobs.filter((job) => sees(job, at));
    },
    shown: (job, inWords = instantIn(deps.zone())) => ({ ...wireJob(job), nextRuns: job.nextRunsAtMs.map(inWords) }),
  };
}

/** `Thu, 15 Jan 2026, 13:00 Europe/Berlin` */
export const instantIn = (zone: string): ((at: number) => string) => {
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
