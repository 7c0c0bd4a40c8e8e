/** The session entries of one agent in memory, read from and written to `sessions.json`. */
import type { Log } from '../core/log.ts';
import type { Clock } from '../platform/clock.ts';
import { statIfExists, writeFileAtomic, type FileFacts } from '../platform/files.ts';
import type { EntryLines, PackedLines } from './packed-lines.ts';
import { formatStore, readStore } from './store-file.ts';
import type { RedoLog } from './store-redo.ts';

export interface AgentStore {
  readonly agentId: string;
  readonly path: string;
  lines: PackedLines;
  /** Changed since the last write. */
  dirty: Map<string, string | null>;
  version: number;
  /** Of the file as it was left; empty: there is none. */
  stamp: string;
  /** Bytes of the file as this run wrote it last, and when that was, on the monotonic clock. */
  written: { readonly bytes: number; readonly at: number } | undefined;
  /** Resolves when the last write asked for is over. */
  flushed: Promise<void>;
}

/** With what the journal has kept since the file was written. */
export async function loadAgentStore(
  agentId: string,
  { path, redo, log }: { readonly path: string; readonly redo: Pick<RedoLog, 'load'>; readonly log: Log },
): Promise<AgentStore> {
  const lines = await readStore({ path, log });
  const leftover = await redo.load(agentId);
  for (const { key, entry } of leftover) applyEntry(lines, key, entry);
  return {
    agentId,
    path,
    lines,
    dirty: new Map(leftover.map(({ key, entry }) => [key, entry])),
    version: leftover.at(-1)?.version ?? 0,
    stamp: await stampOf(path),
    written: undefined,
    flushed: Promise.resolve(),
  };
}

/** The file was deleted: what is remembered is all there is of it. */
export const isGone = async (store: AgentStore): Promise<boolean> =>
  store.stamp !== '' && (await stampOf(store.path)) === '';

/** Writes all that is dirty; what could not be written is dirty again. */
export async function writeAgentStore(
  store: AgentStore,
  { redo, clock, log }: { readonly redo: Pick<RedoLog, 'clear'>; readonly clock: Clock; readonly log: Log },
): Promise<void> {
  await adoptForeignEdits(store, log);
  const dirty = store.dirty;
  const upTo = store.version;
  store.dirty = new Map();
  try {
    const facts = await writeFileAtomic(store.path, formatStore(store.lines));
    store.stamp = stampFrom(facts);
    store.written = { bytes: facts.size, at: clock.monotonic() };
  } catch (error) {
    store.dirty = new Map([...dirty, ...store.dirty]);
    throw error;
  }
  await redo.clear(store.agentId, upTo);
}

/**
 * Somebody edited the file while we ran: their entries win, except for those we changed since. A file that is gone or
 * damaged is written anew from memory.
 */
async function adoptForeignEdits(store: AgentStore, log: Log): Promise<void> {
  const stamp = await stampOf(store.path);
  if (stamp === store.stamp) return;
  log.warn('sessions.store.edited', { path: store.path, gone: stamp === '' });
  if (stamp === '') return;
  const theirs = await readStore({ path: store.path, log, known: store.lines });
  for (const [key, entry] of store.dirty) applyEntry(theirs, key, entry);
  store.lines = theirs;
}

export function applyEntry(lines: EntryLines, key: string, entry: string | null): void {
  if (entry === null) lines.delete(key);
  else lines.set(key, entry);
}

/** Empty: there is no file. */
async function stampOf(path: string): Promise<string> {
  const facts = await statIfExists(path);
  return facts ? stampFrom(facts) : '';
}

const stampFrom = ({ inode, size, modifiedAt }: FileFacts): string => `${inode}:${size}:${modifiedAt}`;
