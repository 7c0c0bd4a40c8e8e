/**
 * Cron on a real ledger and real files, under a clock a test moves and sets, with runs that can be killed between any
 * two writes.
 */
import { join } from 'node:path';
import type { CronJob, CronNews, CronOutcome } from './cron-job.ts';
import type { CronRun } from './ledger-rows.ts';
import { AppError } from '../../core/errors.ts';
import { silentLog, type Log } from '../../core/log.ts';
import { canonicalSessionKey } from '../../core/session-key.ts';
import { cronConfigSchema } from './config.ts';
import { createCron, type Cron } from './create-cron.ts';
import type { CronLedger } from './ledger.ts';
import { CRON_TABLES } from './ledger-tables.ts';
import { createJournal } from '../../journal/create-journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { instantDisk } from '../../testing/instant-disk.ts';

export interface BegunRun {
  readonly job: CronJob;
  readonly run: CronRun;
  end(outcome?: Partial<CronOutcome>): Promise<void>;
}

export interface CronInstanceOptions {
  /** What every run comes to at once; absent: tests end them. */
  readonly outcome?: (job: CronJob, run: CronRun) => CronOutcome;
  readonly config?: object;
  readonly log?: Log;
}

/** 15 January 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 0, 15, 12);
export const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
export const TEXT = { payload: { kind: 'agentTurn', message: 'look around' } };

export async function cronInstances({ startMs = NOON }: { startMs?: number } = {}) {
  const dir = await tempDir('cron');
  const path = join(dir.path, 'cron', 'jobs.json');
  const ticking = createFakeClock(startMs);
  const wall = { offset: 0 };
  const clock: Clock = { ...ticking, now: () => ticking.now() + wall.offset };
  const journal = createJournal({
    ...instantDisk,
    path: join(dir.path, 'journal.sqlite'),
    now: () => clock.now(),
    tables: [CRON_TABLES],
  });
  const kept = journal.tables(CRON_TABLES);
  const instances: Cron[] = [];
  const runs: BegunRun[] = [];
  const notices: { id: string; text: string }[] = [];
  const news: CronNews[] = [];

  /** One run of a gateway. `ledger` may stand between it and the disk. */
  function begin({
    outcome,
    config = {},
    log = silentLog,
    ledger = kept,
    enabledByEnv = true,
  }: CronInstanceOptions & { ledger?: CronLedger; enabledByEnv?: boolean } = {}): Cron {
    const state = { config: cronConfigSchema.parse(config) };
    const cron = createCron({
      path,
      ledger,
      config: () => state.config,
      zones: { person: () => 'Europe/Berlin', host: 'UTC' },
      clock,
      log,
      enabledByEnv,
      run: (job, run, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new AppError('aborted', 'stopping')));
          const end = async (over: Partial<CronOutcome> = {}): Promise<void> => {
            resolve({ status: 'ok', ...over });
            await ticking.advance(0);
          };
          runs.push({ job, run, end });
          if (outcome) resolve(outcome(job, run));
        }),
      problemOf: (job) => (job.agentId === 'gone' ? 'There is no agent "gone".' : undefined),
      notify: async ({ id, text }) => void notices.push({ id, text }),
      agentExists: (id) => ['main', 'ops'].includes(id),
      canonicalKey: (key) => canonicalSessionKey(key),
    });
    cron.subscribe((reported) => void news.push(reported));
    instances.push(cron);
    return cron;
  }

  return {
    dir: dir.path,
    path,
    clock,
    journal,
    ledger: kept,
    runs,
    notices,
    news,
    begin,
    async instance(options: Parameters<typeof begin>[0] = {}): Promise<Cron> {
      const cron = begin(options);
      await cron.start();
      await ticking.advance(0);
      return cron;
    },
    /** Time passes, and what it brings is done: commits included. */
    async pass(ms: number): Promise<void> {
      await ticking.advance(ms);
      for (let turns = 0; turns < 5; turns++) await ticking.advance(0);
    },
    /** Somebody sets the clock on the wall; timers do not notice. */
    setClock(byMs: number): void {
      wall.offset += byMs;
    },
    /** Instants that were begun, oldest first. */
    slots: (jobId?: string): number[] =>
      runs.filter(({ run }) => jobId === undefined || run.jobId === jobId).map(({ run }) => run.slotMs),
    rows: async (jobId: string): Promise<readonly CronRun[]> => (await kept.ended({ jobId, limit: 5000 })).runs,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const cron of instances) await cron.close();
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

export type CronInstances = Awaited<ReturnType<typeof cronInstances>>;
