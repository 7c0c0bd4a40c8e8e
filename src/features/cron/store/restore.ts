/** Merges the job in the file with its state in the ledger. Pure. */
import type { CronStatusWord } from '../ledger-rows.ts';
import { present } from '../../../core/present.ts';
import type { KeptJob } from '../job/read-job.ts';
import type { CronCursor } from '../ledger.ts';
import { firstSlot, planOf, type CronFacts, type Entry } from './entry.ts';

export interface Restoring {
  readonly kept: KeptJob;
  readonly raw: unknown;
  readonly cursor: CronCursor | undefined;
  readonly nowMs: number;
}

/** `rewrite`: the file lacks something that must be the same the next time. */
export function entryFor({ kept, raw, cursor, nowMs }: Restoring): {
  readonly entry: Entry;
  readonly raw: unknown;
  readonly rewrite: boolean;
} {
  if (kept.kind === 'bad')
    return {
      entry: { id: kept.id, raw, problem: kept.problem, ...present({ job: kept.job }) },
      raw,
      rewrite: false,
    };
  const { job, extra, rewrite } = kept;
  const known = cursor && (JSON.parse(cursor.facts) as CronFacts);
  const common = present({ id: job.id, job, extra });
  if (cursor?.plan === planOf(job)) return { entry: { ...common, slotMs: cursor.slotMs, facts: known! }, raw, rewrite };
  if (!known) return { entry: { ...common, ...firstSeen(kept, nowMs) }, raw, rewrite };
  // Changed by hand: what it owed under the old schedule it owes no more.
  const { retry: _retry, notBeforeMs: _notBefore, disabledReason: _reason, ...facts } = known;
  return { entry: { ...common, slotMs: firstSlot(job, nowMs), facts }, raw, rewrite };
}

/** A job the ledger has never heard of: written by hand, or by another product that says what it did last. */
function firstSeen(
  { job, state }: Extract<KeptJob, { kind: 'good' }>,
  nowMs: number,
): { readonly slotMs: number; readonly facts: CronFacts } {
  const last = instant(state['lastRunAtMs']);
  const status = (['ok', 'error', 'skipped'] satisfies CronStatusWord[]).find(
    (word) => word === (state['lastStatus'] ?? state['lastRunStatus']),
  );
  const facts: CronFacts = present({ lastRunAtMs: last, lastStatus: status });
  const owed = instant(state['nextRunAtMs']);
  if (job.schedule.kind === 'at')
    return {
      slotMs: last !== undefined && last >= job.schedule.atMs ? job.schedule.atMs : job.schedule.atMs - 1,
      facts,
    };
  return { slotMs: owed !== undefined && owed <= nowMs ? owed - 1 : nowMs, facts };
}

const instant = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
