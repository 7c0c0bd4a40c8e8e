/**
 * The lane state machine: `(state, event) → [state, effects]`. One turn at a time per session, messages in order of
 * arrival, a limited number of turns of each kind. Pure.
 */
import { enqueue } from './enqueue.ts';
import type { WorkKind } from './semaphore.ts';
import {
  IDLE_LANE,
  turnOf,
  waitingIn,
  type Lane,
  type LaneEffect,
  type LaneEvent,
  type LaneItem,
  type LanesState,
  type LanesStep,
  type LaneTurn,
  type TurnRef,
} from './lane-state.ts';
import { nextOf } from './next-batch.ts';
import { acquire, grant, release } from './semaphore.ts';

/** What an event makes of the lanes; one that is out of date (of a turn that ended) changes nothing. */
export function stepLanes<T extends LaneItem>(state: LanesState<T>, event: LaneEvent<T>): LanesStep<T> {
  switch (event.type) {
    case 'arrived':
      return advance(state, event, enqueue(laneOf(state, event.key), event));
    case 'resumed': {
      const lane = laneOf(state, event.key);
      return advance(state, event, [{ ...lane, batches: [...lane.batches, event.items] }]);
    }
    case 'taskRequested': {
      const lane = laneOf(state, event.key);
      return advance(state, event, [{ ...lane, tasks: [...lane.tasks, event.task] }]);
    }
    case 'debounced':
      return advance(state, event, [laneOf(state, event.key)]);
    case 'limited':
      return limited(state, event.kind, event.limit);
    case 'steered':
      return steered(state, event);
    case 'turnEnded':
      return turnEnded(state, event);
    case 'taskEnded': {
      const lane = laneOf(state, event.key);
      return lane.doing.is === 'task' ? advance(state, event, [{ ...lane, doing: { is: 'idle' } }]) : [state, []];
    }
    case 'aborted':
      return advance(state, event, aborted(laneOf(state, event.key), event.runId));
    case 'suspended':
      return suspended(state, event.at);
    case 'halted':
      return [state, [...state.lanes.values()].flatMap((lane) => interrupted(turnOf(lane), 'halted'))];
  }
}

const laneOf = <T>({ lanes }: LanesState<T>, key: string): Lane<T> => lanes.get(key) ?? IDLE_LANE;

/** The turn an event tells of, unless it has let go of its lane or does not run yet. */
function runningTurn<T>(state: LanesState<T>, { key, turn: id }: TurnRef): LaneTurn<T> | undefined {
  const turn = turnOf(laneOf(state, key));
  return turn?.id === id && turn.placed ? turn : undefined;
}

/** With that lane; one where nothing waits or runs is forgotten. */
function withLane<T>(state: LanesState<T>, key: string, lane: Lane<T>): LanesState<T> {
  const lanes = new Map(state.lanes);
  const empty = lane.doing.is === 'idle' && lane.waiting.length === 0 && lane.batches.length === 0;
  if (empty && lane.tasks.length === 0) lanes.delete(key);
  else lanes.set(key, lane);
  return { ...state, lanes };
}

/**
 * Puts the changed lane back; when it does nothing, or only waits for more, it begins what comes next. `effects` come
 * last: whoever hears of them finds the lane as it is now.
 */
function advance<T extends LaneItem>(
  state: LanesState<T>,
  { key, at }: { readonly key: string; readonly at: number },
  [lane, effects = []]: readonly [Lane<T>, (readonly LaneEffect<T>[])?],
): LanesStep<T> {
  if (lane.doing.is === 'turn' || lane.doing.is === 'task') return [withLane(state, key, lane), effects];
  const next = nextOf(lane, at, state.suspended);
  if (next.is === 'wait')
    return [
      withLane(state, key, { ...lane, doing: { is: 'debouncing' } }),
      [{ do: 'debounce', key, ms: next.ms }, ...effects],
    ];
  const ended: LaneEffect<T>[] = lane.doing.is === 'debouncing' ? [{ do: 'endDebounce', key }] : [];
  if (next.is === 'nothing') return [withLane(state, key, { ...lane, doing: { is: 'idle' } }), [...ended, ...effects]];
  if (next.is === 'task')
    return [
      withLane(state, key, { ...next.lane, doing: { is: 'task' } }),
      [...ended, { do: 'task', key, task: next.task }, ...effects],
    ];
  const [begun, more] = beginTurn(state, key, next);
  return [begun, [...ended, ...more, ...effects]];
}

