/**
 * The state machine of the scheduler without clock, disk and promises: a test decides the order of events, and every
 * rule is checked after each step.
 */
import assert from 'node:assert/strict';
import { cronRunId, type CronOutcome } from '../cron-job.ts';
import type { CronRun } from '../ledger-rows.ts';
import { afterClockChange } from './after-clock-change.ts';
import { dueOf, staggerOf } from './due.ts';
import { firstRanked, ranked } from './ranked-map.ts';
import {
  isActive,
  newScheduler,
  type SchedulerEffect,
  type SchedulerInput,
  type SchedulerSettings,
} from './scheduler-state.ts';
import { stepScheduler } from './step-scheduler.ts';
import type { Schedules } from '../schedule/schedules.ts';
import { firstSlot, type JobEntry, type StoredJob } from '../store/entry.ts';

type Effect<Type extends SchedulerEffect['type']> = Extract<SchedulerEffect, { readonly type: Type }>;

export interface SchedulerModelOptions {
  readonly schedules: Schedules;
  readonly startMs: number;
  readonly settings: SchedulerSettings;
}

/** What is on its way to the disk. `fail`: the disk is full. */
interface Writing {
  readonly jobId: string;
  done(): void;
  fail(): void;
}

/** Where a run came from: only what the scheduler begins by itself is bounded. */
interface Going {
  readonly run: CronRun;
  readonly byItself: boolean;
}

export type SchedulerModel = ReturnType<typeof createSchedulerModel>;

