/** The table of exchanges between sessions. */
import { nobodysAuthority } from '../../core/authority.ts';
import { present } from '../../core/present.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { Exchange, ExchangeRow, ExchangeState } from '../exchange.ts';
import type { ExchangeJournal } from '../journal.ts';

const OPEN = `INSERT INTO exchange (id, kind, requester_key, target_key, body, state, created_at)
  VALUES (?,?,?,?,?,'open',?) ON CONFLICT DO NOTHING`;
const OF = `SELECT * FROM exchange WHERE state = 'open' AND requester_key = ? AND kind = ? ORDER BY created_at, id`;
const END = `UPDATE exchange SET state = ?, archive_at = ?, ended_at = coalesce(ended_at, ?) WHERE id = ?`;

export function createExchangeRows(sql: Sqlite, now: () => number): ExchangeJournal {
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
