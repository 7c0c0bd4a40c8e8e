/** Keeps the list of conversations up to date, and performs actions on them. */
import { record } from './record.ts';
import { isDisconnected, messageOf } from './requests.ts';
import {
  emptySessions,
  withDraft,
  withFound,
  withoutRow,
  withRows,
  withRunning,
  withRunningOf,
  titled,
  withAgents,
  withMarks,
  withSeen,
  withTitle,
  type SessionsState,
} from './sessions.ts';
import { createStore, type Store } from './store.ts';
import type { Ask, SessionRow } from './wire.ts';

const SEEN = 'clawdbot.seen';
const TITLES = 'clawdbot.titles';
/** Rows per page: the newest are kept up to date, older ones are fetched on scrolling. */
const ROWS = 200;
const TITLED = { includeDerivedTitles: true, includeLastMessage: true };

/** One page of conversations. */
interface Page {
  readonly sessions: readonly SessionRow[];
  readonly nextOffset?: number;
  readonly totalCount?: number;
}

export interface SessionListDeps {
  readonly request: Ask;
  readonly connected: () => boolean;
  readonly storage: Storage;
  readonly now: () => number;
  /** When subscribers are notified; the default of `createStore` if absent. */
  readonly schedule?: (flush: () => void) => void;
}

export class SessionList {
  readonly store: Store<SessionsState>;
  #deps: SessionListDeps;
  /** The conversation on screen. */
  #open = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** For each running request: keys whose runs began or ended meanwhile. */
  readonly #changedMeanwhile = new Set<Set<string>>();

  constructor(deps: SessionListDeps) {
    this.#deps = deps;
    this.store = createStore<SessionsState>(
      {
        ...emptySessions,
        seen: readRecord<number>(deps.storage, SEEN),
        titles: readRecord<string>(deps.storage, TITLES),
      },
      deps.schedule,
    );
  }

  /** `anew`: events may have been missed, so only the rows decide what is running. */
  async refresh({ anew = false } = {}): Promise<void> {
    if (!this.#deps.connected()) return;
    const changed = new Set<string>();
    this.#changedMeanwhile.add(changed);
    try {
      const [{ sessions, nextOffset, totalCount }, { sessions: pinned }] = await Promise.all([
        this.#page(0),
        this.#deps.request('sessions.list', { limit: ROWS, ...TITLED, pinned: true, archived: false }),
      ]);
      this.store.update((state) => ({
        ...withFound(withRows(anew ? withRunningOf(state, changed) : state, sessions, nextOffset, changed), pinned),
        ...(totalCount === undefined ? {} : { totalCount }),
      }));
      await this.#findOpen();
    } catch (cause) {
      if (!isDisconnected(cause)) this.store.update((state) => ({ ...state, loaded: true, error: messageOf(cause) }));
    } finally {
      this.#changedMeanwhile.delete(changed);
    }
  }

  async fetchMore(): Promise<void> {
    if (this.store.get().nextOffset === undefined) return;
    const { fetchOlder } = await import('./older-sessions.ts');
    await fetchOlder(this.store, (offset) => this.#page(offset));
  }

  #page(offset: number): Promise<Page> {
    return this.#deps.request('sessions.list', {
      limit: ROWS,
      ...(offset === 0 ? {} : { offset }),
      ...TITLED,
      archived: false,
    });
  }

  /** Fetches the row of the conversation on screen, however old it is. */
  async #findOpen(): Promise<void> {
    const key = this.#open;
    if (!key || this.store.get().rows.some((row) => row.key === key)) return;
    const { sessions } = await this.#deps.request('sessions.list', { limit: 50, search: key, ...TITLED });
    this.store.update((state) =>
      withFound(
        state,
        sessions.filter((row) => row.key === key),
      ),
    );
  }

  /** Archived conversations, page by page; they are kept separately. */
  async archived(offset: number): Promise<Page> {
    return this.#deps.request('sessions.list', {
      limit: ROWS,
      ...(offset === 0 ? {} : { offset }),
      ...TITLED,
      archived: true,
    });
  }

  /** Pins or archives a conversation, or undoes it; the gateway notifies other browsers. */
  async mark(
    keys: readonly string[],
    marks: { readonly pinned?: boolean; readonly archived?: boolean },
  ): Promise<void> {
    for (const key of keys) await this.#deps.request('sessions.patch', { key, ...marks });
    this.store.update((state) => withMarks(state, new Set(keys), marks as Pick<SessionRow, 'pinned' | 'archived'>));
    this.refreshSoon();
  }

  /** The conversation was deleted, here or elsewhere. */
  forget(key: string): void {
    this.store.update((state) => withoutRow(state, key));
  }

  /** Merges several reasons into one fetch. */
  refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), 300);
  }

  /** Asks the gateway for conversations beyond the newest. */
  async search(query: string): Promise<void> {
    if (!this.#deps.connected() || this.store.get().rows.length < ROWS || query.trim().length < 2) return;
    const { sessions } = await this.#deps.request('sessions.list', {
      limit: 50,
      search: query.trim(),
      includeLastMessage: true,
    });
    this.store.update((state) => withFound(state, sessions));
  }

  noteFirstWords(key: string, words: string): void {
    this.store.update((state) => withTitle(state, key, words));
    this.#deps.storage.setItem(TITLES, JSON.stringify(this.store.get().titles));
  }

  /** `agents`: names by agent id. */
  nameAgents(agents: Readonly<Record<string, string>>): void {
    this.store.update((state) => withAgents(state, agents));
  }

  /** The row in the list, or the row that will be added. */
  rowOf(key: string): SessionRow {
    const state = this.store.get();
    return state.rows.find((row) => row.key === key) ?? titled({ key }, state);
  }

  addDraft(key: string): void {
    this.store.update((state) => withDraft(state, key));
  }

  /** The conversation is on screen, or was until now. */
  markSeen(key: string): void {
    this.#open = key;
    this.store.update((state) => withSeen(state, key, this.#deps.now()));
    this.#deps.storage.setItem(SEEN, JSON.stringify(this.store.get().seen));
  }

  markRunning(key: string, running: boolean): void {
    const before = this.store.get();
    for (const changed of this.#changedMeanwhile) changed.add(key);
    this.store.update((state) => withRunning(state, key, running));
    if (!running && before.running.has(key)) this.refreshSoon();
  }

  /** An empty label restores the title of the conversation. */
  async rename(key: string, label: string): Promise<void> {
    await this.#deps.request('sessions.patch', { key, label: label.trim() || null });
    await this.refresh();
  }

  async reset(key: string): Promise<void> {
    await this.#deps.request('sessions.reset', { key });
    await this.refresh();
  }

  /** The gateway archives the transcript; a draft is only removed here. */
  async remove(key: string): Promise<void> {
    const row = this.store.get().rows.find((entry) => entry.key === key);
    if (row?.updatedAt !== null) await this.#deps.request('sessions.delete', { key, deleteTranscript: true });
    this.store.update((state) => withoutRow(state, key));
  }
}

function readRecord<V>(storage: Storage, name: string): Readonly<Record<string, V>> {
  try {
    return record(JSON.parse(storage.getItem(name) ?? '{}')) as Record<string, V>;
  } catch (cause) {
    if (cause instanceof SyntaxError) return {};
    throw cause;
  }
}
