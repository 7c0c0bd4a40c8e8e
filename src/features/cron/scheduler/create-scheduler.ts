/** Drives the state machine of the scheduler: passes events to it and performs its effects. */
import type { CronRun } from '../ledger-rows.ts';
import { AppError } from '../../../core/errors.ts';
import { isGood, type JobEntry } from '../store/entry.ts';
import { createPerform, type PerformDeps } from './perform-effects.ts';
import { firstRanked } from './ranked-map.ts';
import { isActive, newScheduler, type SchedulerInput, type SchedulerSettings } from './scheduler-state.ts';
import { stepScheduler } from './step-scheduler.ts';

export interface SchedulerDeps extends Omit<PerformDeps, 'dispatch' | 'state'> {
  settings(): SchedulerSettings;
}

/** What somebody who asked for a run is told: it is begun, or why not. */
export type RunAnswer = { readonly run: CronRun } | { readonly reason: 'not-due' | 'already-running' | 'disabled' };

/** Runs jobs when they are due. */
export interface Scheduler {
  /** Takes up what an earlier instance left running, then everything that is due. */
  start(): Promise<void>;
  /** Begins nothing more, and waits for nothing: the next instance does. */
  stop(): Promise<void>;
  /** Finds out anew when a job is due that was made, changed or removed. */
  reckon(id: string): void;
  /** The configuration is another one. */
  configure(): Promise<void>;
  /** `force`: a run outside the schedule; `due`: the occurrence that is due. Resolves when it is begun. */
  runNow(id: string, mode: 'due' | 'force'): Promise<RunAnswer>;
  readonly running: number;
  /** When the next job is due; undefined: nothing runs by itself. */
  nextMs(): number | undefined;
}

/** One timer and one state; everything else is in the step and in the effects. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { store, clock, jobQueue } = deps;
  const machine = { state: newScheduler(deps.settings(), clock.now()) };

  const perform = createPerform({ ...deps, dispatch, state: () => machine.state });

  /** Resolves when what follows from the event is done. */
  async function dispatch(input: SchedulerInput): Promise<void> {
    const [state, effects] = stepScheduler(machine.state, { ...input, nowMs: clock.now() }, deps.schedules());
    machine.state = state;
    await Promise.all(effects.map(async (effect) => perform.effect(effect)));
  }

  async function runInTurn(id: string, mode: 'due' | 'force'): Promise<RunAnswer> {
    const entry = entryToRun(id);
    if (machine.state.running.has(id)) return { reason: 'already-running' };
    if (mode === 'due' && !entry.job.enabled) return { reason: 'disabled' };
    await dispatch({ type: 'runAsked', mode, entry });
    const run = machine.state.running.get(id);
    return run ? { run } : { reason: 'not-due' };
  }

  function entryToRun(id: string): JobEntry {
    const entry = store.entries.get(id);
    if (!entry) throw new AppError('not_found', `Unknown job "${id}".`);
    if (machine.state.phase !== 'started') throw new AppError('unavailable', 'The gateway is starting or stopping.');
    if (!isGood(entry)) throw new AppError('invalid', entry.problem);
    return entry;
  }

  return {
    start: () => dispatch({ type: 'started', settings: deps.settings() }),
    async stop() {
      await dispatch({ type: 'stopped' });
      await perform.stop();
    },
    reckon: perform.reckon,
    configure: () => dispatch({ type: 'configured', settings: deps.settings() }),
    runNow: (id, mode) => jobQueue.run(id, () => runInTurn(id, mode)),
    get running() {
      return machine.state.running.size;
    },
    nextMs: () => (isActive(machine.state) ? firstRanked(machine.state.due)?.item.rank : undefined),
  };
}
