/** Instants, the zone of the machine and a job, for tests of the cron page. */
import type { CronInstant, Job } from './wire.ts';
import { browserZone } from './calendar-days.ts';

export const at = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  new Date(year, month - 1, day, hour, minute).getTime();

export const NOON = at(2026, 11, 23, 12);

export const MINUTE = 60_000;

/** That of `at`. */
export const HERE = browserZone();

export const instant = (jobId: string, atMs: number): CronInstant => ({ jobId, name: jobId.toUpperCase(), atMs });

export const job: Job = {
  id: 'a',
  name: 'Report',
  enabled: true,
  createdAtMs: 1,
  updatedAtMs: 1,
  schedule: { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' },
  sessionTarget: 'isolated',
  wakeMode: 'next-heartbeat',
  payload: {
    kind: 'agentTurn',
    message: 'Tell me',
    deliver: true,
    channel: 'telegram',
    to: '42',
    model: 'x/y',
    timeoutSeconds: 90,
  },
  missed: { policy: 'once', maxAgeMs: 6 * 60 * MINUTE },
  state: { lastStatus: 'ok' },
  when: 'every weekday at 07:00 (Europe/Berlin)',
  nextRunsAtMs: [1, 2, 3],
  configRevision: '1',
};
