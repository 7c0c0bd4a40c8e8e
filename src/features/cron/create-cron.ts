/** Cron as a whole: jobs are made, changed, shown and run here; what a run is, the composition root says. */
import { isPlainObject } from '../../config/paths.ts';
import {
  cronRunId,
  type CronInstant,
  type CronJob,
  type CronJobView,
  type CronListFilter,
  type CronNews,
  type CronOutcome,
  type CronOwner,
  type CronPreview,
} from './cron-job.ts';
import type { CronRun } from '../../journal/cron-rows.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { uuid } from '../../platform/ids.ts';
import { createKeyedQueue } from '../../platform/keyed-queue.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { missedDefaults, type CronConfig } from './config.ts';
import { readChangedJob, readKeptJob, readNewJob, type JobRules } from './job/read-job.ts';
import type { CronLedger } from './ledger.ts';
import { loadSchedules, readSchedule, type Schedules } from './schedule/schedules.ts';
import { createScheduler } from './scheduler/create-scheduler.ts';
import { calendarOf, INSTANTS_SHOWN, listJobs, showJob } from './show-jobs.ts';
import { changedEntry, createJobStore } from './store/job-store.ts';
import { isGood, stateOf, type Entry, type JobEntry, type StoredJob } from './store/entry.ts';

export interface CronDeps {
  /** Absolute path of `jobs.json`. */
  readonly path: string;
  readonly ledger: CronLedger;
  config(): CronConfig;
  /** IANA zone of the person: what times in words mean. */
  zone(): string;
  /** IANA zone of this machine: what expressions without a zone mean. */
  readonly hostZone: string;
  readonly clock: Clock;
  readonly log: Log;
  /** False: `CLAWDBOT_SKIP_CRON` is set. */
  readonly enabledByEnv: boolean;
  /**
   * One attempt. In the next run it is called with the same job, instant and attempt again, and goes on where it was.
   * Rejects when the signal
   * fires, which only means that nobody waits any more; whatever else it rejects with is an error like any other.
   */
  run(job: CronJob, run: CronRun, signal: AbortSignal): Promise<CronOutcome>;
  /** What keeps the job from running as things stand, and what to do. */
  problemOf(job: CronJob): string | undefined;
  /** Tells the owner of a job that was switched off. Called again after a crash, under the same id. */
  notify(notice: { readonly id: string; readonly text: string; readonly job: CronJob }): Promise<void>;
  agentExists(agentId: string): boolean;
  canonicalKey(key: string): string;
}

/** More than anybody has; a model in a loop must not fill the memory. */
const MAX_JOBS = 20_000;
const LOOK_MS = 60_000;

export type Cron = ReturnType<typeof createCron>;

