/** Runs of jobs that failed, for "Went wrong" on the overview. */
import type { Wrong } from '../../../../ui/src/pages/wrongs.ts';
import type { CronRunsResult } from '../answers.ts';

export const wrong: Wrong<CronRunsResult> = {
  method: 'cron.runs',
  params: { status: 'error', limit: 50, sortDir: 'desc' },
  events: 'cron',
  things: ({ entries }) =>
    entries.map(({ ts, jobId, jobName = jobId, error = 'The run failed.' }) => ({
      at: ts,
      icon: 'cron',
      words: jobName,
      reason: error,
      more: { page: 'cron' },
    })),
};
