/** Results of understanding in memory. */
import type { UnderstandingJournal } from '../../journal/journal.ts';
import { plain, type Store } from './memory-disk.ts';
import type { MemoryReplies } from './memory-replies.ts';
import { findRun } from './memory-inbound.ts';

export function memoryUnderstanding(store: Store, replies: MemoryReplies): UnderstandingJournal {
  return {
    find: (runId) => store.read(({ understanding }) => understanding.get(runId)?.understanding),
    latest: (sessionKey) =>
      store.read(
        (tables) =>
          [...tables.understanding]
            .filter(([runId]) => findRun(tables, runId)?.route.sessionKey === sessionKey)
            .filter(([, kept]) => kept.understanding.attachments.length > 0)
            .sort(([, a], [, b]) => b.at - a.at)
            .at(0)?.[1].understanding,
      ),
    save(runId, understanding, startedAt, said) {
      const at = store.now();
      const kept = plain(understanding);
      const prepared = replies.prepare(said);
      return store.write((tables) => {
        const first = tables.understanding.get(runId)?.startedAt ?? startedAt;
        tables.understanding.set(runId, { understanding: kept, startedAt: first, at });
        return prepared.map((row) => replies.insert(tables, row, at));
      });
    },
  };
}
