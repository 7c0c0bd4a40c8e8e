/** What features keep in the journal: understanding, exchanges and cron, in memory. */
import type { CronRun } from '../../journal/cron-rows.ts';
import type { CronJournal, ExchangeJournal, UnderstandingJournal } from '../../journal/journal.ts';
import type { ExchangeRow } from '../../journal/exchange.ts';
import { plain, type Store, type Tables } from './memory-disk.ts';
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

export function memoryExchanges(store: Store): ExchangeJournal {
  const byAge = (a: ExchangeRow, b: ExchangeRow): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
  const open = ({ exchanges }: Tables): ExchangeRow[] =>
    [...exchanges.values()].filter(({ state }) => state === 'open').sort(byAge);
  const of = (tables: Tables, requesterKey: string, kind: ExchangeRow['kind']): ExchangeRow[] =>
    open(tables).filter((one) => one.requesterKey === requesterKey && one.kind === kind);
  return {
    find: (id) => store.read(({ exchanges }) => exchanges.get(id)),
    open: (exchange, maxUnsettled = Infinity) =>
      store.write((tables) => {
        const { id, requesterKey, kind } = exchange;
        const known = tables.exchanges.get(id);
        if (known || of(tables, requesterKey, kind).length >= maxUnsettled) return known;
        tables.exchanges.set(id, { ...plain(exchange), state: 'open' });
        return tables.exchanges.get(id);
      }),
    going: () => store.read(open),
    of: (requesterKey, kind) => store.read((tables) => of(tables, requesterKey, kind)),
    due: (at) =>
      store.read(({ exchanges }) =>
        [...exchanges.values()]
          .filter(({ state, archiveAt = Infinity }) => state === 'kept' && archiveAt <= at)
          .sort((a, b) => a.archiveAt! - b.archiveAt! || (a.id < b.id ? -1 : 1)),
      ),
    end(id, archiveAt) {
      const at = store.now();
      return store.write(({ exchanges }) => {
        const row = exchanges.get(id);
        if (!row) return;
        delete row.archiveAt;
        Object.assign(row, { state: archiveAt === undefined ? 'closed' : 'kept', endedAt: row.endedAt ?? at });
        if (archiveAt !== undefined) row.archiveAt = archiveAt;
      });
    },
  };
}

const KEEP_ROWS = 2000;
const COUNT_UP_TO = 20_000;
const ENDED = ['ok', 'error', 'skipped'] as const;
const keyOf = ({ jobId, slotMs, attempt }: CronRun): string => JSON.stringify([jobId, slotMs, attempt]);
const oldestFirst = (a: CronRun, b: CronRun): number => a.slotMs - b.slotMs || a.attempt - b.attempt;

export function memoryCron(store: Store): CronJournal {
  return {
    commit: ({ claim, skipped = [], ended, cursors = [], jobs = [], forget = [] }) =>
      store.write((tables) => {
        for (const run of skipped) insert(tables, run);
        const taken = claim === undefined || insert(tables, claim);
        if (ended) end(tables, ended);
        for (const cursor of cursors) tables.cronCursors.set(cursor.jobId, cursor);
        for (const job of jobs)
          if ((tables.cronRedo.get(job.jobId)?.version ?? -Infinity) < job.version) tables.cronRedo.set(job.jobId, job);
        for (const jobId of forget) tables.cronCursors.delete(jobId);
        return taken;
      }),
    cursors: (afterId, limit) =>
      store.read(({ cronCursors }) =>
        [...cronCursors.values()]
          .filter(({ jobId }) => jobId > afterId)
          .sort((a, b) => (a.jobId < b.jobId ? -1 : 1))
          .slice(0, limit),
      ),
    running: () =>
      store.read(({ cronRuns }) =>
        [...cronRuns.values()]
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
        const all = [...tables.cronRuns.values()].filter(({ state }) => states.includes(state));
        const own = all.filter((run) => jobId === undefined || run.jobId === jobId);
        const newest = own.sort(
          jobId === undefined
            ? (a, b) => b.endedAtMs! - a.endedAtMs! || b.slotMs - a.slotMs
            : (a, b) => -oldestFirst(a, b),
        );
        const runs = newest.slice(offset, offset + limit).reverse();
        return { runs, total: jobId === undefined ? Math.min(COUNT_UP_TO, own.length) : own.length };
      }),
    redo: () => store.read(({ cronRedo }) => [...cronRedo.values()].sort((a, b) => a.version - b.version)),
    clearRedo: (rows) =>
      store.write(({ cronRedo }) => {
        for (const { jobId, version } of rows) if (cronRedo.get(jobId)?.version === version) cronRedo.delete(jobId);
      }),
  };
}

const ofJob = ({ cronRuns }: Tables, jobId: string): CronRun[] =>
  [...cronRuns.values()].filter((run) => run.jobId === jobId).sort(oldestFirst);

function insert({ cronRuns }: Tables, run: CronRun): boolean {
  if (cronRuns.has(keyOf(run))) return false;
  cronRuns.set(keyOf(run), plain(run));
  return true;
}

function end(tables: Tables, run: CronRun): void {
  const known = tables.cronRuns.get(keyOf(run));
  if (known?.state !== 'running') return;
  const { error, summary, delivery, sessionKey, sessionId, state, endedAtMs = run.startedAtMs } = run;
  const { jobId, slotMs, attempt, trigger, startedAtMs } = known;
  const body = plain({ error, summary, delivery, sessionKey, sessionId });
  tables.cronRuns.set(keyOf(run), {
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
    if (old.state !== 'running') tables.cronRuns.delete(keyOf(old));
}
