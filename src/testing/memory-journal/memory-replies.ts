/** New replies in memory: once per token, and which of them this instance sends immediately. */
import type { NewOutboxRow } from '../../journal/rows.ts';
import { plain, type Tables } from './memory-disk.ts';

export interface NewReply extends NewOutboxRow {
  readonly begins: boolean;
}

export interface MemoryReplies {
  prepare(rows: readonly NewOutboxRow[]): readonly NewReply[];
  insert(tables: Tables, row: NewReply, at: number): number;
  takeBegun(token: string): boolean;
}

export function memoryReplies(begins: (row: NewOutboxRow) => boolean): MemoryReplies {
  const begun = new Set<string>();
  return {
    prepare: (rows) => rows.map((row) => ({ ...plain(row), begins: begins(row) })),
    insert({ outbox }, { begins: isBegun, ...row }, at) {
      const known = [...outbox.values()].find(({ token }) => token === row.token);
      if (known) return known.id;
      const id = Math.max(0, ...outbox.keys()) + 1;
      const state = isBegun ? 'sending' : 'pending';
      outbox.set(id, { ...row, id, state, attempts: isBegun ? 1 : 0, nextAt: at, createdAt: at });
      if (isBegun) begun.add(row.token);
      return id;
    },
    takeBegun: (token) => begun.delete(token),
  };
}
