/** The cron commands run against a gateway that answers what a test says, and a job it knows. */
import type { Run } from '../../../cli/command.ts';
import type { Answers } from '../../../cli/fake.ts';
import { runCommand, type RunGiven } from '../../../cli/harness.ts';

export const MIN = 60_000;

export const NOW = Date.UTC(2026, 0, 15, 12);

export const JOB: any = {
  id: '1a2b3c4d-0000-4000-8000-000000000000',
  name: 'Stretch',
  enabled: true,
  when: 'every 20 minutes',
  nextRunsAtMs: [NOW + 20 * MIN, NOW + 40 * MIN, NOW + 60 * MIN],
  sessionTarget: 'isolated',
  wakeMode: 'now',
  createdAtMs: 1,
  updatedAtMs: 1,
  configRevision: '1',
  schedule: { kind: 'every', everyMs: 20 * MIN },
  payload: { kind: 'agentTurn', message: 'Reminder: stretch', deliver: true, channel: 'telegram', to: '42' },
  delivery: { mode: 'announce', channel: 'telegram', to: '42' },
  state: { nextRunAtMs: NOW + 20 * MIN, lastRunAtMs: NOW - 5 * MIN, lastStatus: 'ok', lastDurationMs: 800 },
};

/** A gateway that has the job. */
export const run = (command: Run, answers: Answers, given: RunGiven = {}) =>
  runCommand(command, { 'cron.list': { jobs: [JOB], total: 1, hasMore: false }, ...answers }, given);
