/** The ledger of cron in memory: what the tables in the journal are held against. */
import { plain, type MemoryTables } from '../../testing/memory-journal/memory-disk.ts';
import type { CronCursorRow, CronRedoRow, CronRun } from './ledger-rows.ts';
import type { CronLedger } from './ledger.ts';
import { CRON_TABLES } from './ledger-tables.ts';

interface Kept {
  readonly runs: Map<string, CronRun>;
  readonly cursors: Map<string, CronCursorRow>;
  readonly redo: Map<string, CronRedoRow>;
}

/** The history of jobs is kept 90 days where messages have 14. */
const LONGER_MS = 76 * 24 * 3_600_000;
const KEEP_ROWS = 2000;
const COUNT_UP_TO = 20_000;
const ENDED = ['ok', 'error', 'skipped'] as const;
const keyOf = ({ jobId, slotMs, attempt }: CronRun): string => JSON.stringify([jobId, slotMs, attempt]);
const oldestFirst = (a: CronRun, b: CronRun): number => a.slotMs - b.slotMs || a.attempt - b.attempt;

export const memoryLedger: MemoryTables<CronLedger, Kept> = {
  of: CRON_TABLES,
  empty: () => ({ runs: new Map(), cursors: new Map(), redo: new Map() }),
  open: (store) => ({
    commit: ({ claim, skipped = [], ended, cursors = [], jobs = [], forget = [] }) =>
      store.write((tables) => {
        for (const run of skipped) insert(tables, run);
        const taken = claim === undefined || insert(tables, claim);
        if (ended) end(tables, ended);
        for (const cursor of cursors) tables.cursors.set(cursor.jobId, cursor);
        for (const job of jobs)
          if ((tables.redo.get(job.jobId)?.version ?? -Infinity) < job.version) tables.redo.set(job.jobId, job);
        for (const jobId of forget) tables.cursors.delete(jobId);
        return taken;
      }),
    cursors: (afterId, limit) =>
      store.read(({ cursors }) =>
        [...cursors.values()]
          .filter(({ jobId }) => jobId > afterId)
          .sort((a, b) => (a.jobId < b.jobId ? -1 : 1))
          .slice(0, limit),
      ),
    running: () =>
      store.read(({ runs }) =>
        [...runs.values()]
          .filter(({ state }) => state === 'running')
          .sort(
            (a, b) =>
              a.startedAtMs - b.startedAtMs || (a.jobId < b.jobId ? -1 : a.jobId > b.jobId ? 1 : oldestFirst(a, b)),
          ),
      ),
    kept: (jobId) =>
      store.read((tables) => {
        const own = ofJob(tables, jobId);
        return { rows: own.length, oldestSlotMs: own[0]?.slotMs };
      }),
    ended: ({ jobId, status, limit, offset = 0 }) =>
      store.read((tables) => {
        const states: readonly string[] = status === undefined ? ENDED : [status];
        const all = [...tables.runs.values()].filter(({ state }) => states.includes(state));
        const own = all.filter((run) => jobId === undefined || run.jobId === jobId);
        const newest = own.sort(
          jobId === undefined
            ? (a, b) => b.endedAtMs! - a.endedAtMs! || b.slotMs - a.slotMs
            : (a, b) => -oldestFirst(a, b),
        );
        const runs = newest.slice(offset, offset + limit).reverse();
        return { runs, total: jobId === undefined ? Math.min(COUNT_UP_TO, own.length) : own.length };
      }),
    redo: () => store.read(({ redo }) => [...redo.values()].sort((a, b) => a.version - b.version)),
    clearRedo: (rows) =>
      store.write(({ redo }) => {
        for (const { jobId, version } of rows) if (redo.get(jobId)?.version === version) redo.delete(jobId);
      }),
  }),
  prune({ runs }, before, limit) {
    const old = [...runs]
      .filter(([, run]) => run.state !== 'running' && (run.endedAtMs ?? Infinity) < before - LONGER_MS)
      .slice(0, limit);
    for (const [key] of old) runs.delete(key);
    return old.length;
  },
};

const ofJob = ({ runs }: Kept, jobId: string): CronRun[] =>
  [...runs.values()].filter((run) => run.jobId === jobId).sort(oldestFirst);

function insert({ runs }: Kept, run: CronRun): boolean {
  if (runs.has(keyOf(run))) return false;
  runs.set(keyOf(run), plain(run));
  return true;
}

function end(tables: Kept, run: CronRun): void {
  const known = tables.runs.get(keyOf(run));
  if (known?.state !== 'running') return;
  const { error, summary, delivery, sessionKey, sessionId, state, endedAtMs = run.startedAtMs } = run;
  const { jobId, slotMs, attempt, trigger, startedAtMs } = known;
  const body = plain({ error, summary, delivery, sessionKey, sessionId });
  tables.runs.set(keyOf(run), {
    jobId,
    slotMs,
    attempt,
    trigger,
    startedAtMs,
    state,
    endedAtMs,
    ...body,
  } as CronRun);
  const rows = ofJob(tables, jobId);
  for (const old of rows.slice(0, Math.max(0, rows.length - KEEP_ROWS)))
    if (old.state !== 'running') tables.runs.delete(keyOf(old));
}
