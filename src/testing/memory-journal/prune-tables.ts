/** Forgets old rows in memory, by the rules of the journal. */
import { exchangeOfRun } from '../../journal/exchange.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Tables } from './memory-disk.ts';
import { findRun } from './memory-inbound.ts';
import { repliesOf } from './memory-outbox.ts';

/** The history of jobs is kept 90 days where messages have 14. */
const CRON_LONGER_MS = 76 * 24 * 3_600_000;

export function pruneTables(tables: Tables, before: number, limit: number): number {
  const old = <T extends { readonly endedAt?: number | undefined }>(rows: Iterable<T>): T[] =>
    [...rows].filter(({ endedAt = Infinity }) => endedAt < before).sort((a, b) => a.endedAt! - b.endedAt!);
  const messages = old(tables.inbound.values())
    .filter((row) => mayGo(tables, row))
    .slice(0, limit);
  const sends = repliesOf(tables)
    .slice(0, limit)
    .filter(({ state, createdAt }) => (state === 'sent' || state === 'failed') && createdAt < before)
    .filter(({ runId }) => !findRun(tables, runId));
  const exchanges = old(tables.exchanges.values())
    .filter(({ state }) => state === 'closed')
    .slice(0, limit);
  const runs = [...tables.cronRuns]
    .filter(([, run]) => run.state !== 'running' && (run.endedAtMs ?? Infinity) < before - CRON_LONGER_MS)
    .slice(0, limit);
  for (const row of messages) forget(tables, row);
  for (const { id } of exchanges) tables.exchanges.delete(id);
  for (const [key] of runs) tables.cronRuns.delete(key);
  for (const { id } of sends) tables.outbox.delete(id);
  return Math.max(messages.length, sends.length, exchanges.length, runs.length);
}

function mayGo({ turns, exchanges }: Tables, { turnId, runId }: InboundRow): boolean {
  if (turnId !== undefined && turns.get(turnId)?.settled === false) return false;
  const exchange = exchangeOfRun(runId);
  return exchange === undefined || exchanges.get(exchange)?.state !== 'open';
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
