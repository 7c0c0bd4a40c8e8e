/** Accepted messages, in memory. */
import { nobodysAuthority, type Authority } from '../../core/authority.ts';
import { dedupeId, type ChatAddress } from '../../core/message.ts';
import type { InboundJournal } from '../../journal/journal.ts';
import type { Accepted, AcceptResult, Arrival, InboundEnd, InboundRow } from '../../journal/rows.ts';
import { plain, type MemoryDisk, type Store, type Tables } from './memory-disk.ts';
import type { MemoryReplies, NewReply } from './memory-replies.ts';

export function memoryInbound(store: Store, disk: MemoryDisk, replies: MemoryReplies): InboundJournal {
  let ticket = Math.max(0, ...disk.tables.inbound.keys());

  function acceptAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]> {
    const at = store.now();
    const numbered = arrivals.map((arrival) => ({
      ...arrival,
      accepted: plain(arrival.accepted),
      seq: ++ticket,
      notices: replies.prepare(arrival.refused?.notice ? [arrival.refused.notice] : []),
    }));
    return store.write((tables) => numbered.map((arrival) => insert(tables, arrival, { at, replies })));
  }

  return {
    acceptAll,
    accept: async (accepted, runId, refused) => (await acceptAll([{ accepted, runId, refused }]))[0]!,
    latest: ({ address, ...ids }) =>
      store.read((tables) =>
        rowsOf(tables)
          .filter(({ message }) => keyOf(message.address, message) === keyOf(address, ids))
          .sort((a, b) => versionOf(b) - versionOf(a))
          .at(0),
      ),
    find: (runId) => store.read((tables) => findRun(tables, runId)),
    recent: ({ channel, refusedOnly, limit }) =>
      store.read((tables) =>
        rowsOf(tables)
          .filter(({ message }) => channel === undefined || message.address.channel === channel)
          .filter(({ state }) => !refusedOnly || state === 'declined')
          .reverse()
          .slice(0, limit),
      ),
    open: () => store.read((tables) => rowsOf(tables).filter(({ state }) => state === 'accepted')),
    ofTurn: (turnId) => store.read((tables) => messagesOf(tables, turnId)),
    overdue: (before) =>
      store.read(
        (tables) =>
          rowsOf(tables).filter(({ state, acceptedAt }) => state === 'accepted' && acceptedAt < before).length,
      ),
    end(seqs, end) {
      const at = store.now();
      return store.write((tables) => endMessages(tables, seqs, { ...end, at }));
    },
  };
}

export const rowsOf = ({ inbound }: Tables): InboundRow[] => [...inbound.values()].sort((a, b) => a.seq - b.seq);
export const messagesOf = (tables: Tables, turnId: string): InboundRow[] =>
  rowsOf(tables).filter((row) => row.turnId === turnId);
export const findRun = (tables: Tables, runId: string): InboundRow | undefined =>
  rowsOf(tables).find((row) => row.runId === runId);

const versionOf = ({ message }: InboundRow): number => message.editVersion ?? 0;
const keyOf = ({ channel, accountId }: ChatAddress, ids: Parameters<typeof dedupeId>[0]): string =>
  JSON.stringify([channel, accountId, dedupeId(ids)]);

/** One that has an end keeps it. */
export function endMessages(
  { inbound }: Tables,
  seqs: readonly number[],
  { state, reason, at }: InboundEnd & { readonly at: number },
): void {
  for (const seq of seqs) {
    const row = inbound.get(seq);
    if (row?.state !== 'accepted') continue;
    Object.assign(row, { state, endedAt: at }, reason === undefined ? {} : { reason });
  }
}

interface Numbered extends Arrival {
  readonly seq: number;
  readonly notices: readonly NewReply[];
}

/** Who asked has to stand in the row; nobody is made up for it. */
const withAuthority = (accepted: Accepted): Accepted => {
  const {
    route,
    authority = nobodysAuthority({ ...route, address: route.replyTo }),
  }: Accepted & { authority?: Authority } = accepted;
  return { ...accepted, authority };
};

function insert(
  tables: Tables,
  { accepted, runId, refused, seq, notices }: Numbered,
  { at, replies }: { readonly at: number; readonly replies: MemoryReplies },
): AcceptResult {
  const { message } = accepted;
  const version = message.editVersion ?? 0;
  const known =
    rowsOf(tables).find(
      (row) =>
        keyOf(row.message.address, row.message) === keyOf(message.address, message) && versionOf(row) === version,
    ) ?? findRun(tables, runId);
  if (known) return { status: 'duplicate', row: known };
  const row: InboundRow = {
    ...withAuthority(accepted),
    seq,
    runId,
    state: refused ? 'declined' : 'accepted',
    steered: false,
    acceptedAt: at,
    ...(refused ? { reason: refused.reason, endedAt: at } : {}),
  };
  tables.inbound.set(seq, row);
  const [notice] = notices.map((one) => replies.insert(tables, one, at));
  return { status: 'accepted', row, ...(notice === undefined ? {} : { notice }) };
}
