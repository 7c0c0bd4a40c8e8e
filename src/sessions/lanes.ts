/** One lane per session key: messages become turns one at a time, in order of arrival, whatever the queue mode (P3). */
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock, type Timer } from '../platform/clock.ts';
import { overflow } from './queue.ts';
import type { QueueSettings } from './queue-mode.ts';
import { createSlots, type Slots } from './slots.ts';

/** Kinds of work that are counted apart: one that waits for another never takes the place that other needs. */
export type WorkKind = 'main' | 'background' | 'cron' | 'nested' | 'subagent';

/** What a lane needs to know of a message. */
export interface LaneItem {
  readonly runId: string;
  /** Where its answer goes and with which rights: only messages of one group may share a turn (P7). */
  readonly group: string;
  /** Never shares a turn. */
  readonly alone: boolean;
  /** May be read into a running turn as it stands: nothing of it has to be looked up first. */
  readonly steerable: boolean;
  /** Absent: `main`. */
  readonly kind?: WorkKind | undefined;
  /** Whose words these are: what one person writes in quick succession is one message (`gatherMs`). Absent: never joined so. */
  readonly gather?: string | undefined;
}

/** What a running turn may do with its lane. */
export interface LaneControl<T> {
  readonly signal: AbortSignal;
  /** Messages that arrived meanwhile and are to be steered in; what is not taken is answered afterwards. */
  takeSteered(): readonly T[];
  steerWaiting(): boolean;
}

export interface LaneDeps<T> {
  /** Runs one turn over `items`; should it reject, that is logged and the lane goes on. `dropped`: messages that gave way, for the overflow note. */
  run(key: string, items: readonly T[], control: LaneControl<T>, dropped: readonly T[]): Promise<void>;
  /** Messages that will not be answered; the sender is told. */
  onDropped(items: readonly T[], reason: 'overflow' | 'interrupted'): void;
  /** How many turns of a kind may run at once, over all sessions. */
  maxConcurrent(kind: WorkKind): number;
  readonly log: Log;
  readonly clock?: Clock;
}

interface ActiveTurn<T> {
  /** The messages it answers, those steered in included. */
  readonly members: T[];
  /** Waiting to be steered in. */
  steered: T[];
  readonly abort: AbortController;
  /** Resolves when the turn has let go of the lane. */
  readonly over: Promise<void>;
}

interface Lane<T> {
  active: ActiveTurn<T> | undefined;
  batches: (readonly T[])[];
  waiting: T[];
  dropped: T[];
  settings: QueueSettings | undefined;
  quiet: { readonly timer: Timer; wake(): void } | undefined;
  /** On the monotonic clock: setting the machine's time must not stretch the quiet. */
  lastArrival: number | undefined;
  /** Until then an idle session waits for more of the same person; on the monotonic clock. */
  gatherUntil: number | undefined;
  tasks: (() => Promise<unknown>)[];
  /** The task that runs now. */
  task: Promise<unknown> | undefined;
  draining: boolean;
}

export type Lanes<T extends LaneItem> = ReturnType<typeof createLanes<T>>;

