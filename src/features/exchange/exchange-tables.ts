/** The table of exchanges between sessions. */
import { nobodysAuthority } from '../../core/authority.ts';
import { present } from '../../core/present.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { Exchange, ExchangeRow, ExchangeState } from './exchange.ts';
import type { JournalTables } from '../../journal/tables.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS exchange (      -- what two sessions have with each other
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, requester_key TEXT NOT NULL, target_key TEXT NOT NULL,
  body TEXT NOT NULL,                    -- Exchange
  state TEXT NOT NULL,                   -- open | kept | closed
  created_at INTEGER NOT NULL, ended_at INTEGER, archive_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS exchange_open ON exchange (requester_key) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS exchange_kept ON exchange (archive_at) WHERE state = 'kept';
CREATE INDEX IF NOT EXISTS exchange_closed ON exchange (ended_at) WHERE state = 'closed';
`;

const CLOSED = `SELECT id FROM exchange WHERE state = 'closed' AND ended_at < ? ORDER BY ended_at LIMIT ?`;
const OPEN = `INSERT INTO exchange (id, kind, requester_key, target_key, body, state, created_at)
  VALUES (?,?,?,?,?,'open',?) ON CONFLICT DO NOTHING`;
const OF = `SELECT * FROM exchange WHERE state = 'open' AND requester_key = ? AND kind = ? ORDER BY created_at, id`;
const END = `UPDATE exchange SET state = ?, archive_at = ?, ended_at = coalesce(ended_at, ?) WHERE id = ?`;

/** What two sessions have with each other, as the journal keeps it: *synced* outlasts a power cut. */
export interface ExchangeRows {
  find(id: string): Promise<ExchangeRow | undefined>;
  /**
   * Synced: keeps it, once per id; answers the one that is kept. `most`: how many of its kind may go on for its
   * requester at once; undefined: those do already, and nothing was kept.
   */
  open(exchange: Exchange, maxUnsettled?: number): Promise<ExchangeRow | undefined>;
  /** Those with steps to come, oldest first. */
  going(): Promise<readonly ExchangeRow[]>;
  /** Those a session began and that are not over, of one kind, oldest first. */
  of(requesterKey: string, kind: Exchange['kind']): Promise<readonly ExchangeRow[]>;
  /** Those whose sub-agent's session is to be archived by `at`. */
  due(at: number): Promise<readonly ExchangeRow[]>;
  /** Synced: no step follows. `archiveAt`: when the session of its sub-agent is archived. */
  end(id: string, archiveAt?: number): Promise<void>;
}

/** The exchanges in the journal. */
export const EXCHANGE_TABLES: JournalTables<ExchangeRows> = {
  schema: SCHEMA,
  open: createExchangeRows,
  // The messages of its steps say what has happened.
  holds: `EXISTS (SELECT 1 FROM exchange WHERE exchange.id = substr(inbound.run_id, 10, 32)
    AND exchange.state = 'open')`,
  old: (db, before, limit) => db.all(CLOSED, before, limit),
  forget: (db, { id }) => void db.run('DELETE FROM exchange WHERE id = ?', id!),
};

function createExchangeRows(sql: Sqlite, now: () => number): ExchangeRows {
  return {
    find: async (id) => find(sql.read, id),
    open: (exchange, maxUnsettled = Infinity) => sql.write((db) => open(db, exchange, maxUnsettled)),
    going: async () =>
      sql.read.all(`SELECT * FROM exchange WHERE state = 'open' ORDER BY created_at, id`).map(exchangeRow),
    of: async (requesterKey, kind) => sql.read.all(OF, requesterKey, kind).map(exchangeRow),
    due: async (at) =>
      sql.read
        .all(`SELECT * FROM exchange WHERE state = 'kept' AND archive_at <= ? ORDER BY archive_at, id`, at)
        .map(exchangeRow),
    end(id, archiveAt) {
      const state: ExchangeState = archiveAt === undefined ? 'closed' : 'kept';
      const at = now();
      return sql.write((db) => void db.run(END, state, archiveAt ?? null, at, id));
    },
  };
}

function find(db: SqlSession, id: string): ExchangeRow | undefined {
  const row = db.get('SELECT * FROM exchange WHERE id = ?', id);
  return row && exchangeRow(row);
}

function open(db: SqlSession, exchange: Exchange, maxUnsettled: number): ExchangeRow | undefined {
  const { id, kind, requesterKey, targetKey, createdAt } = exchange;
  const known = find(db, id);
  if (known) return known;
  if (maxUnsettled !== Infinity && db.all(OF, requesterKey, kind).length >= maxUnsettled) return undefined;
  db.run(OPEN, id, kind, requesterKey, targetKey, JSON.stringify(exchange), createdAt);
  return find(db, id);
}

function exchangeRow(row: Row): ExchangeRow {
  const kept = JSON.parse(String(row['body'])) as Omit<Exchange, 'authority'> & Partial<Exchange>;
  return {
    // On whose word it goes on has to stand in the row; nobody is made up for it.
    authority: nobodysAuthority({
      agentId: '',
      sessionKey: kept.requesterKey,
      address: { channel: '', accountId: '', chat: { kind: 'direct', id: kept.requesterKey } },
    }),
    ...kept,
    state: row['state'] as ExchangeState,
    ...present({
      endedAt: row['ended_at'] !== null ? Number(row['ended_at']) : undefined,
      archiveAt: row['archive_at'] !== null ? Number(row['archive_at']) : undefined,
    }),
  };
}
