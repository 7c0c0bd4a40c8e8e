/** Viewers of a tab, and whether a person controls it. */
import { AppError } from '../../../core/errors.ts';

/** Where something is in the window, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One thing that was done in a tab, for the picture of it. */
export interface ActedNote {
  readonly kind: string;
  /** What it was done to: `button "Order"`, an address. */
  readonly label?: string;
  readonly box?: Box;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface TabLive {
  /** Somebody looks: only then it is worth knowing where an element is. */
  watched: boolean;
  readonly last: ActedNote | undefined;
  note(one: ActedNote): void;
  onNote: ((one: ActedNote) => void) | undefined;
  /** A person acts in it; agents do not. */
  readonly taken: boolean;
  /** What agents have under way ends with `personInControl`. */
  take(): void;
  release(): void;
  /** Called when a person takes it over. Returns what ends that. */
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

/** `begun`: it was under way when the person came. */
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
