/** Viewers of a tab, and whether a person controls it. */
import { AppError } from '../../../core/errors.ts';

/** Where something is in the window, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The last action in a tab, shown on the picture of it. */
export interface ActedNote {
  readonly kind: string;
  /** The subject of the action: `button "Order"`, an address. */
  readonly label?: string;
  readonly box?: Box;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface TabLive {
  /** The tab has viewers: only then the position of an element is determined. */
  watched: boolean;
  readonly last: ActedNote | undefined;
  note(one: ActedNote): void;
  onNote: ((one: ActedNote) => void) | undefined;
  /** A person is in control, so agents are not. */
  readonly taken: boolean;
  /** Running actions of agents end with `personInControl`. */
  take(): void;
  release(): void;
  /** Called when a person takes control. Returns the function that unsubscribes. */
  onTaken(listener: () => void): () => void;
}

export function createTabLive(): TabLive {
  const listeners = new Set<() => void>();
  const state: { last?: ActedNote; taken: boolean } = { taken: false };
  return {
    watched: false,
    onNote: undefined,
    get last() {
      return state.last;
    },
    note(one) {
      state.last = one;
      this.onNote?.(one);
    },
    get taken() {
      return state.taken;
    },
    take() {
      state.taken = true;
      for (const listener of listeners) listener();
    },
    release: () => void (state.taken = false),
    onTaken(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** `begun`: the action was running when the person took control. */
export const personInControl = (begun: boolean): AppError =>
  new AppError(
    'conflict',
    begun
      ? 'A person took control of this tab while this was under way: it is not known whether it was done. Wait until ' +
          'the tab is handed back, then take a new snapshot before you repeat anything.'
      : 'A person has control of this tab. Nothing was done. Look with snapshot or screenshot, and act when a notice ' +
          'says that the tab was handed back.',
    { details: { reason: 'person_in_control' } },
  );
