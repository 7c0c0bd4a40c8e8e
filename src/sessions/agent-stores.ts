/**
 * The session stores of all agents: loaded on first use, changed under one version counter, written in the background.
 */
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { onFailure } from '../platform/settled.ts';
import { applyEntry, loadAgentStore, type AgentStore } from './agent-store.ts';
import { createFlushes } from './flushes.ts';
import type { RedoLog, StoreRedo } from './store-redo.ts';

export interface AgentStoresDeps {
  path(agentId: string): string;
  readonly redo: RedoLog;
  readonly log: Log;
  readonly clock?: Clock;
}

export interface AgentStores {
  of(agentId: string): Promise<AgentStore>;
  /** Undefined while it is not in memory. */
  peek(agentId: string): AgentStore | undefined;
  /** Entries in memory, over all agents. */
  readonly loaded: number;
  /** In memory at once; the answer is what the journal has to keep. `null`: the entry goes. */
  change(store: AgentStore, key: string, entry: string | null): StoreRedo;
  flush(): Promise<void>;
  /** Writes what is dirty. Later changes are refused. */
  close(): Promise<void>;
}

export function createAgentStores(deps: AgentStoresDeps): AgentStores {
  const clock = deps.clock ?? systemClock;
  const stores = new Map<string, Promise<AgentStore>>();
  const inMemory = new Map<string, AgentStore>();
  const state = { version: 0, closed: false };

  const flushes = createFlushes({ ...deps, clock, stores: () => Promise.all(stores.values()) });

  const storeOf = (agentId: string): Promise<AgentStore> => {
    const known = stores.get(agentId) ?? load(agentId);
    stores.set(agentId, known);
    onFailure(known, () => stores.delete(agentId));
    return known;
  };

  async function load(agentId: string): Promise<AgentStore> {
    const top = await deps.redo.topVersion();
    state.version = Math.max(state.version, top); // another agent's store may have counted on meanwhile
    const store = await loadAgentStore(agentId, { path: deps.path(agentId), redo: deps.redo, log: deps.log });
    if (store.dirty.size > 0) flushes.soon();
    inMemory.set(agentId, store);
    return store;
  }

  function change(store: AgentStore, key: string, entry: string | null): StoreRedo {
    if (state.closed) throw new AppError('unavailable', `${store.path} is closed: the gateway is stopping.`);
    applyEntry(store.lines, key, entry);
    store.dirty.set(key, entry);
    store.version = ++state.version;
    flushes.soon();
    return { agentId: store.agentId, key, entry, version: store.version };
  }

  return {
    of: storeOf,
    peek: (agentId) => inMemory.get(agentId),
    get loaded() {
      return [...inMemory.values()].reduce((sum, store) => sum + store.lines.size, 0);
    },
    change,
    flush: flushes.now,
    async close() {
      state.closed = true;
      await flushes.end();
    },
  };
}
