/**
 * The driver of the lanes: messages of a session become turns one at a time, in order of arrival, in every queue mode
 * (P3). `lane/` decides, this performs the effects.
 */
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock, type Timer } from '../platform/clock.ts';
import { settlesWithin } from '../platform/timeout.ts';
import type { WorkKind } from './lane/semaphore.ts';
import {
  NO_LANES,
  turnOf,
  waitingIn,
  type DropReason,
  type InterruptReason,
  type LaneEffect,
  type LaneEvent,
  type LaneItem,
  type LanesState,
  type TurnRef,
} from './lane/lane-state.ts';
import { placesUsed } from './lane/semaphore.ts';
import { stepLanes } from './lane/step-lanes.ts';
import type { QueueSettings } from './queue-mode.ts';

export type { LaneItem } from './lane/lane-state.ts';
export type { WorkKind } from './lane/semaphore.ts';

/** What a running turn may do with its lane. */
export interface LaneControl<T> {
  readonly signal: AbortSignal;
  /** Messages that arrived meanwhile and are to be steered in; what is not taken is answered afterwards. */
  takeSteered(): readonly T[];
  steerWaiting(): boolean;
}

/** What lanes are given: who runs turns, who hears of what is not answered, and the bounds. */
export interface LaneDeps<T> {
  /**
   * Runs one turn over `items`; should it reject, that is logged and the lane goes on. `dropped`: messages that gave
   * way, for the overflow note.
   */
  run(key: string, items: readonly T[], control: LaneControl<T>, dropped: readonly T[]): Promise<void>;
  /** Messages that will not be answered; the sender gets a notice. */
  onDropped(items: readonly T[], reason: DropReason): void;
  /** How many turns of a kind may run at once, over all sessions. */
  maxConcurrent(kind: WorkKind): number;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Messages of one session, by what they wait for. */
export interface LaneSnapshot<T> {
  readonly key: string;
  readonly running: readonly T[];
  readonly waiting: readonly T[];
}

/** The lanes of all sessions. */
export interface Lanes<T extends LaneItem> {
  /** Takes a message in; synchronous, so that order of calling is order of answering. */
  arrive(key: string, item: T, settings: QueueSettings): void;
  /** Puts a turn of an earlier run of the gateway in front of everything else. */
  resume(key: string, items: readonly T[]): void;
  /** Runs `work` between turns of the session; its signal fires when the process goes. */
  exclusive<R>(key: string, work: (signal: AbortSignal) => Promise<R>): Promise<R>;
  /** Stops the session's turn and empties its queue; with `runId` only what belongs to it. */
  abort(key: string, runId?: string): { readonly aborted: readonly T[]; readonly removed: readonly T[] };
  /**
   * Starts no more turns, gives what runs `graceMs` to end, then interrupts it with `reason`; resolves when
   * everything has let go.
   */
  suspend(reason: unknown, graceMs?: number): Promise<void>;
  isBusy(key: string): boolean;
  /** Every message that waits or runs, by session. */
  snapshot(): LaneSnapshot<T>[];
  /** How many turns run. */
  readonly running: number;
}

/** Lanes without a session yet. */
export const createLanes = <T extends LaneItem>(deps: LaneDeps<T>): Lanes<T> => new LaneDriver(deps);

/** A turn that has its lane. */
interface TurnHandle {
  readonly abort: AbortController;
  /** Resolves when the turn has let go of the lane. */
  readonly over: PromiseWithResolvers<void>;
}

type Effect<T, Do extends LaneEffect<T>['do']> = Extract<LaneEffect<T>, { readonly do: Do }>;
/** An event without its time. */
type Untimed<E> = E extends unknown ? Omit<E, 'at'> : never;

class LaneDriver<T extends LaneItem> implements Lanes<T> {
  readonly #deps: LaneDeps<T>;
  readonly #clock: Clock;
  #state: LanesState<T> = NO_LANES;
  readonly #turns = new Map<number, TurnHandle>();
  readonly #debounces = new Map<string, Timer>();
  readonly #tasks = new Map<number, () => Promise<void>>();
  readonly #runningTasks = new Set<Promise<void>>();
  #nextTask = 1;
  /** Fires when the process goes. */
  readonly #going = new AbortController();
  #haltReason: unknown;

  constructor(deps: LaneDeps<T>) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  arrive(key: string, item: T, settings: QueueSettings): void {
    this.#dispatch({ type: 'arrived', key, item, settings });
  }

  resume(key: string, items: readonly T[]): void {
    this.#dispatch({ type: 'resumed', key, items });
  }

