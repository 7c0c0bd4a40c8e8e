/**
 * The session store: entries live in memory as JSON text, every change is in the journal at once and in `sessions.json`
 * soon.
 */
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock, type Clock, type Timer } from '../platform/clock.ts';
import { statIfExists, writeFileAtomic, type FileFacts } from '../platform/files.ts';
import type { SessionEntry, SessionPatch } from './entry.ts';
import { formatStore, readStore, type EntryLines } from './store-file.ts';

/** What to change; a function sees the entry as it is at that moment, so that nobody's change is lost in between. */
export type EntryChange = SessionPatch | ((known: SessionEntry | undefined) => SessionPatch);

export interface StoreRedo {
  readonly agentId: string;
  readonly key: string;
  readonly entry: string | null;
  readonly version: number;
}

/** Where changes are kept until `sessions.json` holds them; `app.ts` connects it to the journal. */
export interface RedoLog {
  record(redo: StoreRedo): Promise<void>;
  load(agentId: string): Promise<readonly StoreRedo[]>;
  topVersion(): Promise<number>;
  clear(agentId: string, upTo: number): Promise<void>;
}

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
  /** The entries changed last among those `wanted`, newest first; only these are parsed. */
  newest(
    agentId: string,
    count: number,
    wanted: (key: string) => boolean,
  ): Promise<(readonly [string, SessionEntry])[]>;
  /** Walks all entries without holding the event loop. */
  entries(agentId: string): AsyncIterable<readonly [string, SessionEntry]>;
  count(agentId: string): Promise<number>;
  /** Writes what is dirty now, and a file that was deleted. */
  flush(): Promise<void>;
  /** Writes what is dirty. Later changes are refused: the next run may have begun. */
  close(): Promise<void>;
}

interface AgentStore {
  readonly agentId: string;
  readonly path: string;
  lines: EntryLines;
  dirty: Map<string, string | null>;
  version: number;
  stamp: string;
  lastFlushMs: number;
  flushed: Promise<void>;
}

const SLICE = 500;

