/** Delays the deletion of sessions for a moment, so that it can be undone. */
import type { SessionList } from '../gateway/session-list.ts';
import { messageOf } from '../gateway/requests.ts';
import { createStore, type Store } from '../gateway/store.ts';

/** Long enough to notice a mistake. */
const UNDO_MS = 8000;

export interface Removals {
  /** Keys of the sessions to delete. */
  readonly store: Store<ReadonlySet<string>>;
  add(keys: readonly string[]): void;
  undo(): void;
  /** Deletes now, e.g. because the page is left. */
  carryOut(): void;
}

export function createRemovals(
  sessions: Pick<SessionList, 'remove'>,
  onProblem: (problem: string) => void,
  { waitMs = UNDO_MS, schedule }: { readonly waitMs?: number; readonly schedule?: (flush: () => void) => void } = {},
): Removals {
  const store = createStore<ReadonlySet<string>>(new Set(), schedule);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const carryOut = (): void => {
    clearTimeout(timer);
    const keys = [...store.get()];
    store.set(new Set());
    for (const key of keys) void sessions.remove(key).catch((cause: unknown) => onProblem(messageOf(cause)));
  };
  return {
    store,
    carryOut,
    add: (keys) => {
      clearTimeout(timer);
      store.update((waiting) => new Set([...waiting, ...keys]));
      timer = setTimeout(carryOut, waitMs);
    },
    undo: () => {
      clearTimeout(timer);
      store.set(new Set());
    },
  };
}
