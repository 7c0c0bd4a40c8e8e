/** Loads cron only when there is a job or somebody calls it, because many gateways never have one. */
import type { CronNews } from './cron-job.ts';
import type { Log } from '../../core/log.ts';
import type { Cron } from './create-cron.ts';
import type { CronLedger } from './ledger.ts';
import { stampOf } from './store/jobs-file.ts';
import type { CronService } from './cron-service.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { loadOnce } from '../../platform/load-once.ts';

export interface LazyCronDeps {
  /** Absolute path of `jobs.json`. */
  readonly path: string;
  readonly ledger: CronLedger;
  readonly clock: Clock;
  readonly log: Log;
  load(): Promise<Cron>;
}

/** Somebody may put a file there by hand; what could not be started is tried again. */
const POLL_MS = 60_000;

export type LazyCron = CronService & Pick<Cron, 'start' | 'close' | 'configChanged'>;

export function createLazyCron({ path, ledger, clock, log, load }: LazyCronDeps): LazyCron {
  const listeners = new Set<(news: CronNews) => void>();
  const state: { cron: Cron | undefined; begun: boolean; poll: Timer | undefined } = {
    cron: undefined,
    begun: false,
    poll: undefined,
  };

  const loaded = loadOnce(async () => {
    const cron = (state.cron = await load());
    cron.subscribe((news) => {
      for (const listener of listeners) listener(news);
    });
    return cron;
  });
  const running = loadOnce(async () => {
    const cron = await loaded.get();
    await cron.start();
    state.poll?.cancel(); // from now on it looks by itself
    return cron;
  });
  const whole = (): Promise<Cron> => (state.begun ? running.get() : loaded.get());

  async function hasWork(): Promise<boolean> {
    if ((await stampOf(path)) !== '') return true;
    const kept = await Promise.all([ledger.cursors('', 1), ledger.redo(), ledger.running()]);
    return kept.some(({ length }) => length > 0);
  }

  async function check(): Promise<void> {
    if (await hasWork()) await running.get();
  }

  return {
    async start() {
      state.begun = true;
      state.poll = clock
        .setInterval(() => void check().catch((error: unknown) => log.error('cron.start', { error })), POLL_MS)
        .unref();
      if (loaded.begun) await running.get();
      else await check();
    },
    async close() {
      state.poll?.cancel();
      const [begun] = await Promise.allSettled([loaded.begun]);
      // Whoever asked for what could not be loaded was told; there is nothing to end.
      if (begun.status === 'fulfilled') await begun.value?.close();
    },
    configChanged: () => state.cron?.configChanged(),

    status: async () => (await whole()).status(),
    list: async (filter) => (await whole()).list(filter),
    get: (id) => state.cron?.get(id),
    add: async (job, by) => (await whole()).add(job, by),
    update: async (id, patch) => (await whole()).update(id, patch),
    remove: async (id) => (await whole()).remove(id),
    run: async (id, mode) => (await whole()).run(id, mode),
    runs: async (filter) => (await whole()).runs(filter),
    preview: async (schedule, count) => (await whole()).preview(schedule, count),
    calendar: async (span) => (await whole()).calendar(span),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