export function createCron(deps: CronDeps) {
  const { clock, log, ledger } = deps;
  const jobQueue = createKeyedQueue();
  const listeners = new Set<(news: CronNews) => void>();
  const state: { schedules: Schedules | undefined; enabled: boolean; warned: boolean; look: Timer | undefined } = {
    schedules: undefined,
    enabled: false,
    warned: false,
    look: undefined,
  };

  const isEnabled = (): boolean => deps.enabledByEnv && deps.config().enabled;
  const schedules = (): Schedules => state.schedules!;
  const rules = (): JobRules => ({
    schedules: schedules(),
    zone: deps.zone(),
    agentExists: deps.agentExists,
    canonicalKey: deps.canonicalKey,
  });
  const notify = (news: CronNews): void => {
    for (const listener of listeners) listener(news);
  };
  const next = (ms: number | undefined) => (ms === undefined ? {} : { nextRunAtMs: ms });

  const store = createJobStore({
    path: deps.path,
    ledger,
    clock,
    log,
    jobQueue,
    read: (raw) => readKeptJob(raw, clock.now(), rules()),
    adopted,
  });
  const scheduler = createScheduler({
    store,
    ledger,
    clock,
    log,
    jobQueue,
    schedules,
    settings: () => ({
      enabled: state.enabled,
      maxRuns: deps.config().maxConcurrentRuns,
      missed: missedDefaults(deps.config()),
    }),
    run: (job, run, signal) => deps.run(whole(job), run, signal),
    notify: ({ id, text, job }) => deps.notify({ id, text, job: whole(job) }),
    announce: notify,
  });
  const show = { entries: store.entries, schedules, problemOf: deps.problemOf, now: () => clock.now() };

  function whole(job: StoredJob): CronJob {
    const entry = store.entries.get(job.id);
    return { ...job, state: entry && isGood(entry) ? stateOf(entry) : {} };
  }

  /** Somebody edited the file. */
  function adopted(id: string, action: 'added' | 'updated' | 'removed'): void {
    const entry = store.entries.get(id);
    scheduler.reckon(id);
    notify(
      action === 'removed'
        ? { action, jobId: id }
        : { action, jobId: id, ...next(entry && isGood(entry) ? entry.dueAtMs : undefined) },
    );
  }

  const loaded = loadOnce(async () => {
    state.schedules ??= await loadSchedules({ hostZone: deps.hostZone, zone: deps.zone });
    await store.load();
  });

  /** The jobs as the file has them now. */
  async function ready(): Promise<void> {
    await loaded.get();
    await store.look();
  }

  async function readyToChange(): Promise<void> {
    await ready();
    store.refuseWhileBroken();
    if (state.enabled || state.warned || isEnabled()) return;
    state.warned = true;
    log.warn('cron.disabled', {
      detail: 'Jobs can be changed, but none runs by itself: cron.enabled is false, or CLAWDBOT_SKIP_CRON is set.',
    });
  }

  function known(id: string): Entry {
    const entry = store.entries.get(id);
    if (!entry)
      throw new AppError('not_found', `There is no job "${id.slice(0, 128)}"; list the jobs to see their ids.`);
    return entry;
  }

  async function become(id: string, entry: JobEntry, action: 'added' | 'updated'): Promise<CronJobView> {
    const holds = (await store.become(id, entry))!;
    scheduler.reckon(id);
    notify({ action, jobId: id, ...next(holds.dueAtMs) });
    return showJob(holds, INSTANTS_SHOWN, show);
  }

  return {
    async start(): Promise<void> {
      state.enabled = isEnabled();
      await loaded.get();
      await scheduler.start();
      state.look = clock
        .setInterval(
          () => void store.look().catch((error: unknown) => log.error('cron.store.look', { error })),
          LOOK_MS,
        )
        .unref();
    },
    /** Writes what is to be written; runs go on in the next run. */
    async close(): Promise<void> {
      state.look?.cancel();
      await scheduler.stop();
      if (loaded.begun)
        await loaded.begun.then(
          () => store.close(),
          () => undefined /* nothing was read, nothing is to be written */,
        );
    },
    /** `cron` of the configuration may be another one. */
    configChanged(): void {
      state.enabled = isEnabled();
      if (loaded.begun)
        void loaded.begun
          .then(() => scheduler.configure())
          .catch((error: unknown) => log.error('cron.config', { error }));
    },

    async status() {
      await ready();
      return {
        enabled: isEnabled(),
        storePath: deps.path,
        jobs: store.entries.size,
        running: scheduler.running,
        nextWakeAtMs: scheduler.nextMs() ?? null,
        zone: deps.zone(),
        enabledJobs: [...store.entries.values()].reduce(
          (count, entry) => count + (isGood(entry) && entry.job.enabled ? 1 : 0),
          0,
        ),
        ...present({ problem: store.problem }),
      };
    },
    async list(
      filter: CronListFilter = {},
    ): Promise<{ readonly jobs: readonly CronJobView[]; readonly total: number }> {
      await ready();
      return listJobs(filter, show);
    },
    get(id: string): CronJobView | undefined {
      const entry = store.entries.get(id);
      return entry && showJob(entry, INSTANTS_SHOWN, show);
    },
    async add(job: unknown, by: { readonly agentId?: string; readonly owner?: CronOwner } = {}): Promise<CronJobView> {
      await readyToChange();
      if (store.entries.size >= MAX_JOBS)
        throw new AppError('too_large', `There are ${MAX_JOBS} jobs already; remove some first.`);
      const nowMs = clock.now();
      const stored = await readNewJob(job, { id: uuid(), nowMs, ...by }, rules());
      return jobQueue.run(stored.id, () => become(stored.id, changedEntry(undefined, stored, nowMs), 'added'));
    },
    async update(id: string, patch: unknown): Promise<CronJobView> {
      await readyToChange();
      return jobQueue.run(id, async () => {
        const before = known(id);
        const good = isGood(before) ? before : undefined;
        const raw = isGood(before) ? before.job : { ...(isPlainObject(before.raw) ? before.raw : {}), id };
        const nowMs = clock.now();
        const stored = await readChangedJob({ createdAtMs: nowMs, enabled: true, ...raw }, patch, nowMs, rules());
        if (good && isBygone(stored, good.job, nowMs))
          throw new AppError(
            'invalid',
            `schedule: "${schedules().inWords(stored.schedule)}" has gone by; give it a new time, or run it by hand.`,
          );
        return become(id, changedEntry(good, stored, nowMs), 'updated');
      });
    },
    async remove(id: string): Promise<{ readonly removed: boolean }> {
      await readyToChange();
      return jobQueue.run(id, async () => {
        if (!store.entries.has(id)) return { removed: false };
        await store.become(id, null);
        scheduler.reckon(id);
        notify({ action: 'removed', jobId: id });
        return { removed: true };
      });
    },
    async run(
      id: string,
      mode: 'due' | 'force',
    ): Promise<{
      readonly ran: boolean;
      readonly reason?: 'not-due' | 'already-running' | 'disabled';
      readonly runId?: string;
    }> {
      await ready();
      known(id);
      const begun = await scheduler.runNow(id, mode);
      return 'run' in begun ? { ran: true, runId: cronRunId(begun.run) } : { ran: false, reason: begun.reason };
    },
    async runs(
      filter: Parameters<CronLedger['ended']>[0],
    ): Promise<{ readonly runs: readonly CronRun[]; readonly total: number }> {
      return ledger.ended(filter);
    },
    async preview(written: unknown, count: number): Promise<CronPreview> {
      await loaded.get();
      const nowMs = clock.now();
      const schedule = await readSchedule(written, { nowMs, zone: deps.zone() });
      const { slots } = schedules().between(
        schedule,
        { afterMs: nowMs, untilMs: Infinity, limit: Math.min(count, 100), keep: 'oldest' },
        nowMs,
      );
      return {
        schedule,
        when: schedules().inWords(schedule),
        zone: schedules().zoneFor(schedule),
        nextRunsAtMs: slots,
      };
    },
    async calendar(span: {
      readonly fromMs: number;
      readonly toMs: number;
      readonly limit: number;
    }): Promise<{ readonly runs: readonly CronInstant[]; readonly more: boolean }> {
      await ready();
      return calendarOf(span, show);
    },
    subscribe(listener: (news: CronNews) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Writes `jobs.json` now. */
    flush: (): Promise<void> => store.flush(),
  };
}

/** A client names an instant a little before it arrives here. */
const SLACK_MS = 60_000;

/** A job that runs once and whose time has gone by would be switched on for nothing. */
function isBygone({ schedule, enabled }: StoredJob, before: StoredJob, nowMs: number): boolean {
  if (schedule.kind !== 'at' || !enabled) return false;
  const isSame = before.schedule === schedule;
  return !(isSame && before.enabled) && schedule.atMs <= nowMs - (isSame ? 0 : SLACK_MS);
}
