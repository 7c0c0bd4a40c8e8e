/** The tables of usage: sums by day, agent, channel and model; and how far each transcript was read. */
import type { JournalTables } from '../../journal/tables.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { UsageRow } from './answers.ts';
import { added } from './latency.ts';
import type { OpenTurn } from './usage-line.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS usage_day (     -- what was used; one commit with how far its transcript was read
  day TEXT NOT NULL, agent TEXT NOT NULL, channel TEXT NOT NULL, model TEXT NOT NULL,
  turns INTEGER NOT NULL, failed INTEGER NOT NULL, calls INTEGER NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,
  cost REAL NOT NULL, priced INTEGER NOT NULL, latency TEXT NOT NULL,
  PRIMARY KEY (day, agent, channel, model)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS usage_read (
  file TEXT PRIMARY KEY, offset INTEGER NOT NULL, open TEXT
) STRICT, WITHOUT ROWID;
`;
const OF = 'SELECT * FROM usage_day WHERE day = ? AND agent = ? AND channel = ? AND model = ?';
const PUT = `INSERT OR REPLACE INTO usage_day (day, agent, channel, model, turns, failed, calls, input, output,
  cache_read, cache_write, cost, priced, latency) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`;
/** More would be no plot. */
const MAX_ROWS = 5000;

/** How far a transcript was read. */
export interface ReadSoFar {
  readonly offset: number;
  readonly open: OpenTurn | undefined;
}

export interface UsageStore {
  soFar(file: string): Promise<ReadSoFar>;
  /** Soft, one commit: what was lost is read again. */
  add(rows: readonly UsageRow[], file: string, soFar: ReadSoFar): Promise<void>;
  /** The newest days first. */
  since(day: string): Promise<readonly UsageRow[]>;
}

export const USAGE_TABLES: JournalTables<UsageStore> = { schema: SCHEMA, open: createUsageStore };

function createUsageStore(sql: Sqlite): UsageStore {
  return {
    async soFar(file) {
      const row = sql.read.get('SELECT * FROM usage_read WHERE file = ?', file);
      if (!row) return { offset: 0, open: undefined };
      return {
        offset: Number(row['offset']),
        open: row['open'] === null ? undefined : (JSON.parse(String(row['open'])) as OpenTurn),
      };
    },
    add: (rows, file, { offset, open }) =>
      sql.write(
        (db) => {
          for (const row of rows) addRow(db, row);
          db.run(
            'INSERT OR REPLACE INTO usage_read (file, offset, open) VALUES (?,?,?)',
            file,
            offset,
            open ? JSON.stringify(open) : null,
          );
        },
        { sync: false },
      ),
    since: async (day) =>
      sql.read.all('SELECT * FROM usage_day WHERE day >= ? ORDER BY day DESC LIMIT ?', day, MAX_ROWS).map(usageRow),
  };
}

function addRow(db: SqlSession, row: UsageRow): void {
  const before = db.get(OF, row.day, row.agent, row.channel, row.model);
  const sum = before ? addedRows(usageRow(before), row) : row;
  db.run(
    PUT,
    sum.day,
    sum.agent,
    sum.channel,
    sum.model,
    sum.turns,
    sum.failed,
    sum.calls,
    sum.input,
    sum.output,
    sum.cacheRead,
    sum.cacheWrite,
    sum.cost,
    sum.priced,
    JSON.stringify(sum.latency),
  );
}

/** The sum of two of the same day, agent, channel and model. */
export const addedRows = (a: UsageRow, b: UsageRow): UsageRow => ({
  ...a,
  turns: a.turns + b.turns,
  failed: a.failed + b.failed,
  calls: a.calls + b.calls,
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  cost: a.cost + b.cost,
  priced: a.priced + b.priced,
  latency: added(a.latency, b.latency),
});

const usageRow = (row: Row): UsageRow => ({
  day: String(row['day']),
  agent: String(row['agent']),
  channel: String(row['channel']),
  model: String(row['model']),
  turns: Number(row['turns']),
  failed: Number(row['failed']),
  calls: Number(row['calls']),
  input: Number(row['input']),
  output: Number(row['output']),
  cacheRead: Number(row['cache_read']),
  cacheWrite: Number(row['cache_write']),
  cost: Number(row['cost']),
  priced: Number(row['priced']),
  latency: JSON.parse(String(row['latency'])) as number[],
});
