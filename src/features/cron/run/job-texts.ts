/** The text that the agent reads for a due job. Pure. */
import type { CronJob } from '../cron-job.ts';
import { inertLine } from '../../../core/inert-line.ts';
import { timeLine, type LocalTime } from '../../../core/time-line.ts';

/** Of an answer, as the ledger keeps it. */
export const SUMMARY_CHARS = 2000;

/** The job's message between its name and the time. */
export const turnMessage = (
  { id, name }: Pick<CronJob, 'id' | 'name'>,
  message: string,
  localTime: LocalTime,
): string => `[cron:${id} ${inertLine(name)}] ${message}\n${timeLine(localTime)}`;
