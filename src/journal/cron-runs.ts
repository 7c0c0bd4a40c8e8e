/**
 * The ledger of cron: which instants of which job were taken, what came of them, how far each job is, and changes of
 * jobs that `jobs.json` does not hold yet.
 */
import { present } from '../core/present.ts';
import type { Row, Sqlite, SqlSession } from '../platform/sqlite.ts';

export type CronStatusWord = 'ok' | 'error' | 'skipped';

export interface CronDelivery {
  readonly status: 'delivered' | 'pending' | 'not-delivered' | 'not-requested';
  readonly channel?: string;
  readonly to?: string;
  readonly error?: string;
}

/** A row of the ledger: (job, slot, attempt) is unique, and attempt 0 of a slot is written once, whoever asks. */
export interface CronRun {
  readonly jobId: string;
  /** The scheduled instant, without stagger; for a run by hand the moment it was asked for. */
  readonly slotMs: number;
  readonly attempt: number;
  readonly trigger: 'schedule' | 'catch-up' | 'retry' | 'manual';
  /** `running` covers claimed and begun. A missed slot is `skipped` with its reason in `error`. */
  readonly state: 'running' | CronStatusWord;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  readonly error?: string;
  readonly summary?: string;
  readonly delivery?: CronDelivery;
  readonly sessionKey?: string;
  readonly sessionId?: string;
}

/**
 * How far a job is: `slotMs` is the newest instant dealt with, `plan` the schedule it belongs to, `facts` what its
 * state is made of (JSON).
 */
export interface CronCursorRow {
  readonly jobId: string;
  readonly slotMs: number;
  readonly plan: string;
  readonly facts: string;
}

/** `job` is the job's JSON; null: it was removed. `version` only grows. */
export interface CronRedoRow {
  readonly jobId: string;
  readonly job: string | null;
  readonly version: number;
}

/** What is written together, or not at all. */
export interface CronCommit {
  /** Written unless somebody has this attempt at this instant already. */
  readonly claim?: CronRun | undefined;
  /** Instants nobody runs; one that has a row keeps it. */
  readonly skipped?: readonly CronRun[] | undefined;
  /** A run that was begun, and its end. The first end stands. */
  readonly ended?: CronRun | undefined;
  readonly cursors?: readonly CronCursorRow[] | undefined;
  readonly jobs?: readonly CronRedoRow[] | undefined;
  /** Jobs that are gone: nothing is owed for them any more. */
  readonly forget?: readonly string[] | undefined;
}

