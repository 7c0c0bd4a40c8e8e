/** The `cron` slice of the configuration. */
import { z } from 'zod';
import { durationMs } from './schedule/duration.ts';

const lengthOfTime = z
  .string()
  .refine((text) => durationMs(text) !== undefined, { error: 'must be a duration such as `24h` or `90m`' });

export const cronConfigSchema = z
  .object({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        'Run jobs on schedule. False: jobs can be changed and run manually, but do not run on schedule; ' +
          'CLAWDBOT_SKIP_CRON=1 has the same effect for one start.',
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
      .describe(
        'Maximum number of jobs that run at the same time. Manual runs do not count. One job never runs twice at once.',
      ),
    missed: z
      .object({
        policy: z
          .enum(['once', 'skip', 'all'])
          .optional()
          .describe(
            '`once` (default): run only the newest missed run; ' +
              '`skip`: none; `all`: each one, at most 100. A job can set its own policy.',
          ),
        maxAge: lengthOfTime.default('24h').describe('Missed runs older than this are always skipped, e.g. `24h`.'),
      })
      .prefault({})
      .describe(
        'Runs that were due while the gateway was not running, the machine slept, or the previous run had not ended.',
      ),
    skipMissedJobs: z.boolean().optional().describe('True: same as `missed.policy: "skip"`.'),
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
