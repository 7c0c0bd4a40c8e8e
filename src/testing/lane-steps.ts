/** Sequences of lane events and their expected effects. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { present } from '../core/present.ts';
import { item } from './lane-harness.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import {
  NO_LANES,
  waitingIn,
  type LaneEffect,
  type LaneEvent,
  type LaneItem,
  type LanesState,
} from '../sessions/lane/lane-state.ts';
import { stepLanes } from '../sessions/lane/step-lanes.ts';

export type Event = LaneEvent<LaneItem>;

export type Options = Partial<QueueSettings> & Partial<LaneItem> & { readonly key?: string; readonly at?: number };

export interface Case {
  readonly name: string;
  readonly events: readonly Event[];
  /** `begin` and `limit` come with each turn and are left out, but where the case is about them. */
  readonly effects: readonly string[];
  /** What waits in `s` at the end; absent: nothing. */
  readonly waiting?: string;
  readonly limit?: number;
  readonly whole?: boolean;
}

export const key = 's';

export function arrived(text: string, { at = 0, key: session = key, mode = 'followup', ...more }: Options = {}): Event {
  const { cap = 20, drop = 'summarize', debounceMs = 1000, gatherMs, ...over } = more;
  const settings = present({ mode, cap, drop, debounceMs, gatherMs });
  return { type: 'arrived', key: session, item: item(text, over), settings, at };
}

export const turnEnded = (turn: number, at = 0, session = key): Event => ({
  type: 'turnEnded',
  key: session,
  turn,
  at,
});

export const steered = (turn: number): Event => ({ type: 'steered', key, turn, at: 0 });

export const resumed = (...texts: string[]): Event => ({
  type: 'resumed',
  key,
  items: texts.map((text) => item(text)),
  at: 0,
});

export const taskRequested = (task: number): Event => ({ type: 'taskRequested', key, task, at: 0 });

export const taskEnded: Event = { type: 'taskEnded', key, at: 0 };

export const debounced = (at: number): Event => ({ type: 'debounced', key, at });

export const aborted = (runId?: string): Event => ({ type: 'aborted', key, runId, at: 0 });

export const suspended: Event = { type: 'suspended', at: 0 };

export const halted: Event = { type: 'halted', at: 0 };

export const names = (items: readonly LaneItem[]): string => items.map(({ runId }) => runId).join('+');

export function written(effect: LaneEffect<LaneItem>): string {
  switch (effect.do) {
    case 'begin':
      return `begin ${effect.turn}`;
    case 'limit':
      return `limit ${effect.kind}`;
    case 'run':
      return `run ${names(effect.items)}${effect.dropped.length > 0 ? ` without ${names(effect.dropped)}` : ''}`;
    case 'interrupt':
      return `interrupt ${names(effect.items)}: ${effect.reason}`;
    case 'drop':
      return `drop ${names(effect.items)}: ${effect.reason}`;
    case 'steer':
    case 'handBack':
      return `${effect.do} ${names(effect.items)}`;
    case 'task':
      return `task ${effect.task}`;
    case 'debounce':
      return `debounce ${effect.ms}`;
    case 'endDebounce':
      return 'end debounce';
  }
}

/** Plays the events; whenever the limit is asked for, it is `limit`. */
export function play(
  events: readonly Event[],
  limit: number,
): { state: LanesState<LaneItem>; effects: readonly string[] } {
  const effects: string[] = [];
  let state: LanesState<LaneItem> = NO_LANES;
  const happen = (event: Event): void => {
    const [next, follow] = stepLanes(state, event);
    state = next;
    for (const effect of follow) {
      effects.push(written(effect));
      if (effect.do === 'limit') happen({ type: 'limited', kind: effect.kind, limit, at: event.at });
    }
  };
  events.forEach(happen);
  return { state, effects };
}

export const cases = (rows: readonly Case[]): void => {
  for (const { name, events, effects, waiting = '', limit = 9, whole = false } of rows)
    it(name, () => {
      const played = play(events, limit);
      const shown = played.effects.filter((effect) => whole || !/^(begin|limit) /.test(effect));
      const lane = played.state.lanes.get(key);
      assert.deepEqual([shown, lane ? names(waitingIn(lane)) : ''], [effects, waiting]);
    });
};
