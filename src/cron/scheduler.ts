/** Runs jobs at their instants: one timer, every instant claimed in the ledger before it is begun, jobs side by side up to a limit, never two of one. */
import type { CronRun } from '../core/cron.ts';
import { AppError } from '../core/errors.ts';
import type { Timer } from '../platform/clock.ts';
import { inSteps } from '../platform/in-steps.ts';
import { noticeOf } from './after-run.ts';
import { byExpression } from './by-expression.ts';
import { createDueHeap } from './due-heap.ts';
import { dueOf, planFor, type Dropped, type Plan } from './due.ts';
import { createRuns, type RunsDeps } from './runs.ts';
import { cursorOf, isGood, type CronFacts, type JobEntry } from './store/entry.ts';

export interface SchedulerDeps extends Omit<RunsDeps, 'freed'> {
  /** Whether anything runs by itself. */
  enabled(): boolean;
  maxRuns(): number;
}

export interface Scheduler {
  /** Takes up what an earlier life left running, then everything that is due. */
  start(): Promise<void>;
  /** Begins nothing more, and waits for nothing: the next life does. */
  stop(): Promise<void>;
  /** Reckons anew when a job is due. */
  arm(entry: JobEntry): void;
  disarm(id: string): void;
  /** The same for all jobs, after the configuration changed. */
  armAll(): Promise<void>;
  /** `force`: a run outside the schedule; `due`: the instant that is due. Resolves when it is begun. */
  runNow(id: string, mode: 'due' | 'force'): Promise<{ readonly run: CronRun } | { readonly reason: 'not-due' | 'already-running' | 'disabled' }>;
  readonly running: number;
  /** When the next job is due; undefined: nothing runs by itself. */
  nextMs(): number | undefined;
}

/** The clock on the wall may be set and machines sleep: it is looked at that often. */
const LOOK_MS = 60_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What was missed is caught up one by one. */
const CATCH_UP_EVERY_MS = 250;
/** Until a job is looked at again that could not be begun. */
const TROUBLE_MS = 10_000;
/** So far back the clock was set, not corrected. */
const SET_BACK_MS = 1000;
/** As many rows of a job as are certainly still in the ledger. */
const KEPT_ROWS = 1900;
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

