/** The archived conversations, loaded page by page and kept apart from the main list. */
import { isDisconnected } from '../gateway/requests.ts';
import type { SessionList } from '../gateway/session-list.ts';
import { createStore, type Store } from '../gateway/store.ts';
import type { SessionRow } from '../gateway/wire.ts';

export interface ArchiveState {
  readonly rows: readonly SessionRow[];
  readonly nextOffset?: number;
  readonly fetchingMore?: boolean;
}

export interface Archive {
  readonly store: Store<ArchiveState>;
  /** Newest first. */
  refresh(): Promise<void>;
  fetchMore(): Promise<void>;
}

export function createArchive(
  sessions: Pick<SessionList, 'archived'>,
  { schedule }: { readonly schedule?: (flush: () => void) => void } = {},
): Archive {
  const store = createStore<ArchiveState>({ rows: [] }, schedule);
  const page = async (offset: number): Promise<void> => {
    store.update((state) => ({ ...state, fetchingMore: true }));
    try {
      const { sessions: found, nextOffset } = await sessions.archived(offset);
      const before = offset === 0 ? [] : store.get().rows;
      const known = new Set(before.map(({ key }) => key));
      const rows = [...before, ...found.filter(({ key }) => !known.has(key))];
      store.set({ rows, ...(nextOffset === undefined ? {} : { nextOffset }) });
    } catch (cause) {
      store.update(({ fetchingMore: _over, ...state }) => state);
      if (!isDisconnected(cause)) throw cause;
    }
  };
  return {
    store,
    refresh: () => page(0),
    async fetchMore() {
      const { nextOffset, fetchingMore } = store.get();
      if (nextOffset !== undefined && !fetchingMore) await page(nextOffset);
    },
  };
}
