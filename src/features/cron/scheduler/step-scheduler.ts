/**
 * The scheduler as a state machine: `(state, event) → [state, effects]`. Every slot is claimed before it starts, jobs
 * run in parallel up to a limit, never twice at once, and one timer waits for the next due job. Pure.
 */
import type { Schedules } from '../schedule/schedules.ts';
import { endRun, findRun, recorded, settleNotice } from './end-run.ts';
import { firstRanked, ranked, takeRanked, withRanked, type RankedEntry, type RankedMap } from './ranked-map.ts';
import {
  isActive,
  type SchedulerEffect,
  type SchedulerEvent,
  type SchedulerState,
  type SchedulerStep,
  type Waiting,
} from './scheduler-state.ts';
import { askRun, claimed, HOLD_MS, takeTurn } from './take-turn.ts';

type Event<Type extends SchedulerEvent['type']> = Extract<SchedulerEvent, { readonly type: Type }>;

/** The clock on the wall may be set and machines sleep: the timer never waits longer. */
const LONGEST_WAIT_MS = 60_000;
/** A clock that shows this much less was set back, not corrected. */
const SET_BACK_MS = 1000;

/** What an event makes of the scheduler. Whatever happens, free places are given away and the timer is set. */
export function stepScheduler(state: SchedulerState, event: SchedulerEvent, schedules: Schedules): SchedulerStep {
  const [next, effects] = stepOf(state, event, schedules);
  const [placed, turns] = givePlaces(next);
  const [timed, timer] = setTimer(placed, event.nowMs);
  // The timer comes first: carrying out what follows may set another one.
  return [timed, [...timer, ...effects, ...turns]];
}

function stepOf(state: SchedulerState, event: SchedulerEvent, schedules: Schedules): SchedulerStep {
  switch (event.type) {
    case 'started':
      return started(state, event);
    case 'configured':
      return configured({ ...state, settings: event.settings });
    case 'stopped':
      return [quiet({ ...state, phase: 'stopped' }), []];
    case 'jobReckoned':
      return [reckoned(state, event), []];
    case 'jobGone':
      return [forgotten(state, event.jobId), []];
    case 'ticked':
      return ticked(state, event);
    case 'turnCame':
      return takeTurn(state, event, schedules);
    case 'turnEnded':
      return turnEnded(state, event);
    case 'runAsked':
      return [state, askRun(state, event, schedules)];
    case 'claimed':
      return claimed(state, event, schedules);
    case 'runFound':
      return findRun(state, event, schedules);
    case 'runEnded':
      return [state, endRun(state, event, schedules)];
    case 'recorded':
      return [state, recorded(event)];
    case 'jobFreed':
      return freed(state, event);
    case 'notified':
      return [state, settleNotice(event)];
  }
}

/** An instance that was stopped while the file was read does not start. */
function started(state: SchedulerState, { settings }: Event<'started' | 'configured'>): SchedulerStep {
  return configured({ ...state, settings, phase: state.phase === 'stopped' ? 'stopped' : 'started' });
}

function configured(state: SchedulerState): SchedulerStep {
  if (state.phase === 'stopped') return [state, []];
  const resume = isActive(state) && !state.resumed;
  const next = isActive(state) ? { ...state, resumed: true } : quiet(state);
  return [next, [{ type: 'reckonAll', resume }]];
}

/** Nothing is due any more. */
const quiet = (state: SchedulerState): SchedulerState => ({ ...state, due: undefined, waiting: undefined });

/** What runs is reckoned anew when it has ended. */
function reckoned(state: SchedulerState, { jobId, dueMs }: Event<'jobReckoned'>): SchedulerState {
  if (!isActive(state) || state.running.has(jobId)) return state;
  const rank = dueMs === undefined ? undefined : Math.max(dueMs, ranked(state.heldUntil, jobId)?.rank ?? -Infinity);
  return { ...state, due: withRanked(state.due, jobId, rank === undefined ? undefined : { rank }) };
}