export function createLanes<T extends LaneItem>(deps: LaneDeps<T>) {
  const clock = deps.clock ?? systemClock;
  const kinds = new Map<WorkKind, Slots>();
  const lanes = new Map<string, Lane<T>>();
  const state = { suspended: false };
  /** Fires when the process goes. */
  const going = new AbortController();

  function slotsOf(kind: WorkKind = 'main'): Slots {
    const slots = kinds.get(kind) ?? createSlots(() => deps.maxConcurrent(kind));
    kinds.set(kind, slots);
    return slots;
  }

  function laneOf(key: string): Lane<T> {
    let lane = lanes.get(key);
    if (!lane) lanes.set(key, (lane = { active: undefined, batches: [], waiting: [], dropped: [], settings: undefined, quiet: undefined, lastArrival: undefined, gatherUntil: undefined, tasks: [], task: undefined, draining: false }));
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
      if (task) {
        await (lane.task = task());
        lane.task = undefined;
        continue;
      }
      if (state.suspended) break; // what waits stays in the journal
      const next = nextBatch(lane);
      if (next === undefined) break;
      if (typeof next === 'number') await quiet(lane, next);
      else await runTurn(key, lane, next);
    }
    lane.draining = false;
    if (lane.waiting.length === 0 && lane.batches.length === 0) lanes.delete(key);
  }

  /** The next turn's messages; a number: milliseconds of quiet still to wait for; undefined when there is nothing. */
  function nextBatch(lane: Lane<T>): readonly T[] | number | undefined {
    const resumed = lane.batches.shift();
    if (resumed) return resumed;
    const first = lane.waiting[0];
    if (!first) return undefined;
    if (lane.gatherUntil !== undefined) {
      const left = lane.gatherUntil - clock.monotonic();
      if (left > 0) return left;
      lane.gatherUntil = undefined;
      const other = lane.waiting.findIndex((item) => !sameVoice(item, first));
      return lane.waiting.splice(0, Math.max(1, other === -1 ? lane.waiting.length : other));
    }
    if (lane.settings?.mode !== 'collect' || first.alone || lane.lastArrival === undefined) return [lane.waiting.shift()!];
    const wait = lane.lastArrival + lane.settings.debounceMs - clock.monotonic();
    if (wait > 0) return wait;
    const end = lane.waiting.findIndex((item) => item.alone || item.group !== first.group);
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

  /** An idle session waits a little for more; somebody else, or what stands alone, ends the waiting. */
  function gather(lane: Lane<T>, item: T, { gatherMs = 0 }: QueueSettings, busy: boolean): void {
    const waits = lane.gatherUntil !== undefined;
    const first = lane.waiting[0];
    if (waits && first && !sameVoice(item, first)) lane.gatherUntil = clock.monotonic();
    else if (item.gather !== undefined && gatherMs > 0 && (waits || !busy)) lane.gatherUntil = clock.monotonic() + gatherMs;
  }

  async function runTurn(key: string, lane: Lane<T>, items: readonly T[]): Promise<void> {
    const over = Promise.withResolvers<void>();
    const active: ActiveTurn<T> = { members: [...items], steered: [], abort: new AbortController(), over: over.promise };
    lane.active = active;
    const dropped = lane.dropped;
    lane.dropped = [];
    const release = await slotsOf(items[0]?.kind).take();
    try {
      await deps.run(key, items, {
        signal: active.abort.signal,
        steerWaiting: () => active.steered.length > 0,
        takeSteered() {
          const taken = active.steered.splice(0);
          active.members.push(...taken);
          return taken;
        },
      }, dropped);
    } catch (error) {
      deps.log.error('lane.run', { sessionKey: key, error });
    } finally {
      release();
      lane.active = undefined;
      lane.waiting.unshift(...active.steered); // arrived before anything that waits
      if (lane.waiting.length === 0) lane.lastArrival = undefined;
      over.resolve();
    }
  }

  /** Only into a turn that answers the same place with the same rights, and only when nothing is overtaken. */
  function maySteer(lane: Lane<T>, item: T, { mode, cap }: QueueSettings): boolean {
    if (!lane.active || mode !== 'steer' || item.alone || !item.steerable || lane.active.steered.length >= cap) return false;
    return lane.active.members[0]?.group === item.group && lane.waiting.length === 0 && lane.batches.length === 0;
  }

  async function within(ms: number, work: Promise<unknown>): Promise<void> {
    const enough = Promise.withResolvers<void>();
    using _timer = clock.setTimeout(enough.resolve, ms);
    await Promise.race([work, enough.promise]);
  }

  return {
    /** Takes a message in; synchronous, so that order of calling is order of answering. */
    arrive(key: string, item: T, settings: QueueSettings): void {
      const lane = laneOf(key);
      lane.settings = settings;
      const busy = lane.active !== undefined || lane.draining;
      if (busy) lane.lastArrival = clock.monotonic();
      gather(lane, item, settings, busy);
      if (busy && settings.mode === 'interrupt') interrupt(lane);
      if (maySteer(lane, item, settings)) lane.active!.steered.push(item);
      else enqueue(lane, item, settings);
      lane.quiet?.wake();
      void drain(key, lane);
    },

    /** Puts a turn of an earlier life in front of everything else. */
    resume(key: string, items: readonly T[]): void {
      const lane = laneOf(key);
      lane.batches.push(items);
      void drain(key, lane);
    },

    /** Runs `work` between turns of the session; its signal fires when the process goes. */
    exclusive<R>(key: string, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
      const lane = laneOf(key);
      return new Promise<R>((resolve, reject) => {
        lane.tasks.push(() => Promise.resolve(going.signal).then(work).then(resolve, reject));
        lane.quiet?.wake();
        void drain(key, lane);
      });
    },

    /** Stops the session's turn and empties its queue; with `runId` only what belongs to it. */
    abort(key: string, runId?: string): { readonly aborted: readonly T[]; readonly removed: readonly T[] } {
      const lane = lanes.get(key);
      if (!lane) return { aborted: [], removed: [] };
      const meant = (item: T): boolean => runId === undefined || item.runId === runId;
      const others = (items: readonly T[]): T[] => items.filter((item) => !meant(item));
      const { active } = lane;
      const removed = waitingIn(lane).filter(meant);
      if (active) active.steered = others(active.steered);
      lane.batches = lane.batches.map(others).filter((batch) => batch.length > 0);
      lane.waiting = others(lane.waiting);
      if (runId === undefined) lane.dropped = [];
      lane.quiet?.wake();
      if (!active?.members.some(meant)) return { aborted: [], removed };
      active.abort.abort(new DOMException('Stopped by request.', 'AbortError'));
      return { aborted: [...active.members], removed };
    },

    /** Starts no more turns, gives what runs `graceMs` to end, then interrupts it with `reason`; resolves when everything has let go. */
    async suspend(reason: unknown, graceMs = 0): Promise<void> {
      state.suspended = true;
      const busy = [...lanes.values()];
      const over = Promise.all(busy.flatMap(({ active, task }) => [active?.over, task]));
      for (const lane of busy) lane.quiet?.wake();
      if (graceMs > 0) await within(graceMs, over);
      going.abort(new AppError('unavailable', 'The gateway is stopping.'));
      for (const { active } of busy) active?.abort.abort(reason);
      await over;
    },

    isBusy: (key: string): boolean => lanes.get(key)?.active !== undefined,

    /** Every message that waits or runs, by session. */
    snapshot(): { readonly key: string; readonly running: readonly T[]; readonly waiting: readonly T[] }[] {
      return [...lanes].map(([key, lane]) => ({ key, running: [...(lane.active?.members ?? [])], waiting: waitingIn(lane) }));
    },

    get running(): number { return [...kinds.values()].reduce((sum, { used }) => sum + used, 0); },
  };
}

const sameVoice = (a: LaneItem, b: LaneItem): boolean => a.gather !== undefined && a.gather === b.gather && a.group === b.group;

const waitingIn = <T>(lane: Lane<T>): T[] => [...(lane.active?.steered ?? []), ...lane.batches.flat(), ...lane.waiting];
