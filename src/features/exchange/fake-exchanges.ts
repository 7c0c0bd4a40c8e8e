/** The exchanges in memory: what the tables in the journal are held against. */
import type { MemoryTables } from '../../testing/memory-journal/memory-disk.ts';
import { plain } from '../../testing/memory-journal/memory-disk.ts';
import { exchangeOfRun, type ExchangeRow } from './exchange.ts';
import { EXCHANGE_TABLES, type ExchangeRows } from './exchange-tables.ts';

type Kept = Map<string, { -readonly [K in keyof ExchangeRow]: ExchangeRow[K] }>;

export const memoryExchanges: MemoryTables<ExchangeRows, Kept> = {
  of: EXCHANGE_TABLES,
  empty: () => new Map(),
  open(store) {
    const byAge = (a: ExchangeRow, b: ExchangeRow): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
    const open = (exchanges: Kept): ExchangeRow[] =>
      [...exchanges.values()].filter(({ state }) => state === 'open').sort(byAge);
    const of = (exchanges: Kept, requesterKey: string, kind: ExchangeRow['kind']): ExchangeRow[] =>
      open(exchanges).filter((one) => one.requesterKey === requesterKey && one.kind === kind);
    return {
      find: (id) => store.read((exchanges) => exchanges.get(id)),
      open: (exchange, maxUnsettled = Infinity) =>
        store.write((exchanges) => {
          const { id, requesterKey, kind } = exchange;
          const known = exchanges.get(id);
          if (known || of(exchanges, requesterKey, kind).length >= maxUnsettled) return known;
          exchanges.set(id, { ...plain(exchange), state: 'open' });
          return exchanges.get(id);
        }),
      going: () => store.read(open),
      of: (requesterKey, kind) => store.read((exchanges) => of(exchanges, requesterKey, kind)),
      due: (at) =>
        store.read((exchanges) =>
          [...exchanges.values()]
            .filter(({ state, archiveAt = Infinity }) => state === 'kept' && archiveAt <= at)
            .sort((a, b) => a.archiveAt! - b.archiveAt! || (a.id < b.id ? -1 : 1)),
        ),
      end(id, archiveAt) {
        const at = store.now();
        return store.write((exchanges) => {
          const row = exchanges.get(id);
          if (!row) return;
          delete row.archiveAt;
          Object.assign(row, { state: archiveAt === undefined ? 'closed' : 'kept', endedAt: row.endedAt ?? at });
          if (archiveAt !== undefined) row.archiveAt = archiveAt;
        });
      },
    };
  },
  holds: (exchanges, runId) => exchanges.get(exchangeOfRun(runId) ?? '')?.state === 'open',
  prune(exchanges, before, limit) {
    const old = [...exchanges.values()]
      .filter(({ state, endedAt = Infinity }) => state === 'closed' && endedAt < before)
      .slice(0, limit);
    for (const { id } of old) exchanges.delete(id);
    return old.length;
  },
};
