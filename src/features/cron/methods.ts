/** Serves `cron.*`: jobs, schedules in words, coming runs and results. */
import type { CronJobView } from './cron-job.ts';
import { AppError } from '../../core/errors.ts';
import {
  cronAddParams,
  cronCalendarParams,
  cronGetParams,
  cronListParams,
  cronPreviewParams,
  cronRunParams,
  cronRunsParams,
  cronStatusParams,
  cronUpdateParams,
} from './params.ts';
import type { CronRunResult } from './answers.ts';
import type { HostAgents } from '../../host/host.ts';
import { defineMethods, refuse, type MethodWorks } from '../../host/method.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CronService } from './cron-service.ts';
import { listJobs, listRuns } from './lists.ts';
import { wireJob } from './wire.ts';

const DAY_MS = 86_400_000;
const SPAN = { usual: 7 * DAY_MS, max: 400 * DAY_MS };
const USUAL_INSTANTS = 3;
const USUAL_CALENDAR = 500;

export const cronSpecs = defineMethods({
  'cron.status': {
    summary:
      'Returns whether the scheduler runs, the number of jobs, the next due time, and problems of the jobs file.',
    needs: 'operator.read',
    params: cronStatusParams,
  },
  'cron.list': {
    summary: 'Lists jobs with their schedule in words and their next runs, the next due first.',
    needs: 'operator.read',
    params: cronListParams,
  },
  'cron.get': {
    summary: 'One job.',
    needs: 'operator.read',
    params: cronGetParams,
  },
  'cron.add': {
    summary: 'Adds a job, in any documented form; times may be words. Responds when the job is on disk.',
    needs: 'operator.admin',
    params: cronAddParams,
  },
  'cron.update': {
    summary: 'Changes fields of a job.',
    needs: 'operator.admin',
    params: cronUpdateParams,
  },
  'cron.remove': {
    summary: 'Deletes a job; a current run continues, and the history is kept.',
    needs: 'operator.admin',
    params: cronGetParams,
  },
  'cron.run': {
    summary: 'Runs a job now; responds when it has started.',
    needs: 'operator.admin',
    params: cronRunParams,
  },
  'cron.runs': {
    summary: 'Lists the newest runs of one job or of all, oldest first.',
    needs: 'operator.read',
    params: cronRunsParams,
  },
  'cron.preview': {
    summary: 'Explains a schedule in words and lists its next runs; does not add a job.',
    needs: 'operator.read',
    params: cronPreviewParams,
  },
  'cron.calendar': {
    summary: 'Lists the coming runs of all enabled jobs in a period, in order of time.',
    needs: 'operator.read',
    params: cronCalendarParams,
  },
});

export interface CronMethodsDeps {
  readonly cron: CronService;
  readonly agents: Pick<HostAgents, 'ids' | 'defaultId'>;
  readonly clock: Pick<Clock, 'now'>;
}

export const cronMethods = (deps: CronMethodsDeps): MethodWorks<typeof cronSpecs> => {
  const { cron, clock } = deps;
  return {
    'cron.status': () => cron.status(),
    'cron.list': (params) => listJobs(params, deps),
    'cron.get': (params) => wireJob(known(cron, idOf(params))),
    'cron.add': async (params) => wireJob(await cron.add(params)),

    async 'cron.update'({ patch, expectedConfigRevision, ...params }) {
      const job = known(cron, idOf(params));
      if (expectedConfigRevision !== undefined && expectedConfigRevision !== wireJob(job).configRevision)
        throw new AppError('conflict', `Job ${job.id} was changed since it was read; read it again.`, {
          details: { code: 'CRON_JOB_CHANGED', jobId: job.id },
        });
      return wireJob(await cron.update(job.id, patch));
    },

    'cron.remove': async (params) => ({ ok: true, ...(await cron.remove(idOf(params))) }),

    async 'cron.run'({ mode = 'due', ...params }): Promise<CronRunResult> {
      const job = known(cron, idOf(params));
      if (mode === 'if-enabled' && !job.enabled) return { ok: true, ran: false, enqueued: false, reason: 'disabled' };
      const { ran, ...more } = await cron.run(job.id, mode === 'due' ? 'due' : 'force');
      return { ok: true, ran, enqueued: ran, ...more };
    },

    'cron.runs': (params) => listRuns(params, deps),
    'cron.preview': ({ schedule, count = USUAL_INSTANTS }) => cron.preview(schedule, count),

    async 'cron.calendar'({ fromMs, toMs, limit = USUAL_CALENDAR }) {
      const from = fromMs ?? clock.now();
      const to = toMs ?? from + SPAN.usual;
      if (to < from) throw refuse('toMs: is before fromMs');
      if (to - from > SPAN.max) throw refuse(`toMs: is more than ${SPAN.max / DAY_MS} days after fromMs`);
      return { fromMs: from, toMs: to, ...(await cron.calendar({ fromMs: from, toMs: to, limit })) };
    },
  };
};

/** The schemas let nobody through without one. */
const idOf = ({ id, jobId }: { readonly id?: string | undefined; readonly jobId?: string | undefined }): string =>
  jobId ?? id ?? '';

function known(cron: CronService, id: string): CronJobView {
  const job = cron.get(id);
  if (!job)
    throw new AppError('not_found', `Unknown job ${JSON.stringify(id)}; cron.list lists the jobs.`, {
      details: { code: 'CRON_JOB_NOT_FOUND', jobId: id },
    });
  return job;
}
