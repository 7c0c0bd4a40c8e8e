/** Session entries that are newer than the file, in memory. */
import type { RedoJournal } from '../../journal/journal.ts';
import type { SessionRedo } from '../../journal/rows.ts';
import type { Store, Tables } from './memory-disk.ts';

/** An older version never replaces a newer one. */
export function putRedo({ redo }: Tables, row: SessionRedo): void {
  const key = JSON.stringify([row.agentId, row.key]);
  if ((redo.get(key)?.version ?? -Infinity) < row.version) redo.set(key, row);
}

export const memoryRedo = (store: Store): RedoJournal => ({
  record: (row) => store.write((tables) => putRedo(tables, row)),
  synced: () => store.read(() => undefined),
  load: (agentId) =>
    store.read(({ redo }) =>
      [...redo.values()].filter((row) => row.agentId === agentId).sort((a, b) => a.version - b.version),
    ),
  topVersion: () => store.read(({ redo }) => Math.max(0, ...[...redo.values()].map(({ version }) => version))),
  clear: (agentId, upTo) =>
    store.write(({ redo }) => {
      for (const [key, row] of redo) if (row.agentId === agentId && row.version <= upTo) redo.delete(key);
    }),
});
