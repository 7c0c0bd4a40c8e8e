/**
 * The stores of all agents: loaded when first asked for, changed under one counting of versions, written in the
 * background.
 */
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock, type Timer } from '../platform/clock.ts';
import { onFailure, whenOver } from '../platform/settled.ts';
import { applyEntry, isGone, loadAgentStore, writeAgentStore, type AgentStore } from './agent-store.ts';
import type { RedoLog, StoreRedo } from './store-redo.ts';

export interface AgentStoresDeps {
  path(agentId: string): string;
  readonly redo: RedoLog;
  readonly log: Log;
  readonly clock?: Clock;
  /** Milliseconds from a change to its write. */
  readonly flushAfterMs?: number;
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
  const state: { version: number; timer: Timer | undefined; closed: boolean } = {
    version: 0,
    timer: undefined,
    closed: false,
  };

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
    if (store.dirty.size > 0) schedule();
    inMemory.set(agentId, store);
    return store;
  }

  function change(store: AgentStore, key: string, entry: string | null): StoreRedo {
    if (state.closed) throw new AppError('unavailable', `${store.path} is closed: the gateway is stopping.`);
    applyEntry(store.lines, key, entry);
    store.dirty.set(key, entry);
    store.version = ++state.version;
    schedule(store.lastFlushMs);
    return { agentId: store.agentId, key, entry, version: store.version };
  }

  /** One write for many changes; a big store waits longer, so that writing it stays a small part of the time. */
  function schedule(lastFlushMs = 0): void {
    state.timer ??= clock
      .setTimeout(
        () => {
          state.timer = undefined;
          void flush().catch((error: unknown) => {
            deps.log.error('sessions.store.write', { error });
            schedule(1000);
          });
        },
        Math.max(deps.flushAfterMs ?? 1000, lastFlushMs * 30),
      )
      .unref();
  }

  /** One write at a time per file; each takes all that is dirty when its turn comes. */
  async function flush(): Promise<void> {
    for (const store of await Promise.all(stores.values())) {
      const written = store.flushed.then(async () =>
        store.dirty.size > 0 || (await isGone(store))
          ? writeAgentStore(store, { redo: deps.redo, clock, log: deps.log })
          : undefined,
      );
      store.flushed = whenOver(written);
      await written;
    }
  }

  return {
    of: storeOf,
    peek: (agentId) => inMemory.get(agentId),
    get loaded() {
      return [...inMemory.values()].reduce((sum, store) => sum + store.lines.size, 0);
    },
    change,
    flush,
    async close() {
      state.closed = true;
      state.timer?.cancel();
      await flush();
    },
  };
}