const ABSENT = 'nobody was there at that time';
const BUSY = 'the run before it had not ended';

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { store, ledger, clock, log, inTurn } = deps;
  const heap = createDueHeap();
  /** Due, and waiting for a free place: id → when it was noticed. */
  const waiting = new Map<string, number>();
  /** When a job's last run ended: what came due until then was not missed by anybody's absence. */
  const busyUntil = new Map<string, number>();
  /** Not to be begun before: jobs with something to catch up, and those the ledger could not take. */
  const paced = new Map<string, number>();
  const state: { timer: Timer | undefined; timerMs: number; beginning: number; lastMs: number; catchUpMs: number; life: 'new' | 'started' | 'stopped'; tookUp: boolean } =
    { timer: undefined, timerMs: Infinity, beginning: 0, lastMs: clock.now(), catchUpMs: 0, life: 'new', tookUp: false };
  const active = (): boolean => state.life === 'started' && deps.enabled();
  const runs = createRuns({ ...deps, freed });
  const runningIn = (id: string): boolean => runs.current.has(id);
  /** Nothing is due, ever, as things stand. */
  const isIdle = (): boolean => heap.first() === undefined && waiting.size + state.beginning + runs.current.size === 0;

  function freed(id: string): void {
    busyUntil.set(id, clock.now());
    const entry = store.entries.get(id);
    if (entry && isGood(entry)) arm(entry);
    else disarm(id);
    pump();
  }

  function arm(entry: JobEntry): void {
    entry.dueAtMs = dueOf(entry, deps.schedules());
    if (!active() || runningIn(entry.id)) return;
    heap.set(entry.id, entry.dueAtMs === undefined ? undefined : Math.max(entry.dueAtMs, paced.get(entry.id) ?? -Infinity));
    setTimer();
  }

  function disarm(id: string): void {
    heap.set(id, undefined);
    for (const map of [waiting, paced, busyUntil]) map.delete(id);
  }

  function setTimer(): void {
    if (!active() || isIdle()) return;
    const nowMs = clock.now();
    const atMs = Math.min(heap.first() ?? Infinity, nowMs + LOOK_MS);
    if (state.timer && atMs >= state.timerMs) return;
    state.timer?.cancel();
    state.timerMs = atMs;
    state.timer = clock.setTimeout(tick, Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(atMs - nowMs)))).unref();
  }

  function tick(): void {
    [state.timer, state.timerMs] = [undefined, Infinity];
    if (!active()) return;
    const nowMs = clock.now();
    if (nowMs < state.lastMs - SET_BACK_MS) setBack(state.lastMs - nowMs);
    state.lastMs = nowMs;
    for (const id of heap.take(nowMs)) if (!runningIn(id)) waiting.set(id, waiting.get(id) ?? nowMs);
    pump();
    setTimer();
  }

  function setBack(byMs: number): void {
    log.warn('cron.clock-set-back', { byMs });
    state.catchUpMs = 0;
    paced.clear();
    void armAll().catch((error: unknown) => log.error('cron.arm', { error }));
  }

  /** Begins what waits as far as there are places; what is run by hand takes none. */
  function pump(): void {
    let places = deps.maxRuns() - [...runs.current.values()].filter(({ trigger }) => trigger !== 'manual').length - state.beginning;
    for (const [id, noticedMs] of waiting) {
      if (places-- <= 0) return;
      waiting.delete(id);
      state.beginning++;
      void inTurn(id, () => take(id, noticedMs)).catch((error: unknown) => notNow(id, error)).finally(() => {
        state.beginning--;
        if (waiting.size > 0) setImmediate(pump); // looking at thousands that are only put off must not hold up everything else
      });
    }
  }

  /** The ledger is not to be had: nothing is begun that could not be told from something begun before. */
  function notNow(id: string, error: unknown): void {
    log.error('cron.claim', { jobId: id, error });
    paced.set(id, clock.now() + TROUBLE_MS);
    const entry = store.entries.get(id);
    if (entry && isGood(entry)) arm(entry);
  }

  async function take(id: string, noticedMs: number): Promise<void> {
    const entry = store.entries.get(id);
    if (!entry || !isGood(entry) || runningIn(id) || !active()) return;
    const plan = planOf(entry, noticedMs);
    if (plan.kind === 'wait') return armLater(entry);
    if (isPutOff(id, plan)) return arm(entry);
    paced.delete(id);
    if (plan.kind === 'drop') return drop(entry, plan.dropped);
    const run = await claim(entry, plan);
    if (run) runs.begin(entry, run);
    else arm(entry);
  }

  /** Should its schedule say "due" and "nothing to do" in one breath, it must not be asked again at once, for ever. */
  function armLater(entry: JobEntry): void {
    const dueMs = dueOf(entry, deps.schedules());
    if (dueMs !== undefined && dueMs <= clock.now()) paced.set(entry.id, clock.now() + TROUBLE_MS);
    arm(entry);
  }

  function planOf(entry: JobEntry, noticedMs: number): Plan {
    const wasBusy = (entry.dueAtMs ?? Infinity) <= (busyUntil.get(entry.id) ?? -Infinity);
    return planFor(entry, { nowMs: clock.now(), noticedMs, late: wasBusy ? BUSY : ABSENT, missed: deps.missed(entry.job) }, deps.schedules());
  }

  /** Jobs that were missed together do not all begin together. */
  function isPutOff(id: string, plan: Plan): boolean {
    if (plan.kind !== 'run' || plan.trigger !== 'catch-up' || paced.has(id)) return false;
    const nowMs = clock.now();
    const turnMs = Math.max(nowMs, state.catchUpMs);
    state.catchUpMs = turnMs + CATCH_UP_EVERY_MS;
    if (turnMs > nowMs) paced.set(id, turnMs);
    return turnMs > nowMs;
  }

  async function claim(entry: JobEntry, { slotMs, attempt, trigger, dropped }: Extract<Plan, { kind: 'run' }>): Promise<CronRun | undefined> {
    const run: CronRun = { jobId: entry.id, slotMs, attempt, trigger, state: 'running', startedAtMs: clock.now() };
    const next = { slotMs: attempt > 0 ? entry.slotMs : slotMs, facts: settled(entry.facts) };
    const claimed = await ledger.commit({ claim: run, cursors: [cursorOf({ ...entry, ...next })], ...(dropped ? { skipped: [skippedRow(entry.id, dropped())] } : {}) });
    Object.assign(entry, next);
    if (!claimed) log.warn('cron.claimed-before', { jobId: entry.id, slotMs, attempt });
    return claimed ? run : undefined;
  }

  const skippedRow = (jobId: string, { slotMs, attempt, error }: Dropped): CronRun =>
    ({ jobId, slotMs, attempt, trigger: 'schedule', state: 'skipped', startedAtMs: clock.now(), endedAtMs: clock.now(), error });

  /** Instants nobody runs any more leave a row; a job that was to run once is over. */
  async function drop(entry: JobEntry, dropped: Dropped): Promise<void> {
    const row = skippedRow(entry.id, dropped);
    const isOver = entry.job.schedule.kind === 'at';
    const over: Partial<CronFacts> = isOver ? { disabledReason: dropped.error, notice: noticeOf(entry.job, row, dropped.error) } : {};
    const facts: CronFacts = { ...settled(entry.facts), lastStatus: 'skipped', lastError: dropped.error, ...over };
    const next: JobEntry = { ...entry, slotMs: dropped.attempt > 0 ? entry.slotMs : dropped.slotMs, facts, ...(isOver ? { job: { ...entry.job, enabled: false } } : {}) };
    const holds = (await store.become(entry.id, next, { skipped: [row] }))!;
    log.warn('cron.skipped', { jobId: entry.id, slotMs: dropped.slotMs, reason: dropped.error });
    arm(holds);
    deps.news.finished(row, holds.dueAtMs);
    if (isOver) deps.news.updated(holds);
    runs.tell(holds);
  }

  async function armAll(): Promise<void> {
    if (!active()) {
      heap.clear();
      state.timer?.cancel();
      [state.timer, state.timerMs] = [undefined, Infinity];
    }
    for await (const entry of inSteps(byExpression([...store.entries.values()], ({ job }) => job?.schedule))) {
      if (!isGood(entry) || store.entries.get(entry.id) !== entry) continue;
      mindTheClock(entry);
      arm(entry);
    }
    setTimer();
  }

  /** Nothing waits for a time that was only ever the clock's mistake. What ran under it has its rows and does not run again. */
  function mindTheClock(entry: JobEntry): void {
    const nowMs = clock.now();
    const { retry, notBeforeMs } = entry.facts;
    if (notBeforeMs !== undefined && notBeforeMs > nowMs + HOUR_MS) entry.facts = { ...entry.facts, notBeforeMs: nowMs };
    if (retry && retry.atMs > nowMs + Math.max(DAY_MS, deps.missed(entry.job).maxAgeMs)) entry.facts = { ...entry.facts, retry: { ...retry, atMs: nowMs } };
    if (entry.slotMs <= nowMs || entry.job.schedule.kind === 'at') return;
    const { rows, oldestSlotMs = nowMs } = ledger.kept(entry.id);
    entry.slotMs = rows < KEPT_ROWS ? nowMs : Math.max(nowMs, Math.min(entry.slotMs, oldestSlotMs));
  }

  /** Once in a life: afterwards what runs is ours, and its end is on the way. */
  async function takeUp(): Promise<void> {
    if (!active() || state.tookUp) return;
    state.tookUp = true;
    for (const run of ledger.running()) await inTurn(run.jobId, () => runs.takeUp(run)).catch((error: unknown) => log.error('cron.take-up', { jobId: run.jobId, error }));
    for (const entry of store.entries.values()) if (isGood(entry)) runs.tell(entry);
  }

  return {
    async start() {
      if (state.life === 'stopped') return; // while the file was read
      state.life = 'started';
      await takeUp();
      await armAll();
    },
    async stop() {
      state.life = 'stopped';
      state.timer?.cancel();
      heap.clear();
      waiting.clear();
      await runs.stop();
    },
    arm,
    disarm,
    async armAll() {
      await takeUp();
      await armAll();
    },
    runNow: (id, mode) => inTurn(id, async () => {
      const entry = store.entries.get(id);
      if (!entry || state.life !== 'started') throw new AppError(entry ? 'unavailable' : 'not_found', entry ? 'The gateway is starting or stopping.' : `There is no job "${id}".`);
      if (!isGood(entry)) throw new AppError('invalid', entry.problem);
      if (runningIn(id)) return { reason: 'already-running' };
      if (mode === 'force') return { run: await byHand(entry) };
      return entry.job.enabled ? nowDue(entry) : { reason: 'disabled' };
    }),
    get running() { return runs.current.size; },
    nextMs: () => (active() ? heap.first() : undefined),
  };

  async function nowDue(entry: JobEntry): Promise<{ readonly run: CronRun } | { readonly reason: 'not-due' }> {
    const plan = planOf(entry, clock.now());
    if (plan.kind === 'drop') await drop(entry, plan.dropped);
    const run = plan.kind === 'run' ? await claim(entry, plan) : undefined;
    if (!run) return { reason: 'not-due' };
    heap.set(entry.id, undefined);
    runs.begin(entry, run);
    return { run };
  }

  /** Its instant is this moment, moved a little where it would be one of the schedule's, which is still to run. */
  async function byHand(entry: JobEntry): Promise<CronRun> {
    const { schedule, createdAtMs } = entry.job;
    const startedAtMs = clock.now();
    for (let slotMs = startedAtMs; ; slotMs++) {
      const isSlot = deps.schedules().newest(schedule, { afterMs: slotMs - 1, untilMs: slotMs }, createdAtMs) !== undefined;
      if (isSlot && slotMs < startedAtMs + 10) continue;
      const run: CronRun = { jobId: entry.id, slotMs, attempt: 0, trigger: 'manual', state: 'running', startedAtMs };
      if (!(await ledger.commit({ claim: run }))) continue;
      heap.set(entry.id, undefined);
      runs.begin(entry, run);
      return run;
    }
  }
}

/** A new instant is begun or let go: what was planned for the one before is over. */
const settled = ({ retry: _retry, notBeforeMs: _notBefore, ...facts }: CronFacts): CronFacts => facts;