  exclusive<R>(key: string, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const task = this.#nextTask++;
      this.#tasks.set(task, () => Promise.resolve(this.#going.signal).then(work).then(resolve, reject));
      this.#dispatch({ type: 'taskRequested', key, task });
    });
  }

  abort(key: string, runId?: string): { readonly aborted: readonly T[]; readonly removed: readonly T[] } {
    const effects = this.#dispatch({ type: 'aborted', key, runId });
    const itemsOf = (what: 'interrupt' | 'handBack'): readonly T[] =>
      effects.flatMap((effect) => (effect.do === what ? effect.items : []));
    return { aborted: itemsOf('interrupt'), removed: itemsOf('handBack') };
  }

  async suspend(reason: unknown, graceMs = 0): Promise<void> {
    this.#haltReason = reason;
    const over = Promise.all([...[...this.#turns.values()].map((turn) => turn.over.promise), ...this.#runningTasks]);
    this.#dispatch({ type: 'suspended' });
    if (graceMs > 0) await settlesWithin(over, graceMs, this.#clock);
    this.#going.abort(new AppError('unavailable', 'The gateway is stopping.'));
    this.#dispatch({ type: 'halted' });
    await over;
  }

  isBusy(key: string): boolean {
    return this.#state.lanes.get(key)?.doing.is === 'turn';
  }

  snapshot(): LaneSnapshot<T>[] {
    return [...this.#state.lanes].map(([key, lane]) => ({
      key,
      running: [...(turnOf(lane)?.members ?? [])],
      waiting: waitingIn(lane),
    }));
  }

  get running(): number {
    return placesUsed(this.#state.places);
  }

  #dispatch(event: Untimed<LaneEvent<T>>): readonly LaneEffect<T>[] {
    const [state, effects] = stepLanes(this.#state, { ...event, at: this.#clock.monotonic() });
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    return effects;
  }

  #perform(effect: LaneEffect<T>): void {
    switch (effect.do) {
      case 'begin':
        return void this.#turns.set(effect.turn, { abort: new AbortController(), over: Promise.withResolvers() });
      case 'limit':
        return void this.#dispatch({
          type: 'limited',
          kind: effect.kind,
          limit: this.#deps.maxConcurrent(effect.kind),
        });
      case 'run': // whoever handed the message over goes on first
        return queueMicrotask(() => void this.#run(effect));
      case 'interrupt':
        return this.#turns.get(effect.turn)?.abort.abort(this.#reasonOf(effect.reason));
      case 'drop':
        return this.#deps.onDropped(effect.items, effect.reason);
      case 'task':
        return void this.#runTask(effect);
      case 'debounce':
        return this.#debounce(effect);
      case 'endDebounce':
        return this.#endDebounce(effect.key);
      case 'steer':
      case 'handBack': // taken by whoever asked
    }
  }

  async #run({ key, turn, items, dropped }: Effect<T, 'run'>): Promise<void> {
    const { abort, over } = this.#turns.get(turn)!;
    try {
      await this.#deps.run(key, items, this.#controlOf({ key, turn }, abort.signal), dropped);
    } catch (error) {
      this.#deps.log.error('lane.run', { sessionKey: key, error });
    } finally {
      this.#turns.delete(turn);
      this.#dispatch({ type: 'turnEnded', key, turn });
      over.resolve();
    }
  }

  #controlOf({ key, turn }: TurnRef, signal: AbortSignal): LaneControl<T> {
    return {
      signal,
      takeSteered: () =>
        this.#dispatch({ type: 'steered', key, turn }).flatMap((effect) => (effect.do === 'steer' ? effect.items : [])),
      steerWaiting: () => {
        const lane = this.#state.lanes.get(key);
        const current = lane && turnOf(lane);
        return current?.id === turn && current.steered.length > 0;
      },
    };
  }

  async #runTask({ key, task }: Effect<T, 'task'>): Promise<void> {
    const work = this.#tasks.get(task)!();
    this.#tasks.delete(task);
    this.#runningTasks.add(work);
    await work;
    this.#runningTasks.delete(work);
    this.#dispatch({ type: 'taskEnded', key });
  }

  #debounce({ key, ms }: Effect<T, 'debounce'>): void {
    this.#endDebounce(key);
    const over = (): void => {
      this.#debounces.delete(key);
      this.#dispatch({ type: 'debounced', key });
    };
    this.#debounces.set(key, this.#clock.setTimeout(over, ms));
  }

  #endDebounce(key: string): void {
    this.#debounces.get(key)?.cancel();
    this.#debounces.delete(key);
  }

  #reasonOf(reason: InterruptReason): unknown {
    if (reason === 'halted') return this.#haltReason;
    const sentence = reason === 'stopped' ? 'Stopped by request.' : 'A newer message took over.';
    return new DOMException(sentence, 'AbortError');
  }
}