export function createSessionStore(deps: {
  path: (agentId: string) => string;
  redo: RedoLog;
  log: Log;
  clock?: Clock;
  flushAfterMs?: number;
}): SessionStore {
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
    known.catch(() => stores.delete(agentId));
    return known;
  };

  async function load(agentId: string): Promise<AgentStore> {
    const path = deps.path(agentId);
    const lines = await readStore({ path, log: deps.log });
    const dirty = new Map<string, string | null>();
    const top = await deps.redo.topVersion();
    state.version = Math.max(state.version, top); // another agent's store may have counted on meanwhile
    const leftover = await deps.redo.load(agentId);
    for (const { key, entry } of leftover) {
      apply(lines, key, entry);
      dirty.set(key, entry);
    }
    if (leftover.length > 0) schedule();
    const store: AgentStore = {
      agentId,
      path,
      lines,
      dirty,
      version: leftover.at(-1)?.version ?? 0,
      stamp: await stampOf(path),
      lastFlushMs: 0,
      flushed: Promise.resolve(),
    };
    inMemory.set(agentId, store);
    return store;
  }

  function change(store: AgentStore, key: string, entry: string | null): StoreRedo {
    if (state.closed) throw new AppError('unavailable', `${store.path} is closed: the gateway is stopping.`);
    apply(store.lines, key, entry);
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
        store.dirty.size > 0 || (await isGone(store)) ? write(store) : undefined,
      );
      store.flushed = written.catch(() => undefined /* whoever asked for this flush is told */);
      await written;
    }
  }

  /** What is remembered is all there is of it. */
  const isGone = async (store: AgentStore): Promise<boolean> =>
    store.stamp !== '' && (await stampOf(store.path)) === '';

  async function write(store: AgentStore): Promise<void> {
    await adoptForeignEdits(store);
    const began = clock.monotonic();
    const dirty = store.dirty;
    const upTo = store.version;
    store.dirty = new Map();
    try {
      store.stamp = stampFrom(await writeFileAtomic(store.path, await formatStore(store.lines)));
    } catch (error) {
      store.dirty = new Map([...dirty, ...store.dirty]);
      throw error;
    }
    store.lastFlushMs = clock.monotonic() - began;
    await deps.redo.clear(store.agentId, upTo);
  }

  /**
   * Somebody edited the file while we ran: their entries win, except for those we changed since. A file that is gone or
   * damaged is written anew from memory.
   */
  async function adoptForeignEdits(store: AgentStore): Promise<void> {
    const stamp = await stampOf(store.path);
    if (stamp === store.stamp) return;
    deps.log.warn('sessions.store.edited', { path: store.path, gone: stamp === '' });
    if (stamp === '') return;
    const theirs = await readStore({ path: store.path, log: deps.log, known: store.lines });
    for (const [key, entry] of store.dirty) apply(theirs, key, entry);
    store.lines = theirs;
  }

  return {
    ready: (agentId) => storeOf(agentId).then(() => undefined),
    peek(agentId, key) {
      const json = inMemory.get(agentId)?.lines.get(key);
      return json === undefined ? undefined : (JSON.parse(json) as SessionEntry);
    },
    get loaded() {
      return [...inMemory.values()].reduce((sum, store) => sum + store.lines.size, 0);
    },
    async get(agentId, key) {
      const json = (await storeOf(agentId)).lines.get(key);
      return json === undefined ? undefined : (JSON.parse(json) as SessionEntry);
    },
    async stage(agentId, key, wanted) {
      const store = await storeOf(agentId);
      const json = store.lines.get(key);
      const known = json === undefined ? undefined : (JSON.parse(json) as SessionEntry);
      const entry = merge(known, typeof wanted === 'function' ? wanted(known) : wanted, clock.now());
      return { entry, redo: change(store, key, JSON.stringify(entry)) };
    },
    async patch(agentId, key, wanted) {
      const { entry, redo } = await this.stage(agentId, key, wanted);
      await deps.redo.record(redo);
      return entry;
    },
    async delete(agentId, key) {
      const store = await storeOf(agentId);
      const json = store.lines.get(key);
      if (json === undefined) return undefined;
      await deps.redo.record(change(store, key, null));
      return JSON.parse(json) as SessionEntry;
    },
    async newest(agentId, count, wanted) {
      const { lines } = await storeOf(agentId);
      const dated = [...lines].flatMap(([key, json]) => (wanted(key) ? [{ key, json, at: updatedAtIn(json) }] : []));
      return dated
        .sort((a, b) => b.at - a.at)
        .slice(0, count)
        .map(({ key, json }) => [key, JSON.parse(json) as SessionEntry] as const);
    },
    async *entries(agentId) {
      const all = [...(await storeOf(agentId)).lines];
      for (let at = 0; at < all.length; at += SLICE) {
        for (const [key, json] of all.slice(at, at + SLICE)) yield [key, JSON.parse(json) as SessionEntry] as const;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    count: async (agentId) => (await storeOf(agentId)).lines.size,
    flush,
    async close() {
      state.closed = true;
      state.timer?.cancel();
      await flush();
    },
  };
}

function apply(lines: EntryLines, key: string, entry: string | null): void {
  if (entry === null) lines.delete(key);
  else lines.set(key, entry);
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

/** Empty: there is no file. */
async function stampOf(path: string): Promise<string> {
  const facts = await statIfExists(path);
  return facts ? stampFrom(facts) : '';
}

const stampFrom = ({ inode, size, modifiedAt }: FileFacts): string => `${inode}:${size}:${modifiedAt}`;

/** Read off the text: parsing 10 000 entries to show ten would hold the event loop. */
function updatedAtIn(json: string): number {
  const name = '"updatedAt":';
  const at = json.lastIndexOf(name);
  return at === -1 ? 0 : Number.parseInt(json.slice(at + name.length, at + name.length + 14), 10) || 0;
}
