/** One lane per session key: messages become turns one at a time, in order of arrival, whatever the queue mode (P3). */
import { systemClock, type Clock, type Timer } from '../platform/clock.ts';
import { overflow } from './queue.ts';
import type { QueueSettings } from './queue-mode.ts';
import { createSlots } from './slots.ts';

/** What a lane needs to know of a message. */
export interface LaneItem {
  readonly runId: string;
  /** Messages of one group may be answered together; undefined: a turn of its own. */
  readonly mergeGroup: string | undefined;
}

/** What a running turn may do with its lane. */
export interface LaneControl<T> {
  readonly signal: AbortSignal;
  /** Messages that arrived meanwhile and are to be steered in; what is not taken is answered afterwards. */
  takeSteered(): readonly T[];
  steerWaiting(): boolean;
}

export interface LaneDeps<T> {
  /** Runs one turn over `items`; never rejects. `dropped`: messages that gave way, for the overflow note. */
  run(key: string, items: readonly T[], control: LaneControl<T>, dropped: readonly T[]): Promise<void>;
  /** Messages that will not be answered; the sender is told. */
  onDropped(items: readonly T[], reason: 'overflow' | 'interrupted'): void;
  maxConcurrent(): number;
  clock?: Clock;
}

interface Lane<T> {
  active: { readonly items: readonly T[]; readonly abort: AbortController; steered: T[] } | undefined;
  batches: (readonly T[])[];
  waiting: T[];
  dropped: T[];
  settings: QueueSettings | undefined;
  quiet: { readonly timer: Timer; wake(): void } | undefined;
  lastArrival: number;
  tasks: (() => Promise<void>)[];
  draining: boolean;
}

export type Lanes<T extends LaneItem> = ReturnType<typeof createLanes<T>>;

