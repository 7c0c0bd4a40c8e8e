/** Adds a message to its lane: queued, or given to the running turn; it may displace other messages. Pure. */
import { overflow } from '../queue.ts';
import type { QueueSettings } from '../queue-mode.ts';
import { turnOf, type Lane, type LaneEffect, type LaneItem } from './lane-state.ts';
import { sameVoice } from './next-batch.ts';

/** One message on its way into its lane. */
interface Arrival<T> {
  readonly item: T;
  readonly settings: QueueSettings;
  readonly at: number;
}

type LaneStep<T> = readonly [Lane<T>, readonly LaneEffect<T>[]];

/** Takes a message in; nothing begins yet. */
export function enqueue<T extends LaneItem>(before: Lane<T>, arrival: Arrival<T>): LaneStep<T> {
  const { item, settings, at } = arrival;
  const busy = before.doing.is !== 'idle';
  const lane: Lane<T> = {
    ...before,
    settings,
    lastArrival: busy ? at : before.lastArrival,
    gatherUntil: gatherUntil(before, arrival),
  };
  const [open, interrupted] = busy && settings.mode === 'interrupt' ? interrupt(lane) : ([lane, []] as const);
  const turn = maySteer(open, item, settings);
  if (turn) return [{ ...open, doing: { ...turn, steered: [...turn.steered, item] } }, interrupted];
  const [queued, dropped] = append(open, item, settings);
  return [queued, [...interrupted, ...dropped]];
}

/** An idle session waits a little for more; somebody else, or what stands alone, ends the waiting. */
function gatherUntil<T extends LaneItem>(lane: Lane<T>, { item, settings, at }: Arrival<T>): number | undefined {
  const gathers = lane.gatherUntil !== undefined;
  const first = lane.waiting[0];
  if (gathers && first && !sameVoice(item, first)) return at;
  const { gatherMs = 0 } = settings;
  const begins = item.gather !== undefined && gatherMs > 0 && (gathers || lane.doing.is === 'idle');
  return begins ? at + gatherMs : lane.gatherUntil;
}

function interrupt<T>(lane: Lane<T>): LaneStep<T> {
  const turn = turnOf(lane);
  return [
    { ...lane, waiting: [] },
    [
      ...(turn ? [{ do: 'interrupt', turn: turn.id, reason: 'superseded', items: turn.members } as const] : []),
      ...drop(lane.waiting, 'interrupted'),
    ],
  ];
}

function append<T>(lane: Lane<T>, item: T, settings: QueueSettings): LaneStep<T> {
  const { kept, dropped } = overflow(lane.waiting, item, settings);
  const noted = settings.drop === 'summarize' ? [...lane.dropped, ...dropped] : lane.dropped;
  return [{ ...lane, waiting: kept, dropped: noted }, drop(dropped, 'overflow')];
}

const drop = <T>(items: readonly T[], reason: 'overflow' | 'interrupted'): LaneEffect<T>[] =>
  items.length === 0 ? [] : [{ do: 'drop', items, reason }];

/** Only into a turn that answers the same place with the same rights, and only when nothing is overtaken. */
function maySteer<T extends LaneItem>(lane: Lane<T>, item: T, { mode, cap }: QueueSettings) {
  const turn = turnOf(lane);
  if (!turn || mode !== 'steer' || item.alone || !item.steerable || turn.steered.length >= cap) return undefined;
  const overtakes = lane.waiting.length > 0 || lane.batches.length > 0;
  return turn.members[0]?.group === item.group && !overtakes ? turn : undefined;
}
