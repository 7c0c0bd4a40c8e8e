/** The state of all lanes, the events that change it and the resulting effects. */
import type { QueueSettings } from '../queue-mode.ts';
import type { Bulkhead, WorkKind } from './semaphore.ts';

/** What a lane needs to know of a message. */
export interface LaneItem {
  readonly runId: string;
  /** Where its answer goes and with which rights: only messages of one group may share a turn (P7). */
  readonly group: string;
  /** Never shares a turn. */
  readonly alone: boolean;
  /** May be steered into a running turn unchanged, because nothing in it must be processed first. */
  readonly steerable: boolean;
  /** Absent: `main`. */
  readonly kind?: WorkKind | undefined;
  /**
   * Whose words these are: what one person writes in quick succession is one message (`gatherMs`). Absent: never joined
   * so.
   */
  readonly gather?: string | undefined;
}

/** A turn that has the lane; it waits for a place of its kind until it is `placed`. */
export interface LaneTurn<T> {
  readonly is: 'turn';
  readonly id: number;
  readonly kind: WorkKind;
  readonly placed: boolean;
  /** The messages it answers, those steered in included. */
  readonly members: readonly T[];
  /** Waiting to be steered in. */
  readonly steered: readonly T[];
  /** Gave way before it, for its overflow note. */
  readonly dropped: readonly T[];
}

/** What a lane does now: one thing at a time. */
export type Doing<T> =
  | LaneTurn<T>
  | { readonly is: 'idle' }
  /** Waits for more messages before the next turn. */
  | { readonly is: 'debouncing' }
  /** Exclusive work between two turns. */
  | { readonly is: 'task' };

/** The queue of one session. Times are on the monotonic clock: setting the machine's time must not stretch a wait. */
export interface Lane<T> {
  readonly doing: Doing<T>;
  /** Turns of an earlier run of the gateway; they come before everything else. */
  readonly batches: readonly (readonly T[])[];
  readonly waiting: readonly T[];
  /** Gave way, for the overflow note of the next turn. */
  readonly dropped: readonly T[];
  /** Of the last arrival. */
  readonly settings: QueueSettings | undefined;
  /** Of the last message that came while the lane was busy; the debounce counts from it. */
  readonly lastArrival: number | undefined;
  /** Until then an idle session waits for more of the same person. */
  readonly gatherUntil: number | undefined;
  /** Exclusive work that waits. */
  readonly tasks: readonly number[];
}

/** Which turn of which session. */
export interface TurnRef {
  readonly key: string;
  readonly turn: number;
}

/** All lanes: a keyed queue, bounded by a bulkhead. A lane where nothing waits or runs does not exist. */
export interface LanesState<T> {
  readonly lanes: ReadonlyMap<string, Lane<T>>;
  readonly places: Bulkhead<TurnRef>;
  /** No more turns begin; what waits stays in the journal. */
  readonly suspended: boolean;
  readonly nextTurn: number;
}

/** What happens to the lanes; `at` is on the monotonic clock. */
export type LaneEvent<T> = { readonly at: number } & (
  | { readonly type: 'arrived'; readonly key: string; readonly item: T; readonly settings: QueueSettings }
  /** A turn of an earlier run of the gateway. */
  | { readonly type: 'resumed'; readonly key: string; readonly items: readonly T[] }
  | { readonly type: 'debounced'; readonly key: string }
  /** So many turns of that kind may run at once now. */
  | { readonly type: 'limited'; readonly kind: WorkKind; readonly limit: number }
  /** The running turn reads in what waits to be steered. */
  | ({ readonly type: 'steered' } & TurnRef)
  | ({ readonly type: 'turnEnded' } & TurnRef)
  | { readonly type: 'taskRequested'; readonly key: string; readonly task: number }
  | { readonly type: 'taskEnded'; readonly key: string }
  /** Without `runId` the whole session. */
  | { readonly type: 'aborted'; readonly key: string; readonly runId?: string | undefined }
  | { readonly type: 'suspended' }
  /** What runs has had its time. */
  | { readonly type: 'halted' }
);

/** Why a turn is stopped. */
export type InterruptReason = 'superseded' | 'stopped' | 'halted';
/** Why a message will not be answered. */
export type DropReason = 'overflow' | 'interrupted';

/** What the driver has to do, in this order. */
export type LaneEffect<T> =
  /** A turn has the lane; it may be interrupted from now on, also before it runs. */
  | ({ readonly do: 'begin' } & TurnRef)
  /** Ask for the limit of that kind: somebody waits for a place, or one became free. */
  | { readonly do: 'limit'; readonly kind: WorkKind }
  | ({ readonly do: 'run'; readonly items: readonly T[]; readonly dropped: readonly T[] } & TurnRef)
  | { readonly do: 'interrupt'; readonly turn: number; readonly reason: InterruptReason; readonly items: readonly T[] }
  /** Into the running turn. */
  | { readonly do: 'steer'; readonly items: readonly T[] }
  /** To whoever aborted; they are answered no more. */
  | { readonly do: 'handBack'; readonly items: readonly T[] }
  | { readonly do: 'drop'; readonly items: readonly T[]; readonly reason: DropReason }
  | { readonly do: 'task'; readonly key: string; readonly task: number }
  /** In place of a debounce that runs already. */
  | { readonly do: 'debounce'; readonly key: string; readonly ms: number }
  | { readonly do: 'endDebounce'; readonly key: string };

/** The new state and what the driver has to do. */
export type LanesStep<T> = readonly [LanesState<T>, readonly LaneEffect<T>[]];

/** No lanes. */
export const NO_LANES: LanesState<never> = { lanes: new Map(), places: new Map(), suspended: false, nextTurn: 1 };

/** A lane nothing has happened in. */
export const IDLE_LANE: Lane<never> = {
  doing: { is: 'idle' },
  batches: [],
  waiting: [],
  dropped: [],
  settings: undefined,
  lastArrival: undefined,
  gatherUntil: undefined,
  tasks: [],
};

/** The turn that has the lane. */
export const turnOf = <T>({ doing }: Lane<T>): LaneTurn<T> | undefined => (doing.is === 'turn' ? doing : undefined);

/** Every message of a lane that no turn answers yet, in the order in which they will be. */
export const waitingIn = <T>(lane: Lane<T>): T[] => [
  ...(turnOf(lane)?.steered ?? []),
  ...lane.batches.flat(),
  ...lane.waiting,
];
