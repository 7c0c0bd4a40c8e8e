/** Names for what travels between this page and the gateway. */
import type { Answers } from '../../../protocol/answers.ts';

export type {
  CronStatus,
  WireCronJob as Job,
  WireCronRun as JobRun,
  WireCronSchedule as JobSchedule,
} from '../answers.ts';
export type Jobs = Answers['cron.list'];
export type MissedPolicy = NonNullable<Answers['cron.get']['missed']>['policy'];
export type Calendar = Answers['cron.calendar'];
export type CronInstant = Calendar['runs'][number];
export type Preview = Answers['cron.preview'];
