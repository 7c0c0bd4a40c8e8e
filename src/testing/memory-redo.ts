/** The redo log of the session store in memory. */
import type { RedoLog, StoreRedo } from '../sessions/store-redo.ts';

export interface MemoryRedo extends RedoLog {
  readonly rows: Map<string, StoreRedo>;
  /** Makes every write fail until told otherwise. */
  refuse: Error | undefined;
}

export function createMemoryRedo(): MemoryRedo {
  const rows = new Map<string, StoreRedo>();
  const self: MemoryRedo = {
    rows,
    refuse: undefined,
    async record(redo) {
      if (self.refuse) throw self.refuse;
      const id = `${redo.agentId} ${redo.key}`;
      if ((rows.get(id)?.version ?? 0) < redo.version) rows.set(id, redo);
    },
    synced: async () => {},
    load: async (agentId) =>
      [...rows.values()].filter((row) => row.agentId === agentId).sort((a, b) => a.version - b.version),
    topVersion: async () => Math.max(0, ...[...rows.values()].map(({ version }) => version)),
    async clear(agentId, upTo) {
      for (const [id, row] of rows) if (row.agentId === agentId && row.version <= upTo) rows.delete(id);
    },
  };
  return self;
}