export function createLanes<T extends LaneItem>(deps: LaneDeps<T>) {
  const clock = deps.clock ?? systemClock;
  const slots = createSlots(deps.maxConcurrent);
  const lanes = new Map<string, Lane<T>>();
  const state: { suspended: unknown } = { suspended: undefined };

  function laneOf(key: string): Lane<T> {
    let lane = lanes.get(key);
    if (!lane) lanes.set(key, (lane = { active: undefined, batches: [], waiting: [], dropped: [], settings: undefined, quiet: undefined, lastArrival: 0, tasks: [], draining: false }));
    return lane;
  }

  function enqueue(lane: Lane<T>, item: T, settings: QueueSettings): void {
    const { kept, dropped } = overflow(lane.waiting, item, settings);
    lane.waiting = [...kept];
    if (dropped.length === 0) return;
    if (settings.drop === 'summarize') lane.dropped.push(...dropped);
    deps.onDropped(dropped, 'overflow');
  }

  function interrupt(lane: Lane<T>): void {
    const gone = lane.waiting;
    lane.waiting = [];
    lane.active?.abort.abort(new DOMException('A newer message took over.', 'AbortError'));
    if (gone.length > 0) deps.onDropped(gone, 'interrupted');
  }

  async function drain(key: string, lane: Lane<T>): Promise<void> {
    if (lane.draining) return;
    lane.draining = true;
    for (;;) {
      const task = lane.tasks.shift();
      if (task) { await task(); continue; }
      if (state.suspended !== undefined) break; // what waits stays in the journal
      const next = nextBatch(lane);
      if (next === undefined) break;
      if (typeof next === 'number') await quiet(lane, next);
      else await runTurn(key, lane, next);
    }
    lane.draining = false;
    if (!lane.active && lane.waiting.length === 0) lanes.delete(key);
  }

  /** The next turn's messages; a number: milliseconds of quiet still to wait for; undefined when there is nothing. */
  function nextBatch(lane: Lane<T>): readonly T[] | number | undefined {
    const resumed = lane.batches.shift();
    if (resumed) return resumed;
    const first = lane.waiting[0];
    if (!first) return undefined;
    const collect = lane.settings?.mode === 'collect' && first.mergeGroup !== undefined;
    if (!collect || lane.lastArrival === 0) return [lane.waiting.shift()!];
    const wait = lane.lastArrival + lane.settings!.debounceMs - clock.now();
    if (wait > 0) return wait;
    const end = lane.waiting.findIndex((item) => item.mergeGroup !== first.mergeGroup);
    return lane.waiting.splice(0, end === -1 ? lane.waiting.length : end);
  }

  function quiet(lane: Lane<T>, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        lane.quiet?.timer.cancel();
        lane.quiet = undefined;
        resolve();
      };
      lane.quiet = { timer: clock.setTimeout(wake, ms), wake };
    });
  }

  async function runTurn(key: string, lane: Lane<T>, items: readonly T[]): Promise<void> {
    const active = { items, abort: new AbortController(), steered: [] as T[] };
    lane.active = active;
    const dropped = lane.dropped;
    lane.dropped = [];
    const release = await slots.take();
    try {
      await deps.run(key, items, {
        signal: active.abort.signal,
        takeSteered: () => active.steered.splice(0),
        steerWaiting: () => active.steered.length > 0,
      }, dropped);
    } finally {
      release();
      lane.active = undefined;
      lane.waiting.unshift(...active.steered); // arrived before anything that waits
      if (lane.waiting.length === 0) lane.lastArrival = 0;
    }
  }

  return {
    /** Takes a message in; synchronous, so that order of calling is order of answering. */
    arrive(key: string, item: T, settings: QueueSettings): void {
      const lane = laneOf(key);
      lane.settings = settings;
      const busy = lane.active !== undefined || lane.draining;
      if (busy) lane.lastArrival = clock.now();
      if (busy && settings.mode === 'interrupt') interrupt(lane);
      if (lane.active && settings.mode === 'steer' && lane.waiting.length === 0 && item.mergeGroup !== undefined) lane.active.steered.push(item);
      else enqueue(lane, item, settings);
      void drain(key, lane);
    },

    /** Puts a turn of an earlier life in front of everything else. */
    resume(key: string, items: readonly T[]): void {
      const lane = laneOf(key);
      lane.batches.push(items);
      void drain(key, lane);
    },

    /** Runs `work` between turns of the session. */
    exclusive<R>(key: string, work: () => Promise<R>): Promise<R> {
      const lane = laneOf(key);
      return new Promise<R>((resolve, reject) => {
        lane.tasks.push(() => work().then(resolve, reject));
        lane.quiet?.wake();
        void drain(key, lane);
      });
    },

    /** Stops the session's turn and empties its queue; with `runId` only what belongs to it. */
    abort(key: string, runId?: string): { readonly aborted: readonly T[]; readonly removed: readonly T[] } {
      const lane = lanes.get(key);
      if (!lane) return { aborted: [], removed: [] };
      const matches = (item: T): boolean => runId === undefined || item.runId === runId;
      const removed = [...lane.batches.flat(), ...lane.waiting].filter(matches);
      lane.waiting = lane.waiting.filter((item) => !matches(item));
      lane.batches = lane.batches.map((batch) => batch.filter((item) => !matches(item))).filter((batch) => batch.length > 0);
      const active = lane.active;
      const hit = active !== undefined && [...active.items, ...active.steered].some(matches);
      if (hit) active.abort.abort(new DOMException('Stopped by request.', 'AbortError'));
      return { aborted: hit ? active.items : [], removed };
    },

    /** Starts nothing more and interrupts what runs with `reason`; resolves when all turns have let go. */
    async suspend(reason: unknown): Promise<void> {
      state.suspended = reason;
      const running = [...lanes.values()].flatMap((lane) => (lane.active ? [lane] : []));
      for (const lane of lanes.values()) lane.quiet?.wake();
      for (const lane of running) lane.active?.abort.abort(reason);
      while ([...lanes.values()].some((lane) => lane.active)) await new Promise((resolve) => clock.setTimeout(() => resolve(undefined), 5));
    },

    isBusy: (key: string): boolean => lanes.get(key)?.active !== undefined,

    /** Every message that waits or runs, by session. */
    snapshot(): { readonly key: string; readonly running: readonly T[]; readonly waiting: readonly T[] }[] {
      return [...lanes].map(([key, lane]) => ({ key, running: lane.active?.items ?? [], waiting: [...(lane.active?.steered ?? []), ...lane.batches.flat(), ...lane.waiting] }));
    },

    get running(): number { return slots.used; },
  };
}
