/** Loads older conversations page by page, when somebody scrolls to the end of the list. */
import { isDisconnected, messageOf } from './requests.ts';
import { withFound, type SessionsState } from './sessions.ts';
import type { Store } from './store.ts';
import type { SessionRow } from './wire.ts';

/** Fetches the next page of older rows. */
export function withOlder(
  state: SessionsState,
  rows: readonly SessionRow[],
  nextOffset: number | undefined,
): SessionsState {
  const { nextOffset: _before, fetchingMore: _done, ...rest } = withFound(state, rows);
  return nextOffset === undefined ? rest : { ...rest, nextOffset };
}

/** Fetches the next page, if there is one. */
export async function fetchOlder(
  store: Store<SessionsState>,
  request: (offset: number) => Promise<{ readonly sessions: readonly SessionRow[]; readonly nextOffset?: number }>,
): Promise<void> {
  const { nextOffset, fetchingMore } = store.get();
  if (nextOffset === undefined || fetchingMore) return;
  store.update((state) => ({ ...state, fetchingMore: true }));
  try {
    const page = await request(nextOffset);
    store.update((state) => withOlder(state, page.sessions, page.nextOffset));
  } catch (cause) {
    store.update(({ fetchingMore: _over, ...state }) =>
      isDisconnected(cause) ? state : { ...state, error: messageOf(cause) },
    );
  }
}
