/** Prunes old rows in memory, by the rules of the journal. */
import type { InboundRow } from '../../journal/rows.ts';
import { keptOf, type MemoryTables, type Tables } from './memory-disk.ts';
import { findRun } from './memory-inbound.ts';
import { repliesOf } from './memory-outbox.ts';

interface Pruning {
  readonly before: number;
  readonly limit: number;
  readonly twins: readonly MemoryTables[];
}

export function pruneTables(tables: Tables, { before, limit, twins }: Pruning): number {
  const old = <T extends { readonly endedAt?: number | undefined }>(rows: Iterable<T>): T[] =>
    [...rows].filter(({ endedAt = Infinity }) => endedAt < before).sort((a, b) => a.endedAt! - b.endedAt!);
  const messages = old(tables.inbound.values())
    .filter((row) => mayGo(tables, row, twins))
    .slice(0, limit);
  const sends = repliesOf(tables)
    .slice(0, limit)
    .filter(({ state, createdAt }) => (state === 'sent' || state === 'failed') && createdAt < before)
    .filter(({ runId }) => !findRun(tables, runId));
  for (const row of messages) forget(tables, row);
  const others = twins.map((twin) => twin.prune?.(keptOf(tables, twin), before, limit) ?? 0);
  for (const { id } of sends) tables.outbox.delete(id);
  return Math.max(messages.length, sends.length, ...others);
}

function mayGo(tables: Tables, { turnId, runId }: InboundRow, twins: readonly MemoryTables[]): boolean {
  if (turnId !== undefined && tables.turns.get(turnId)?.settled === false) return false;
  return !twins.some((twin) => twin.holds?.(keptOf(tables, twin), runId));
}

function forget(tables: Tables, { seq, runId, turnId }: InboundRow): void {
  tables.inbound.delete(seq);
  tables.understanding.delete(runId);
  tables.tries.delete(runId);
  for (const { id, state, runId: of } of repliesOf(tables))
    if (of === runId && (state === 'sent' || state === 'failed')) tables.outbox.delete(id);
  for (const [key, step] of tables.steps)
    if ((step.turnId === runId && step.kind === 'access') || step.turnId === turnId) tables.steps.delete(key);
  if (turnId !== undefined) tables.turns.delete(turnId);
}
