/** The tables of cron: runs, the progress of each job, and job changes that are not in the file yet. */
import { present } from '../../core/present.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { CronHistory, CronRun, CronRunFilter } from './ledger-rows.ts';
import type { CronLedger } from './ledger.ts';
import type { JournalTables } from '../../journal/tables.ts';

/** Rows kept of one job. */
const KEEP_ROWS = 2000;
/** Ended runs of one job between two counts of its rows. */
const PRUNE_EVERY = 50;
/** The history of jobs is read long after the messages of a run are gone: 90 days where those have 14. */
const LONGER_MS = 76 * 24 * 3_600_000;
/** Counting further would take longer than anybody wants to page. */
const COUNT_UP_TO = 20_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS cron_run (      -- P8: an attempt at a scheduled instant is claimed once
  job_id TEXT NOT NULL, slot INTEGER NOT NULL, attempt INTEGER NOT NULL,
  cause TEXT NOT NULL,                   -- CronRun.trigger
  state TEXT NOT NULL,                   -- running | ok | error | skipped
  body TEXT,                             -- what else CronRun has
  started_at INTEGER NOT NULL, ended_at INTEGER,
  PRIMARY KEY (job_id, slot, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cron_run_state ON cron_run (state, ended_at);

CREATE TABLE IF NOT EXISTS cron_cursor (   -- how far each job is
  job_id TEXT PRIMARY KEY, slot INTEGER NOT NULL, plan TEXT NOT NULL, facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS cron_redo (     -- jobs newer than jobs.json
  job_id TEXT PRIMARY KEY, job TEXT, version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

const ENDED = ['ok', 'error', 'skipped'] as const;

const INSERT = `INSERT OR IGNORE INTO cron_run (job_id, slot, attempt, cause, state, body, started_at, ended_at)
  VALUES (?,?,?,?,?,?,?,?)`;
const END = `UPDATE cron_run SET state = ?, body = ?, ended_at = ?
  WHERE job_id = ? AND slot = ? AND attempt = ? AND state = 'running'`;
const PUT_CURSOR = `INSERT INTO cron_cursor (job_id, slot, plan, facts) VALUES (?,?,?,?)
  ON CONFLICT DO UPDATE SET slot = excluded.slot, plan = excluded.plan, facts = excluded.facts`;
const PUT_REDO = `INSERT INTO cron_redo (job_id, job, version) VALUES (?,?,?)
  ON CONFLICT DO UPDATE SET job = excluded.job, version = excluded.version WHERE excluded.version > version`;
const KEPT = 'SELECT count(*) AS rows, min(slot) AS oldest FROM cron_run WHERE job_id = ?';

/** The ledger in the journal. */
export const CRON_TABLES: JournalTables<CronLedger> = {
  schema: SCHEMA,
  open: createCronRuns,
  old: (db, before, limit) => oldRuns(db, before - LONGER_MS, limit),
  forget,
};

function createCronRuns(sql: Sqlite): CronLedger {
  return {
    commit: committer(sql),
    cursors: async (afterId, limit) =>
      sql.read.all('SELECT * FROM cron_cursor WHERE job_id > ? ORDER BY job_id LIMIT ?', afterId, limit).map((row) => ({
        jobId: String(row['job_id']),
        slotMs: Number(row['slot']),
        plan: String(row['plan']),
        facts: String(row['facts']),
      })),
    running: async () => sql.read.all(`SELECT * FROM cron_run WHERE state = 'running' ORDER BY started_at`).map(toRun),
    async kept(jobId) {
      const row = sql.read.get(KEPT, jobId);
      return {
        rows: Number(row?.['rows'] ?? 0),
        oldestSlotMs: typeof row?.['oldest'] === 'number' ? row['oldest'] : undefined,
      };
    },
    ended: async (filter) => (filter.jobId === undefined ? ofAll(sql, filter) : ofJob(sql, filter.jobId, filter)),
    redo: async () =>
      sql.read.all('SELECT * FROM cron_redo ORDER BY version').map((row) => ({
        jobId: String(row['job_id']),
        job: row['job'] === null ? null : String(row['job']),
        version: Number(row['version']),
      })),
    clearRedo: (rows) =>
      sql.write(
        (db) => {
          for (const { jobId, version } of rows)
            db.run('DELETE FROM cron_redo WHERE job_id = ? AND version = ?', jobId, version);
        },
        { sync: false },
      ),
  };
}

function committer(sql: Sqlite): CronLedger['commit'] {
  const sincePrune = new Map<string, number>();

  function end(db: SqlSession, run: CronRun): void {
    const { jobId, slotMs, attempt, state, startedAtMs, endedAtMs = startedAtMs } = run;
    db.run(END, state, bodyOf(run), endedAtMs, jobId, slotMs, attempt);
    const count = (sincePrune.get(jobId) ?? 0) + 1;
    sincePrune.set(jobId, count % PRUNE_EVERY);
    if (count === PRUNE_EVERY) trim(db, jobId);
  }

  return ({ claim, skipped = [], ended, cursors = [], jobs = [], forget = [] }) =>
    sql.write((db) => {
      for (const run of skipped) insert(db, run);
      const taken = claim === undefined || insert(db, claim);
      if (ended) end(db, ended);
      for (const { jobId, slotMs, plan, facts } of cursors) db.run(PUT_CURSOR, jobId, slotMs, plan, facts);
      for (const { jobId, job, version } of jobs) db.run(PUT_REDO, jobId, job, version);
      for (const jobId of forget) {
        db.run('DELETE FROM cron_cursor WHERE job_id = ?', jobId);
        sincePrune.delete(jobId);
      }
      return taken;
    });
}

/** How far a job is stays. */
function oldRuns(db: SqlSession, before: number, limit: number): Row[] {
  return ENDED.flatMap((state) =>
    db.all(
      'SELECT job_id, slot, attempt FROM cron_run WHERE state = ? AND ended_at < ? ORDER BY ended_at LIMIT ?',
      state,
      before,
      limit,
    ),
  ).slice(0, limit);
}

function forget(db: SqlSession, { job_id, slot, attempt }: Row): void {
  db.run('DELETE FROM cron_run WHERE job_id = ? AND slot = ? AND attempt = ?', job_id!, slot!, attempt!);
}

function insert(db: SqlSession, run: CronRun): boolean {
  return (
    db.run(
      INSERT,
      run.jobId,
      run.slotMs,
      run.attempt,
      run.trigger,
      run.state,
      bodyOf(run),
      run.startedAtMs,
      run.endedAtMs ?? null,
    ).changes > 0
  );
}

function trim(db: SqlSession, jobId: string): void {
  const last = db.get(
    'SELECT slot FROM cron_run WHERE job_id = ? ORDER BY slot DESC, attempt DESC LIMIT 1 OFFSET ?',
    jobId,
    KEEP_ROWS - 1,
  );
  if (last) db.run(`DELETE FROM cron_run WHERE job_id = ? AND slot < ? AND state <> 'running'`, jobId, last['slot']!);
}

function ofJob(sql: Sqlite, jobId: string, { status, limit, offset = 0 }: CronRunFilter): CronHistory {
  const states = status === undefined ? `state <> 'running'` : 'state = ?';
  const values = status === undefined ? [jobId] : [jobId, status];
  const rows = sql.read.all(
    `SELECT * FROM cron_run WHERE job_id = ? AND ${states} ORDER BY slot DESC, attempt DESC LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  const total = sql.read.get(`SELECT count(*) AS total FROM cron_run WHERE job_id = ? AND ${states}`, ...values);
  return { runs: rows.reverse().map(toRun), total: Number(total?.['total'] ?? 0) };
}

/** The newest of each state, put together: an index has them in this order, over all states none has. */
function ofAll(sql: Sqlite, { status, limit, offset = 0 }: CronRunFilter): CronHistory {
  const states = status === undefined ? ENDED : [status];
  const rows = states.flatMap((state) =>
    sql.read.all('SELECT * FROM cron_run WHERE state = ? ORDER BY ended_at DESC LIMIT ?', state, limit + offset),
  );
  const newest = rows
    .map(toRun)
    .sort((a, b) => b.endedAtMs! - a.endedAtMs! || b.slotMs - a.slotMs)
    .slice(offset, offset + limit);
  const counts = states.map((state) =>
    Number(
      sql.read.get(
        'SELECT count(*) AS total FROM (SELECT 1 FROM cron_run WHERE state = ? LIMIT ?)',
        state,
        COUNT_UP_TO,
      )?.['total'] ?? 0,
    ),
  );
  return {
    runs: newest.reverse(),
    total: Math.min(
      COUNT_UP_TO,
      counts.reduce((sum, count) => sum + count, 0),
    ),
  };
}

type Body = Pick<CronRun, 'error' | 'summary' | 'delivery' | 'sessionKey' | 'sessionId'>;

function bodyOf({ error, summary, delivery, sessionKey, sessionId }: CronRun): string | null {
  const body = JSON.stringify({ error, summary, delivery, sessionKey, sessionId } satisfies {
    [Key in keyof Body]-?: Body[Key] | undefined;
  });
  return body === '{}' ? null : body;
}

function toRun(row: Row): CronRun {
  return {
    jobId: String(row['job_id']),
    slotMs: Number(row['slot']),
    attempt: Number(row['attempt']),
    trigger: String(row['cause']) as CronRun['trigger'],
    state: String(row['state']) as CronRun['state'],
    startedAtMs: Number(row['started_at']),
    ...present({ endedAtMs: row['ended_at'] !== null ? Number(row['ended_at']) : undefined }),
    ...(JSON.parse(String(row['body'] ?? '{}')) as Body),
  };
}