const forgotten = (state: SchedulerState, jobId: string): SchedulerState => ({
  ...state,
  due: withRanked(state.due, jobId, undefined),
  waiting: withRanked(state.waiting, jobId, undefined),
  heldUntil: withRanked(state.heldUntil, jobId, undefined),
  busyUntil: withRanked(state.busyUntil, jobId, undefined),
});

function ticked(before: SchedulerState, { nowMs }: Event<'ticked'>): SchedulerStep {
  const state: SchedulerState = { ...before, timerMs: Infinity };
  if (!isActive(state)) return [state, []];
  const [taken, due] = takeRanked(state.due, nowMs);
  const waiting = taken
    .filter(({ id }) => !state.running.has(id))
    .reduce(
      (map, { id, item }) => withRanked(map, id, { rank: item.rank, noticedMs: ranked(map, id)?.noticedMs ?? nowMs }),
      state.waiting,
    );
  const next: SchedulerState = { ...state, due, waiting, lastTickMs: nowMs };
  if (nowMs >= state.lastTickMs - SET_BACK_MS) return [next, []];
  return [
    { ...next, catchUpMs: 0, heldUntil: undefined },
    [
      { type: 'warn', event: 'cron.clock-set-back', fields: { byMs: state.lastTickMs - nowMs } },
      { type: 'reckonAll', resume: false },
    ],
  ];
}

/** While the ledger is not to be had nothing is begun that could not be told from something begun before. */
function turnEnded(state: SchedulerState, { jobId, nowMs, failed }: Event<'turnEnded'>): SchedulerStep {
  const turns = new Map(state.turns);
  turns.delete(jobId);
  if (!failed) return [{ ...state, turns }, []];
  const heldUntil = withRanked(state.heldUntil, jobId, { rank: nowMs + HOLD_MS });
  return [{ ...state, turns, heldUntil }, [{ type: 'reckon', jobId }]];
}

function freed(state: SchedulerState, { jobId, nowMs }: Event<'jobFreed'>): SchedulerStep {
  const running = new Map(state.running);
  running.delete(jobId);
  const leftOver = new Set(state.leftOver);
  const resume: readonly SchedulerEffect[] = leftOver.delete(jobId) ? [{ type: 'resume', jobId }] : [];
  const busyUntil = withRanked(state.busyUntil, jobId, { rank: nowMs });
  return [{ ...state, running, leftOver, busyUntil }, [...resume, { type: 'reckon', jobId }]];
}

/** What waits is begun as far as there are places; what is run by hand takes none. */
function givePlaces(state: SchedulerState): SchedulerStep {
  if (!isActive(state) || !state.waiting) return [state, []];
  const taken = new Set(state.turns.keys());
  for (const { jobId, trigger } of state.running.values()) if (trigger !== 'manual') taken.add(jobId);
  const turns = new Map(state.turns);
  const effects: SchedulerEffect[] = [];
  let waiting: RankedMap<Waiting> = state.waiting;
  for (let places = state.settings.maxRuns - taken.size; places > 0 && waiting; ) {
    const { id, item }: RankedEntry<Waiting> = waiting.first;
    waiting = withRanked(waiting, id, undefined);
    if (turns.has(id)) continue; // it is looked at already, and reckoned anew afterwards
    turns.set(id, item.noticedMs);
    effects.push({ type: 'takeTurn', jobId: id });
    places--;
  }
  return [{ ...state, waiting, turns }, effects];
}

/** Nothing set is taken back while there is anything to wait for: an early timer does no harm. */
function setTimer(state: SchedulerState, nowMs: number): SchedulerStep {
  if (!isActive(state)) {
    if (state.timerMs === Infinity) return [state, []];
    return [{ ...state, timerMs: Infinity }, [{ type: 'setTimer', atMs: undefined }]];
  }
  const first = firstRanked(state.due);
  if (!first && !state.waiting && state.turns.size + state.running.size === 0) return [state, []];
  const atMs = Math.min(first?.item.rank ?? Infinity, nowMs + LONGEST_WAIT_MS);
  return atMs >= state.timerMs ? [state, []] : [{ ...state, timerMs: atMs }, [{ type: 'setTimer', atMs }]];
}
