/** The cron service: adds, changes, lists and runs jobs; the composition root provides how a run is executed. */
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
import type { CronRun } from './ledger-rows.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { uuid } from '../../platform/ids.ts';
import { createKeyedQueue } from '../../platform/keyed-queue.ts';
import { loadOnce, type Lazy } from '../../platform/load-once.ts';
import { missedDefaults, type CronConfig } from './config.ts';
import { readChangedJob, readKeptJob, readNewJob, type JobRules } from './job/read-job.ts';
import type { CronStatus } from './answers.ts';
import type { CronService } from './cron-service.ts';
import type { CronLedger } from './ledger.ts';
import { loadSchedules, readSchedule, type Schedules } from './schedule/schedules.ts';
import { createScheduler, type Scheduler } from './scheduler/create-scheduler.ts';
import { calendarOf, INSTANTS_SHOWN, listJobs, showJob, type ShowDeps } from './show-jobs.ts';
import { changedEntry, createJobStore, type JobStore } from './store/job-store.ts';
import { isGood, stateOf, type Entry, type JobEntry, type StoredJob } from './store/entry.ts';

export interface CronDeps {
  /** Absolute path of `jobs.json`. */
  readonly path: string;
  readonly ledger: CronLedger;
  config(): CronConfig;
  readonly zones: {
    /** IANA zone of the person: what times in words mean. */
    person(): string;
    /** IANA zone of this machine: what expressions without a zone mean. */
    readonly host: string;
  };
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
const POLL_MS = 60_000;

/** Who a new job is made for. */
interface MadeBy {
  readonly agentId?: string;
  readonly owner?: CronOwner;
}

export const createCron = (deps: CronDeps): Cron => new RunningCron(deps);

/** Creates cron: it starts, follows the configuration, and writes its state before it ends. */
export interface Cron extends CronService {
  start(): Promise<void>;
  /** Writes what is to be written; runs go on in the next run. */
  close(): Promise<void>;
  /** `cron` of the configuration may be another one. */
  configChanged(): void;
  /** Writes `jobs.json` now. */
  flush(): Promise<void>;
}

class RunningCron implements Cron {
  readonly #deps: CronDeps;
  readonly #jobQueue = createKeyedQueue();
  readonly #listeners = new Set<(news: CronNews) => void>();
  readonly #store: JobStore;
  readonly #scheduler: Scheduler;
  readonly #loaded: Lazy<void>;
  readonly #show: ShowDeps;
  #loadedSchedules: Schedules | undefined;
  #enabled = false;
  #warned = false;
  #rereading: Timer | undefined;

  constructor(deps: CronDeps) {
    const { path, ledger, clock, log } = deps;
    this.#deps = deps;
    this.#store = createJobStore({
      path,
      ledger,
      clock,
      log,
      jobQueue: this.#jobQueue,
      read: (raw) => readKeptJob(raw, clock.now(), this.#rules()),
      adopted: (id, action) => this.#adopted(id, action),
    });
    this.#scheduler = createScheduler({
      store: this.#store,
      ledger,
      clock,
      log,
      jobQueue: this.#jobQueue,
      schedules: () => this.#schedules(),
      settings: () => ({
        enabled: this.#enabled,
        maxRuns: deps.config().maxConcurrentRuns,
        missed: missedDefaults(deps.config()),
      }),
      run: (job, run, signal) => deps.run(this.#whole(job), run, signal),
      notify: ({ id, text, job }) => deps.notify({ id, text, job: this.#whole(job) }),
      announce: (news) => this.#announce(news),
    });
    this.#loaded = loadOnce(() => this.#load());
    this.#show = {
      entries: this.#store.entries,
      schedules: () => this.#schedules(),
      problemOf: deps.problemOf,
      now: () => clock.now(),
    };
  }

  async start(): Promise<void> {
    const { clock, log } = this.#deps;
    this.#enabled = this.#isEnabled();
    await this.#loaded.get();
    await this.#scheduler.start();
    const reread = () => this.#store.reread().catch((error: unknown) => log.error('cron.store.look', { error }));
    this.#rereading = clock.setInterval(() => void reread(), POLL_MS).unref();
  }

