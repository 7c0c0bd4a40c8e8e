/** Serves `cron.*`: work that is due at a time, what it means in words, when it comes, and how it went. */
import type { CronJobView } from '../../core/cron.ts';
import { AppError } from '../../core/errors.ts';
import { cronAddParams, cronCalendarParams, cronGetParams, cronListParams, cronPreviewParams, cronRunParams, cronRunsParams, cronStatusParams, cronUpdateParams, type CronRunResult } from '../../protocol/cron.ts';
import { wireJob } from '../cron-wire.ts';
import type { CronService } from '../time-services.ts';
import { listJobs, listRuns } from './cron-lists.ts';
import { method, refuse, type Methods } from './method.ts';

const DAY_MS = 86_400_000;
const SPAN = { usual: 7 * DAY_MS, most: 400 * DAY_MS };
const USUAL_INSTANTS = 3;
const USUAL_CALENDAR = 500;

export const cronMethods: Methods = {
  'cron.status': method({
    summary: 'Whether the scheduler runs, how many jobs there are, when the next one is due, and what is wrong with the file of jobs.',
    needs: 'operator.read',
    params: cronStatusParams,
    run: (_params, { services }) => services.cron.status(),
  }),

  'cron.list': method({
    summary: 'Jobs with their schedule in words and their next instants, the next one due first.',
    needs: 'operator.read',
    params: cronListParams,
    run: (params, { services }) => listJobs(params, services),
  }),

  'cron.get': method({
    summary: 'One job.',
    needs: 'operator.read',
    params: cronGetParams,
    run: (params, { services }) => wireJob(known(services.cron, idOf(params))),
  }),

  'cron.add': method({
    summary: 'Makes a job, in any documented spelling; times may be words. Answers when it is on disk.',
    needs: 'operator.admin',
    params: cronAddParams,
    run: async (params, { services }) => wireJob(await services.cron.add(params)),
  }),

  'cron.update': method({
    summary: 'Changes fields of a job.',
    needs: 'operator.admin',
    params: cronUpdateParams,
    async run({ patch, expectedConfigRevision, ...params }, { services }) {
      const job = known(services.cron, idOf(params));
      if (expectedConfigRevision !== undefined && expectedConfigRevision !== wireJob(job).configRevision) throw new AppError('conflict', `Job ${job.id} was changed meanwhile; read it again.`, { details: { code: 'CRON_JOB_CHANGED', jobId: job.id } });
      return wireJob(await services.cron.update(job.id, patch));
    },
  }),

  'cron.remove': method({
    summary: 'Forgets a job; a run under way ends by itself, and the history stays.',
    needs: 'operator.admin',
    params: cronGetParams,
    run: async (params, { services }) => ({ ok: true, ...(await services.cron.remove(idOf(params))) }),
  }),

  'cron.run': method({
    summary: 'Runs a job now; answers when it has begun.',
    needs: 'operator.admin',
    params: cronRunParams,
    async run({ mode = 'due', ...params }, { services }): Promise<CronRunResult> {
      const job = known(services.cron, idOf(params));
      if (mode === 'if-enabled' && !job.enabled) return { ok: true, ran: false, enqueued: false, reason: 'disabled' };
      const { ran, ...more } = await services.cron.run(job.id, mode === 'due' ? 'due' : 'force');
      return { ok: true, ran, enqueued: ran, ...more };
    },
  }),

  'cron.runs': method({
    summary: 'How the newest runs went, of one job or of all, oldest first.',
    needs: 'operator.read',
    params: cronRunsParams,
    run: (params, { services }) => listRuns(params, services),
  }),

  'cron.preview': method({
    summary: 'What a schedule means in words and when it would come next; nothing is made.',
    needs: 'operator.read',
    params: cronPreviewParams,
    run: ({ schedule, count = USUAL_INSTANTS }, { services }) => services.cron.preview(schedule, count),
  }),

  'cron.calendar': method({
    summary: 'Coming runs of all enabled jobs between two instants, in order of time.',
    needs: 'operator.read',
    params: cronCalendarParams,
    async run({ fromMs, toMs, limit = USUAL_CALENDAR }, { services, clock }) {
      const from = fromMs ?? clock.now();
      const to = toMs ?? from + SPAN.usual;
      if (to < from) throw refuse('toMs: is before fromMs');
      if (to - from > SPAN.most) throw refuse(`toMs: is more than ${SPAN.most / DAY_MS} days after fromMs`);
      return { fromMs: from, toMs: to, ...(await services.cron.calendar({ fromMs: from, toMs: to, limit })) };
    },
  }),
};

/** The schemas let nobody through without one. */
const idOf = ({ id, jobId }: { readonly id?: string | undefined; readonly jobId?: string | undefined }): string => jobId ?? id ?? '';

function known(cron: CronService, id: string): CronJobView {
  const job = cron.get(id);
  if (!job) throw new AppError('not_found', `There is no job ${JSON.stringify(id)}; cron.list names them.`, { details: { code: 'CRON_JOB_NOT_FOUND', jobId: id } });
  return job;
}
