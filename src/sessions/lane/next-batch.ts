/** Decides what an idle lane does next: exclusive work, a turn with certain messages, or wait for more. Pure. */
import type { Lane, LaneItem } from './lane-state.ts';

/** What comes next, and the lane without it. */
export type Next<T> =
  | { readonly is: 'task'; readonly task: number; readonly lane: Lane<T> }
  | { readonly is: 'turn'; readonly items: readonly T[]; readonly lane: Lane<T> }
  | { readonly is: 'wait'; readonly ms: number }
  | { readonly is: 'nothing' };

/** Exclusive work first; then, unless the lanes are suspended, turns in order of arrival. */
export function nextOf<T extends LaneItem>(lane: Lane<T>, at: number, suspended: boolean): Next<T> {
  const [task, ...tasks] = lane.tasks;
  if (task !== undefined) return { is: 'task', task, lane: { ...lane, tasks } };
  if (suspended) return { is: 'nothing' };
  const [batch, ...batches] = lane.batches;
  if (batch) return { is: 'turn', items: batch, lane: { ...lane, batches } };
  const first = lane.waiting[0];
  if (!first) return { is: 'nothing' };
  return lane.gatherUntil === undefined ? nextCollected(lane, first, at) : nextGathered(lane, first, at);
}

/** The words of one person in quick succession. */
function nextGathered<T extends LaneItem>(lane: Lane<T>, first: T, at: number): Next<T> {
  const ms = lane.gatherUntil! - at;
  if (ms > 0) return { is: 'wait', ms };
  const end = lane.waiting.findIndex((item) => !sameVoice(item, first));
  return take({ ...lane, gatherUntil: undefined }, end === -1 ? lane.waiting.length : Math.max(1, end));
}

/** In mode `collect` all of one group that waited while the lane was busy; else one message. */
function nextCollected<T extends LaneItem>(lane: Lane<T>, first: T, at: number): Next<T> {
  const { settings, lastArrival, waiting } = lane;
  if (settings?.mode !== 'collect' || first.alone || lastArrival === undefined) return take(lane, 1);
  const ms = lastArrival + settings.debounceMs - at;
  if (ms > 0) return { is: 'wait', ms };
  const end = waiting.findIndex((item) => item.alone || item.group !== first.group);
  return take(lane, end === -1 ? waiting.length : end);
}

const take = <T>(lane: Lane<T>, count: number): Next<T> => ({
  is: 'turn',
  items: lane.waiting.slice(0, count),
  lane: { ...lane, waiting: lane.waiting.slice(count) },
});

/** Whether two messages may be read as one, written in pieces. */
export const sameVoice = (a: LaneItem, b: LaneItem): boolean =>
  a.gather !== undefined && a.gather === b.gather && a.group === b.group;
