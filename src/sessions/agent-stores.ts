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
}

/** From a change to its write, so that one write serves many changes. */
const FLUSH_AFTER_MS = 1000;
/** A file is written whole: a large one so seldom that this is the average, but within the limit below. */
const BYTES_PER_SECOND = 4096;
const MAX_LAG_MS = 5 * 60_000;

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
    schedule();
    return { agentId: store.agentId, key, entry, version: store.version };
  }

  /** What changed is in the journal meanwhile, which is synced before the file waits for longer. */
  function schedule(afterMs = FLUSH_AFTER_MS): void {
    state.timer ??= clock
      .setTimeout(() => {
        state.timer = undefined;
        void flushDue().catch((error: unknown) => {
          deps.log.error('sessions.store.write', { error });
          schedule();
        });
      }, afterMs)
      .unref();
  }

  async function flushDue(): Promise<void> {
    await deps.redo.synced();
    const waits = await Promise.all(
      (await Promise.all(stores.values())).map(async (store) => {
        const wait = dueInMs(store, clock.monotonic());
        if (wait <= 0 || (await isGone(store))) await flushed(store);
        return store.dirty.size > 0 ? Math.max(wait, FLUSH_AFTER_MS) : Infinity;
      }),
    );
    const next = Math.min(...waits);
    if (next < Infinity && !state.closed) schedule(next);
  }

  /** One write at a time per file; each takes all that is dirty when its turn comes. */
  function flushed(store: AgentStore): Promise<void> {
    const written = store.flushed.then(async () =>
      store.dirty.size > 0 || (await isGone(store))
        ? writeAgentStore(store, { redo: deps.redo, clock, log: deps.log })
        : undefined,
    );
    store.flushed = whenOver(written);
    return written;
  }

  async function flush(): Promise<void> {
    for (const store of await Promise.all(stores.values())) await flushed(store);
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

/** 0 or less: now. */
const dueInMs = ({ written }: AgentStore, now: number): number =>
  written.at === 0 ? 0 : written.at + Math.min((written.bytes / BYTES_PER_SECOND) * 1000, MAX_LAG_MS) - now;
