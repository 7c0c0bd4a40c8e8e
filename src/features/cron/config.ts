/** The `cron` slice of the configuration. */
import { z } from 'zod';
import { durationMs } from './schedule/duration.ts';

const lengthOfTime = z
  .string()
  .refine((text) => durationMs(text) !== undefined, { error: 'must be a length of time such as `24h` or `90m`' });

export const cronConfigSchema = z
  .object({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        'False: no job runs by itself; jobs can be changed and run by hand all the same. ' +
          'CLAWDBOT_SKIP_CRON=1 says the same for one start.',
      ),
    store: z
      .string()
      .min(1)
      .optional()
      .describe('Path of jobs.json. Default: cron/jobs.json in the state directory. Needs a restart.'),
    maxConcurrentRuns: z
      .number()
      .int()
      .min(1)
      .max(64)
      .default(4)
      .describe('Jobs that run at the same time; one job never runs twice at once. What is run by hand does not wait.'),
    missed: z
      .object({
        policy: z
          .enum(['once', 'skip', 'all'])
          .optional()
          .describe(
            '`once`: of the instants that passed while nobody was there the newest runs (the default); ' +
              '`skip`: none; `all`: each, at most 100. A job may say otherwise.',
          ),
        maxAge: lengthOfTime.default('24h').describe('What is older is skipped in any case, e.g. `24h`.'),
      })
      .prefault({})
      .describe(
        'Jobs whose time came while the gateway was not running, the machine slept or the run before had not ended.',
      ),
    skipMissedJobs: z.boolean().optional().describe('True: another way to write `missed.policy: "skip"`.'),
  })
  .prefault({});
export type CronConfig = z.output<typeof cronConfigSchema>;

/** What holds for a job that says nothing itself. */
export function missedDefaults({ missed, skipMissedJobs }: CronConfig): {
  readonly policy: 'skip' | 'once' | 'all';
  readonly maxAgeMs: number;
} {
  return { policy: missed.policy ?? (skipMissedJobs ? 'skip' : 'once'), maxAgeMs: durationMs(missed.maxAge)! };
}