export function createSchedulerModel({ schedules, startMs, settings }: SchedulerModelOptions) {
  const m = {
    nowMs: startMs,
    timerMs: undefined as number | undefined,
    state: newScheduler(settings, startMs),
    settings,
    /** As many as ran or were looked at when fewer were allowed. */
    allowed: settings.maxRuns,
    setBack: false,
  };
  const entries = new Map<string, JobEntry>();
  const ledger = new Map<string, CronRun>();
  const begun = new Set<string>();
  const going = new Map<string, Going>();
  /** Runs that came to an end that is not written yet. */
  const ending = new Set<CronRun>();
  const writing: Writing[] = [];
  /** Jobs something happens to, with what is to happen next. */
  const turns = new Map<
    string,
    { readonly byItself: boolean; after(failed: boolean): void; waiting: (() => void)[] }
  >();

  function dispatch(input: SchedulerInput): void {
    const [state, effects] = stepScheduler(m.state, { ...input, nowMs: m.nowMs }, schedules);
    m.state = state;
    for (const effect of effects) perform(effect);
  }

  function perform(effect: SchedulerEffect): void {
    switch (effect.type) {
      case 'setTimer':
        return void (m.timerMs = effect.atMs);
      case 'takeTurn':
        return takeTurn(effect.jobId);
      case 'claim':
        return claim(effect);
      case 'startRun':
        return startRun(effect.run);
      case 'resume':
        return inTurn(effect.jobId, () => resumeRun(effect.jobId));
      case 'record':
        return record(effect);
      case 'reckon':
        return reckon(effect.jobId);
      case 'reckonAll':
        return reckonAll(effect.resume);
      case 'keepFacts':
      case 'announce':
      case 'notify':
      case 'warn':
    }
  }

  /** Nothing else happens to the job until everything `work` wrote is on disk. */
  function inTurn(
    jobId: string,
    work: () => void,
    options: { byItself?: boolean; after?: (failed: boolean) => void } = {},
  ): void {
    const holder = turns.get(jobId);
    if (holder) return void holder.waiting.push(() => inTurn(jobId, work, options));
    turns.set(jobId, { byItself: options.byItself ?? false, after: options.after ?? (() => {}), waiting: [] });
    work();
    release(jobId, false);
  }

  function release(jobId: string, failed: boolean): void {
    const turn = turns.get(jobId);
    if (!turn || writing.some((one) => one.jobId === jobId)) return;
    turns.delete(jobId);
    turn.after(failed);
    const [next, ...rest] = turn.waiting;
    next?.();
    const holder = turns.get(jobId);
    if (holder) holder.waiting.push(...rest);
    else for (const one of rest) one();
  }

  function write(jobId: string, then: () => void): void {
    const one: Writing = {
      jobId,
      done: () => end(() => then(), false),
      fail: () => end(() => {}, true),
    };
    const end = (work: () => void, failed: boolean): void => {
      writing.splice(writing.indexOf(one), 1);
      work();
      release(jobId, failed);
    };
    writing.push(one);
  }

  function takeTurn(jobId: string): void {
    const entry = (): JobEntry | undefined => entries.get(jobId);
    inTurn(jobId, () => dispatch({ type: 'turnCame', jobId, entry: entry() }), {
      byItself: true,
      after: (failed) => dispatch({ type: 'turnEnded', jobId, failed }),
    });
  }

  function claim({ run, progress, skipped }: Effect<'claim'>): void {
    const entry = entries.get(run.jobId)!;
    write(run.jobId, () => {
      const won = !ledger.has(cronRunId(run));
      if (won) ledger.set(cronRunId(run), run);
      if (run.trigger !== 'manual' && !m.setBack) assert.ok(won, `${cronRunId(run)} is claimed twice`);
      if (progress) {
        checkCovered(entry, progress.slotMs, { ran: run.attempt === 0 ? 1 : 0, skipped });
        Object.assign(entry, progress);
      }
      dispatch({ type: 'claimed', run, won, entry });
    });
  }

  /** Every occurrence the job leaves behind was run, or stands in a row. */
  function checkCovered(
    { job, slotMs: afterMs }: JobEntry,
    untilMs: number,
    { ran, skipped }: { readonly ran: number; readonly skipped: CronRun | undefined },
  ): void {
    const { slots } = schedules.between(job.schedule, { afterMs, untilMs, limit: 100_000 }, job.createdAtMs);
    const [, count = '1', orMore] = /^(?:(\d+)( or more)? )?/.exec(skipped?.error ?? '')!;
    const rows = ran + (skipped ? Number(count) : 0);
    if (orMore) assert.ok(slots.length > rows, `${slots.length} occurrences, more than ${rows} rows`);
    else assert.equal(rows, slots.length, 'every occurrence is run or recorded as skipped');
  }

  function startRun(run: CronRun): void {
    const entry = entries.get(run.jobId);
    assert.ok(entry, 'a job that was removed does not start');
    assert.ok(!going.has(run.jobId), 'never two runs of one job');
    assert.ok(!begun.has(cronRunId(run)), `${cronRunId(run)} starts once`);
    begun.add(cronRunId(run));
    going.set(run.jobId, { run, byItself: turns.get(run.jobId)?.byItself ?? false });
    entry.dueAtMs = dueOf(entry, schedules);
  }

  function record({ row, as, change, progress }: Effect<'record'>): void {
    write(row.jobId, () => {
      const entry = entries.get(row.jobId);
      ledger.set(cronRunId(row), row);
      if (entry && progress) {
        if (as === 'skipped' && row.attempt === 0) checkCovered(entry, progress.slotMs, { ran: 0, skipped: row });
        if (change === 'removed') entries.delete(row.jobId);
        else
          put(entry.id, {
            ...entry,
            ...progress,
            job: { ...entry.job, enabled: entry.job.enabled && change !== 'off' },
          });
      }
      reckon(row.jobId);
      dispatch({ type: 'recorded', row, change, entry: entries.get(row.jobId) });
    });
  }

  function put(id: string, entry: JobEntry): void {
    entries.set(id, entry);
    reckon(id);
  }

  function reckon(jobId: string): void {
    const entry = entries.get(jobId);
    if (!entry) return dispatch({ type: 'jobGone', jobId });
    entry.dueAtMs = dueOf(entry, schedules);
    dispatch({ type: 'jobReckoned', jobId, dueMs: entry.dueAtMs });
  }

  const unended = (): CronRun[] => [...ledger.values()].filter(({ state }) => state === 'running');

  function resumeRun(jobId: string): void {
    for (const run of unended())
      if (run.jobId === jobId) dispatch({ type: 'runFound', run, entry: entries.get(jobId) });
  }

  function reckonAll(resume: boolean): void {
    if (resume) for (const { jobId } of unended()) inTurn(jobId, () => resumeRun(jobId));
    for (const id of entries.keys()) inTurn(id, () => reckonSound(id));
  }

  function reckonSound(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    const rows = [...ledger.values()].filter((row) => row.jobId === id);
    const kept = { rows: rows.length, oldestSlotMs: rows[0]?.slotMs };
    Object.assign(entry, afterClockChange(entry, { nowMs: m.nowMs, maxAgeMs: m.settings.missed.maxAgeMs, kept }));
    reckon(id);
  }

  const occupied = (): number =>
    [...going].filter(([id, { byItself }]) => byItself && !m.state.turns.has(id)).length + m.state.turns.size;

  /** What holds whenever nothing is being carried out. */
  function check(): void {
    m.allowed = Math.max(m.settings.maxRuns, Math.min(m.allowed, occupied()));
    assert.ok(occupied() <= m.allowed, `${occupied()} at once where ${m.allowed} may be`);
    assert.equal(m.timerMs ?? Infinity, m.state.timerMs, 'the timer is where the state says');
    if (!isActive(m.state)) return assert.equal(m.timerMs, undefined, 'no timer while nothing runs by itself');
    for (const { id, dueAtMs = Infinity } of entries.values()) {
      if (going.has(id) || turns.has(id) || ranked(m.state.waiting, id)) continue;
      const dueMs = Math.max(dueAtMs, ranked(m.state.heldUntil, id)?.rank ?? -Infinity);
      assert.ok(dueMs === Infinity || (m.timerMs ?? Infinity) <= dueMs, `the timer is set for ${id}`);
    }
    const first = firstRanked(m.state.due)?.item.rank ?? Infinity;
    assert.ok(m.state.timerMs <= first, 'the timer is set for what is due first');
    const places = new Set([
      ...m.state.turns.keys(),
      ...[...going].filter(([, { run }]) => run.trigger !== 'manual').map(([id]) => id),
    ]);
    if (m.state.waiting) assert.ok(places.size >= m.settings.maxRuns, 'what waits has no place');
  }

  /** Carries out one thing that happens, and checks the rules. */
  function happens(what: () => void): void {
    what();
    check();
  }

  const runIds = (): string[] => [...going.keys()];
  const model = {
    entries,
    ledger,
    now: () => m.nowMs,
    state: () => m.state,
    writing: () => writing.length,
    running: runIds,
    start: () => happens(() => dispatch({ type: 'started', settings: m.settings })),
    configure: (next: Partial<SchedulerSettings>) =>
      happens(() => {
        m.allowed = Math.max(m.allowed, occupied());
        m.settings = { ...m.settings, ...next };
        dispatch({ type: 'configured', settings: m.settings });
      }),
    /** A job is made, or another one takes its place under its id. */
    change: (job: StoredJob) =>
      happens(() => inTurn(job.id, () => put(job.id, { id: job.id, job, slotMs: firstSlot(job, m.nowMs), facts: {} }))),
    remove: (id: string) =>
      happens(() =>
        inTurn(id, () => {
          entries.delete(id);
          reckon(id);
        }),
      ),
    ask: (id: string, mode: 'due' | 'force') =>
      happens(() =>
        inTurn(id, () => {
          const entry = entries.get(id);
          if (entry && m.state.phase === 'started') dispatch({ type: 'runAsked', mode, entry });
        }),
      ),
    /** Something that is being written is written, or is not. */
    settle: (nth: number, fails = false) =>
      happens(() => {
        const one = writing[nth % Math.max(1, writing.length)];
        // Only a claim is given up; what was done is written sooner or later.
        if (fails && one && turns.get(one.jobId)?.byItself) one.fail();
        else one?.done();
      }),
    end: (nth: number, outcome: CronOutcome) =>
      happens(() => {
        const jobId = runIds()[nth % Math.max(1, going.size)];
        const run = jobId === undefined ? undefined : going.get(jobId)?.run;
        if (!run || ending.has(run)) return;
        ending.add(run);
        inTurn(run.jobId, () => dispatch({ type: 'runEnded', run, outcome, entry: entries.get(run.jobId) }), {
          after: () => {
            going.delete(run.jobId);
            dispatch({ type: 'jobFreed', jobId: run.jobId });
          },
        });
      }),
    /** Time passes; the timer fires when it is due. */
    pass: (ms: number) => {
      const untilMs = m.nowMs + ms;
      for (let fires = 0; fires < 50 && m.timerMs !== undefined && m.timerMs <= untilMs; fires++) {
        m.nowMs = Math.max(m.nowMs, m.timerMs);
        happens(tick);
      }
      m.nowMs = untilMs;
    },
    /** Somebody sets the clock, or the machine slept. */
    setClock: (byMs: number) => {
      m.nowMs += byMs;
      m.setBack ||= byMs < 0;
      happens(tick);
    },
    /** The process is killed: what was not written is lost, and the next instance begins. */
    kill: () =>
      happens(() => {
        writing.length = 0;
        turns.clear();
        going.clear();
        ending.clear();
        begun.clear(); // what runs is taken up again as it was
        m.timerMs = undefined;
        m.state = newScheduler(m.settings, m.nowMs);
        m.allowed = m.settings.maxRuns;
        dispatch({ type: 'started', settings: m.settings });
      }),
    /** The newest occurrence that should have been dealt with and was not. */
    owed: (): readonly string[] =>
      [...entries.values()]
        .filter(({ id, job, slotMs, facts }) => {
          const untilMs = m.nowMs - staggerOf(job);
          const isPutOff = (facts.notBeforeMs ?? 0) > m.nowMs || (ranked(m.state.heldUntil, id)?.rank ?? 0) > m.nowMs;
          const newest = schedules.newest(job.schedule, { afterMs: slotMs, untilMs }, job.createdAtMs);
          return job.enabled && !isPutOff && newest !== undefined;
        })
        .map(({ id }) => id),
  };

  function tick(): void {
    m.timerMs = undefined;
    dispatch({ type: 'ticked' });
  }
  return model;
}
