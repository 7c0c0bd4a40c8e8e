/** The outbox in memory. */
import type { OutboxJournal } from '../../journal/journal.ts';
import type { OutboxRow } from '../../journal/rows.ts';
import type { Store, Tables } from './memory-disk.ts';
import { endMessages } from './memory-inbound.ts';
import type { MemoryReplies } from './memory-replies.ts';

export function memoryOutbox(store: Store, replies: MemoryReplies): OutboxJournal {
  const change = (id: number, over: (row: OutboxRow) => Partial<OutboxRow>): Promise<void> =>
    store.write(({ outbox }) => {
      const row = outbox.get(id);
      if (row) Object.assign(row, over(row));
    });
  const failed = (error: string, at: number) => ({ state: 'failed', error, sentAt: at }) as const;
  return {
    post(rows, ends) {
      const at = store.now();
      const prepared = replies.prepare(rows);
      return store.write((tables) => {
        for (const { seq, ...end } of ends) endMessages(tables, [seq], { ...end, at });
        return prepared.map((row) => replies.insert(tables, row, at));
      });
    },
    get: (id) => store.read(({ outbox }) => outbox.get(id)),
    take: (id) =>
      store.read(({ outbox }) => {
        const row = outbox.get(id);
        return row && { row, begun: replies.takeBegun(row.token) && row.state === 'sending' };
      }),
    byToken: (token) => store.read(({ outbox }) => [...outbox.values()].find((row) => row.token === token)),
    open: () => store.read((tables) => repliesOf(tables).filter(isOpen)),
    pending: () => store.read((tables) => repliesOf(tables).filter(isOpen).length),
    ofRun: (runId) => store.read((tables) => repliesOf(tables).filter((row) => row.runId === runId)),
    synced: () => store.read(() => undefined),
    sending: (id) => change(id, ({ attempts }) => ({ state: 'sending', attempts: attempts + 1 })),
    sent(id, messageIds) {
      const sentAt = store.now();
      return store.write(({ outbox }) => {
        const row = outbox.get(id);
        if (!row) return;
        delete row.error;
        Object.assign(row, { state: 'sent', messageIds, sentAt });
      });
    },
    retryAt: (id, state, nextAt, error) => change(id, () => ({ state, nextAt, error })),
    failed(id, error) {
      const at = store.now();
      return change(id, () => failed(error, at));
    },
    expire(before, error) {
      const at = store.now();
      return store.write((tables) => {
        const old = repliesOf(tables).filter((row) => isOpen(row) && row.createdAt < before);
        for (const row of old) Object.assign(row, failed(error, at));
        return old.length;
      });
    },
  };
}

export const repliesOf = ({ outbox }: Tables): OutboxRow[] => [...outbox.values()].sort((a, b) => a.id - b.id);
const isOpen = ({ state }: OutboxRow): boolean => state !== 'sent' && state !== 'failed';
