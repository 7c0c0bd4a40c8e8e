/**
 * The session store: entries in memory as JSON text; each change goes to the journal immediately and to `sessions.json`
 * soon.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../core/errors.ts';
import { systemClock } from '../platform/clock.ts';
import { createAgentStores, type AgentStoresDeps } from './agent-stores.ts';
import type { SessionEntry, SessionPatch } from './entry.ts';
import type { StoreRedo } from './store-redo.ts';

/** What to change; a function sees the entry as it is at that moment, so that nobody's change is lost in between. */
export type EntryChange = SessionPatch | ((known: SessionEntry | undefined) => SessionPatch);

export interface SessionStore {
  /** Resolves once the agent's entries are in memory. */
  ready(agentId: string): Promise<void>;
  /** The entry if the agent's store is in memory; answers at once, so that nothing overtakes. */
  peek(agentId: string, key: string): SessionEntry | undefined;
  /** Entries in memory, over all agents. */
  readonly loaded: number;
  get(agentId: string, key: string): Promise<SessionEntry | undefined>;
  /**
   * Applies a patch in memory and answers the new entry with the redo row to be written; `updatedAt` never goes back.
   */
  stage(
    agentId: string,
    key: string,
    change: EntryChange,
  ): Promise<{ readonly entry: SessionEntry; readonly redo: StoreRedo }>;
  /** `stage` plus writing the redo row: durable against the death of the process when it resolves. */
  patch(agentId: string, key: string, change: EntryChange): Promise<SessionEntry>;
  delete(agentId: string, key: string): Promise<SessionEntry | undefined>;
  /** The entries changed last among those `wanted` by key and text, newest first; only these are parsed. */
  newest(
    agentId: string,
    count: number,
    wanted: (key: string, json: () => string) => boolean,
  ): Promise<(readonly [string, SessionEntry])[]>;
  /** Walks all entries without holding the event loop. */
  entries(agentId: string): AsyncIterable<readonly [string, SessionEntry]>;
  count(agentId: string): Promise<number>;
  /** Writes what is dirty now, and a file that was deleted. */
  flush(): Promise<void>;
  /** Writes what is dirty. Later changes are refused: the next run may have begun. */
  close(): Promise<void>;
}

const SLICE = 500;

export function createSessionStore(deps: AgentStoresDeps): SessionStore {
  const stores = createAgentStores(deps);
  const clock = deps.clock ?? systemClock;

  return {
    ready: (agentId) => stores.of(agentId).then(() => undefined),
    peek(agentId, key) {
      const json = stores.peek(agentId)?.lines.get(key);
      return json === undefined ? undefined : (JSON.parse(json) as SessionEntry);
    },
    get loaded() {
      return stores.loaded;
    },
    async get(agentId, key) {
      const json = (await stores.of(agentId)).lines.get(key);
      return json === undefined ? undefined : (JSON.parse(json) as SessionEntry);
    },
    async stage(agentId, key, wanted) {
      const store = await stores.of(agentId);
      const json = store.lines.get(key);
      const known = json === undefined ? undefined : (JSON.parse(json) as SessionEntry);
      const entry = merge(known, typeof wanted === 'function' ? wanted(known) : wanted, clock.now());
      return { entry, redo: stores.change(store, key, JSON.stringify(entry)) };
    },
    async patch(agentId, key, wanted) {
      const { entry, redo } = await this.stage(agentId, key, wanted);
      await deps.redo.record(redo);
      return entry;
    },
    async delete(agentId, key) {
      const store = await stores.of(agentId);
      const json = store.lines.get(key);
      if (json === undefined) return undefined;
      await deps.redo.record(stores.change(store, key, null));
      return JSON.parse(json) as SessionEntry;
    },
    async newest(agentId, count, wanted) {
      const { lines } = await stores.of(agentId);
      const dated: { readonly key: string; readonly at: number }[] = [];
      let walked = 0;
      for (const { key, updatedAt: at, json } of lines.frozen()) {
        if (wanted(key, json)) dated.push({ key, at });
        if (++walked % SLICE === 0) await nextTurn();
      }
      return dated
        .sort((a, b) => b.at - a.at)
        .slice(0, count)
        .flatMap(({ key }) => {
          const json = lines.get(key);
          return json === undefined ? [] : [[key, JSON.parse(json) as SessionEntry] as const];
        });
    },
    async *entries(agentId) {
      let walked = 0;
      for (const { key, json } of (await stores.of(agentId)).lines.frozen()) {
        yield [key, JSON.parse(json()) as SessionEntry] as const;
        if (++walked % SLICE === 0) await nextTurn();
      }
    },
    count: async (agentId) => (await stores.of(agentId)).lines.size,
    flush: stores.flush,
    close: stores.close,
  };
}

function merge(existing: SessionEntry | undefined, patch: SessionPatch, now: number): SessionEntry {
  const merged: Record<string, unknown> = { ...existing };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else if (value !== undefined) merged[field] = value;
  }
  if (typeof merged['sessionId'] !== 'string') throw new AppError('internal', 'A session entry needs a sessionId.');
  return {
    ...merged,
    updatedAt:
      patch.updatedAt === null && existing
        ? existing.updatedAt
        : Math.max(existing?.updatedAt ?? 0, patch.updatedAt ?? 0, now),
  } as SessionEntry;
}