/** The turn has the lane from now on, and runs when it gets a place of its kind. */
function beginTurn<T extends LaneItem>(
  state: LanesState<T>,
  key: string,
  { lane, items }: { readonly lane: Lane<T>; readonly items: readonly T[] },
): LanesStep<T> {
  const id = state.nextTurn;
  const kind: WorkKind = items[0]?.kind ?? 'main';
  const doing: LaneTurn<T> = {
    is: 'turn',
    id,
    kind,
    placed: false,
    members: items,
    steered: [],
    dropped: lane.dropped,
  };
  const places = acquire(state.places, kind, { key, turn: id });
  return [
    withLane({ ...state, places, nextTurn: id + 1 }, key, { ...lane, doing, dropped: [] }),
    [
      { do: 'begin', key, turn: id },
      { do: 'limit', kind },
    ],
  ];
}

/** Free places go to those who wait for one. */
function limited<T>(state: LanesState<T>, kind: WorkKind, limit: number): LanesStep<T> {
  const [places, granted] = grant(state.places, kind, limit);
  const lanes = new Map(state.lanes);
  const effects = granted.map(({ key, turn }): LaneEffect<T> => {
    const lane = laneOf(state, key);
    const doing = turnOf(lane)!; // a turn keeps its lane until it ends, and it cannot end before it has a place
    lanes.set(key, { ...lane, doing: { ...doing, placed: true, dropped: [] } });
    return { do: 'run', key, turn, items: doing.members, dropped: doing.dropped };
  });
  return [{ ...state, places, lanes }, effects];
}

function steered<T extends LaneItem>(state: LanesState<T>, event: TurnRef): LanesStep<T> {
  const turn = runningTurn(state, event);
  if (!turn || turn.steered.length === 0) return [state, []];
  const doing = { ...turn, members: [...turn.members, ...turn.steered], steered: [] };
  return [withLane(state, event.key, { ...laneOf(state, event.key), doing }), [{ do: 'steer', items: turn.steered }]];
}

/** What was not steered in arrived before anything that waits. */
function turnEnded<T extends LaneItem>(state: LanesState<T>, event: TurnRef & { readonly at: number }): LanesStep<T> {
  const turn = runningTurn(state, event);
  if (!turn) return [state, []];
  const lane = laneOf(state, event.key);
  const waiting = [...turn.steered, ...lane.waiting];
  const lastArrival = waiting.length === 0 ? undefined : lane.lastArrival;
  const freed = { ...state, places: release(state.places, turn.kind) };
  return advance(freed, event, [
    { ...lane, doing: { is: 'idle' }, waiting, lastArrival },
    [{ do: 'limit', kind: turn.kind }],
  ]);
}

/** Takes out what is meant, and interrupts the turn that answers it. */
function aborted<T extends LaneItem>(
  lane: Lane<T>,
  runId: string | undefined,
): readonly [Lane<T>, readonly LaneEffect<T>[]] {
  const meant = (item: T): boolean => runId === undefined || item.runId === runId;
  const others = (items: readonly T[]): readonly T[] => items.filter((item) => !meant(item));
  const turn = turnOf(lane);
  const removed = waitingIn(lane).filter(meant);
  const left: Lane<T> = {
    ...lane,
    doing: turn ? { ...turn, steered: others(turn.steered) } : lane.doing,
    batches: lane.batches.map(others).filter((batch) => batch.length > 0),
    waiting: others(lane.waiting),
    dropped: runId === undefined ? [] : lane.dropped,
  };
  const effects: LaneEffect<T>[] = removed.length === 0 ? [] : [{ do: 'handBack', items: removed }];
  return [left, [...effects, ...interrupted(turn?.members.some(meant) ? turn : undefined, 'stopped')]];
}

function interrupted<T>(turn: LaneTurn<T> | undefined, reason: 'stopped' | 'halted'): LaneEffect<T>[] {
  return turn ? [{ do: 'interrupt', turn: turn.id, reason, items: turn.members }] : [];
}

/** Waits for more messages end: no turn would begin after them. */
function suspended<T extends LaneItem>(state: LanesState<T>, at: number): LanesStep<T> {
  return [...state.lanes].reduce<LanesStep<T>>(
    ([before, effects], [key, lane]) => {
      const [after, more] = advance(before, { key, at }, [lane]);
      return [after, [...effects, ...more]];
    },
    [{ ...state, suspended: true }, []],
  );
}