export interface CronRunFilter {
  readonly jobId?: string | undefined;
  readonly status?: CronStatusWord | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** Rows kept of one job. */
const KEEP_ROWS = 2000;
/** Ends of runs of one job between two looks at how many there are. */
const LOOK_EVERY = 50;
/** Counting further would take longer than anybody wants to page. */
const COUNT_UP_TO = 20_000;

const ENDED = ['ok', 'error', 'skipped'] as const;
const INSERT =
  'INSERT OR IGNORE INTO cron_run (job_id, slot, attempt, cause, state, body, started_at, ended_at) VALUES (?,?,?,?,?,?,?,?)';
const PUT_CURSOR =
  'INSERT INTO cron_cursor (job_id, slot, plan, facts) VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET slot = excluded.slot, plan = excluded.plan, facts = excluded.facts';
const PUT_REDO =
  'INSERT INTO cron_redo (job_id, job, version) VALUES (?,?,?) ON CONFLICT DO UPDATE SET job = excluded.job, version = excluded.version WHERE excluded.version > version';

export function createCronRuns(sql: Sqlite) {
  const sinceLook = new Map<string, number>();

  function end(db: SqlSession, run: CronRun): void {
    db.run(
      `UPDATE cron_run SET state = ?, body = ?, ended_at = ? WHERE job_id = ? AND slot = ? AND attempt = ? AND state = 'running'`,
      run.state,
      bodyOf(run),
      run.endedAtMs ?? run.startedAtMs,
      run.jobId,
      run.slotMs,
      run.attempt,
    );
    const count = (sinceLook.get(run.jobId) ?? 0) + 1;
    sinceLook.set(run.jobId, count % LOOK_EVERY);
    if (count === LOOK_EVERY) trim(db, run.jobId);
  }

  return {
    /** Resolves when it is on the platter; false: the claim came too late, the rest was written all the same. */
    commit: ({ claim, skipped = [], ended, cursors = [], jobs = [], forget = [] }: CronCommit): Promise<boolean> =>
      sql.write((db) => {
        for (const run of skipped) insert(db, run);
        const taken = claim === undefined || insert(db, claim);
        if (ended) end(db, ended);
        for (const { jobId, slotMs, plan, facts } of cursors) db.run(PUT_CURSOR, jobId, slotMs, plan, facts);
        for (const { jobId, job, version } of jobs) db.run(PUT_REDO, jobId, job, version);
        for (const jobId of forget) {
          db.run('DELETE FROM cron_cursor WHERE job_id = ?', jobId);
          sinceLook.delete(jobId);
        }
        return taken;
      }),
    /** In order of id, from the one after `afterId`. */
    cursors: (afterId: string, limit: number): CronCursorRow[] =>
      sql.read.all('SELECT * FROM cron_cursor WHERE job_id > ? ORDER BY job_id LIMIT ?', afterId, limit).map((row) => ({
        jobId: String(row['job_id']),
        slotMs: Number(row['slot']),
        plan: String(row['plan']),
        facts: String(row['facts']),
      })),
    /** Begun, and not ended in any run. */
    running: (): CronRun[] =>
      sql.read.all(`SELECT * FROM cron_run WHERE state = 'running' ORDER BY started_at`).map(toRun),
    /** How many rows a job has, and the oldest instant among them. */
    kept(jobId: string): { readonly rows: number; readonly oldestSlotMs: number | undefined } {
      const row = sql.read.get('SELECT count(*) AS rows, min(slot) AS oldest FROM cron_run WHERE job_id = ?', jobId);
      return {
        rows: Number(row?.['rows'] ?? 0),
        oldestSlotMs: typeof row?.['oldest'] === 'number' ? row['oldest'] : undefined,
      };
    },
    /** What has ended: the newest, oldest first. `total` counts up to 20 000. */
    ended: (filter: CronRunFilter): { readonly runs: CronRun[]; readonly total: number } =>
      filter.jobId === undefined ? ofAll(sql, filter) : ofJob(sql, filter.jobId, filter),
    redo: (): CronRedoRow[] =>
      sql.read.all('SELECT * FROM cron_redo ORDER BY version').map((row) => ({
        jobId: String(row['job_id']),
        job: row['job'] === null ? null : String(row['job']),
        version: Number(row['version']),
      })),
    /** Drops what `jobs.json` now holds; a change made since stays. */
    clearRedo: (rows: readonly Pick<CronRedoRow, 'jobId' | 'version'>[]): Promise<void> =>
      sql.write(
        (db) => {
          for (const { jobId, version } of rows)
            db.run('DELETE FROM cron_redo WHERE job_id = ? AND version = ?', jobId, version);
        },
        { sync: false },
      ),
  };
}

/** What ended before `before`, at most `limit` rows; how far a job is stays. */
export function oldCronRuns(db: SqlSession, before: number, limit: number): Row[] {
  return ENDED.flatMap((state) =>
    db.all(
      'SELECT job_id, slot, attempt FROM cron_run WHERE state = ? AND ended_at < ? ORDER BY ended_at LIMIT ?',
      state,
      before,
      limit,
    ),
  ).slice(0, limit);
}

export function deleteCronRun(db: SqlSession, { job_id, slot, attempt }: Row): void {
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

function ofJob(sql: Sqlite, jobId: string, { status, limit, offset = 0 }: CronRunFilter) {
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
function ofAll(sql: Sqlite, { status, limit, offset = 0 }: CronRunFilter) {
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
    ...(row['body'] === null ? {} : (JSON.parse(String(row['body'])) as Body)),
  };
}