  async close(): Promise<void> {
    this.#rereading?.cancel();
    await this.#scheduler.stop();
    const [read] = await Promise.allSettled([this.#loaded.begun]);
    // Where nothing was read, nothing is to be written.
    if (this.#loaded.begun && read.status === 'fulfilled') await this.#store.close();
  }

  configChanged(): void {
    this.#enabled = this.#isEnabled();
    if (this.#loaded.begun)
      void this.#loaded.begun
        .then(() => this.#scheduler.configure())
        .catch((error: unknown) => this.#deps.log.error('cron.config', { error }));
  }

  async status(): Promise<CronStatus> {
    await this.#ready();
    const entries = [...this.#store.entries.values()];
    return {
      enabled: this.#isEnabled(),
      storePath: this.#deps.path,
      jobs: entries.length,
      running: this.#scheduler.running,
      nextWakeAtMs: this.#scheduler.nextMs() ?? null,
      zone: this.#deps.zones.person(),
      enabledJobs: entries.filter((entry) => isGood(entry) && entry.job.enabled).length,
      ...present({ problem: this.#store.problem }),
    };
  }

  async list(filter: CronListFilter = {}): Promise<{ readonly jobs: readonly CronJobView[]; readonly total: number }> {
    await this.#ready();
    return listJobs(filter, this.#show);
  }

  get(id: string): CronJobView | undefined {
    const entry = this.#store.entries.get(id);
    return entry && showJob(entry, INSTANTS_SHOWN, this.#show);
  }

  async add(job: unknown, by: MadeBy = {}): Promise<CronJobView> {
    await this.#readyToChange();
    if (this.#store.entries.size >= MAX_JOBS)
      throw new AppError('too_large', `The limit of ${MAX_JOBS} jobs is reached; remove some first.`);
    const nowMs = this.#deps.clock.now();
    const stored = await readNewJob(job, { id: uuid(), nowMs, ...by }, this.#rules());
    return this.#jobQueue.run(stored.id, () =>
      this.#become(stored.id, changedEntry(undefined, stored, nowMs), 'added'),
    );
  }

  async update(id: string, patch: unknown): Promise<CronJobView> {
    await this.#readyToChange();
    return this.#jobQueue.run(id, async () => {
      const before = this.#known(id);
      const good = isGood(before) ? before : undefined;
      const raw = isGood(before) ? before.job : { ...(isPlainObject(before.raw) ? before.raw : {}), id };
      const nowMs = this.#deps.clock.now();
      const stored = await readChangedJob({ createdAtMs: nowMs, enabled: true, ...raw }, patch, nowMs, this.#rules());
      if (good && isBygone(stored, good.job, nowMs))
        throw new AppError(
          'invalid',
          `schedule: "${this.#schedules().inWords(stored.schedule)}" is in the past; set a new time, or run ` +
            'it by hand.',
        );
      return this.#become(id, changedEntry(good, stored, nowMs), 'updated');
    });
  }

  async remove(id: string): Promise<{ readonly removed: boolean }> {
    await this.#readyToChange();
    return this.#jobQueue.run(id, async () => {
      if (!this.#store.entries.has(id)) return { removed: false };
      await this.#store.become(id, null);
      this.#scheduler.reckon(id);
      this.#announce({ action: 'removed', jobId: id });
      return { removed: true };
    });
  }

  async run(id: string, mode: 'due' | 'force'): ReturnType<CronService['run']> {
    await this.#ready();
    this.#known(id);
    const begun = await this.#scheduler.runNow(id, mode);
    return 'run' in begun ? { ran: true, runId: cronRunId(begun.run) } : { ran: false, reason: begun.reason };
  }

  async runs(
    filter: Parameters<CronLedger['ended']>[0],
  ): Promise<{ readonly runs: readonly CronRun[]; readonly total: number }> {
    return this.#deps.ledger.ended(filter);
  }

  async preview(written: unknown, count: number): Promise<CronPreview> {
    await this.#loaded.get();
    const nowMs = this.#deps.clock.now();
    const schedules = this.#schedules();
    const schedule = await readSchedule(written, { nowMs, zone: this.#deps.zones.person() });
    const { slots } = schedules.between(
      schedule,
      { afterMs: nowMs, untilMs: Infinity, limit: Math.min(count, 100), keep: 'oldest' },
      nowMs,
    );
    return {
      schedule,
      when: schedules.inWords(schedule),
      zone: schedules.zoneFor(schedule),
      nextRunsAtMs: slots,
    };
  }

  async calendar(span: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly limit: number;
  }): Promise<{ readonly runs: readonly CronInstant[]; readonly more: boolean }> {
    await this.#ready();
    return calendarOf(span, this.#show);
  }

  subscribe(listener: (news: CronNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  flush(): Promise<void> {
    return this.#store.flush();
  }

  #isEnabled(): boolean {
    return this.#deps.enabledByEnv && this.#deps.config().enabled;
  }

  #schedules(): Schedules {
    return this.#loadedSchedules!;
  }

  #rules(): JobRules {
    const { zones, agentExists, canonicalKey } = this.#deps;
    return { schedules: this.#schedules(), zone: zones.person(), agentExists, canonicalKey };
  }

  async #load(): Promise<void> {
    const { zones } = this.#deps;
    this.#loadedSchedules ??= await loadSchedules({ hostZone: zones.host, zone: zones.person });
    await this.#store.load();
  }

  /** The jobs as the file has them now. */
  async #ready(): Promise<void> {
    await this.#loaded.get();
    await this.#store.reread();
  }

  async #readyToChange(): Promise<void> {
    await this.#ready();
    this.#store.refuseWhileBroken();
    if (this.#enabled || this.#warned || this.#isEnabled()) return;
    this.#warned = true;
    this.#deps.log.warn('cron.disabled', {
      detail:
        'The scheduler is off: cron.enabled is false, or CLAWDBOT_SKIP_CRON is set. Jobs can be changed and run ' +
        'manually.',
    });
  }

  #known(id: string): Entry {
    const entry = this.#store.entries.get(id);
    if (!entry) throw new AppError('not_found', `Unknown job "${id.slice(0, 128)}"; list the jobs to see their ids.`);
    return entry;
  }

  #whole(job: StoredJob): CronJob {
    const entry = this.#store.entries.get(job.id);
    return { ...job, state: entry && isGood(entry) ? stateOf(entry) : {} };
  }

  async #become(id: string, entry: JobEntry, action: 'added' | 'updated'): Promise<CronJobView> {
    const holds = (await this.#store.become(id, entry))!;
    this.#scheduler.reckon(id);
    this.#announce({ action, jobId: id, ...present({ nextRunAtMs: holds.dueAtMs }) });
    return showJob(holds, INSTANTS_SHOWN, this.#show);
  }

  /** Somebody edited the file. */
  #adopted(id: string, action: 'added' | 'updated' | 'removed'): void {
    this.#scheduler.reckon(id);
    const entry = action === 'removed' ? undefined : this.#store.entries.get(id);
    const dueAtMs = entry && isGood(entry) ? entry.dueAtMs : undefined;
    this.#announce({ action, jobId: id, ...present({ nextRunAtMs: dueAtMs }) });
  }

  #announce(news: CronNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}

/** A client names an instant a little before it arrives here. */
const SLACK_MS = 60_000;

/** A job that runs once and whose time has gone by would be switched on for nothing. */
function isBygone({ schedule, enabled }: StoredJob, before: StoredJob, nowMs: number): boolean {
  if (schedule.kind !== 'at' || !enabled) return false;
  const isSame = before.schedule === schedule;
  return !(isSame && before.enabled) && schedule.atMs <= nowMs - (isSame ? 0 : SLACK_MS);
}
