/** The table of accepted messages. */
import { AppError } from '../../core/errors.ts';
import { dedupeId } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { InboundJournal } from '../journal.ts';
import type { AcceptResult, Arrival, InboundEnd, InboundRow } from '../rows.ts';
import { inboundRow, MESSAGE, onDisk, OWN_TURN } from './inbound-row.ts';
import type { NewReplies, NewReply } from './new-replies.ts';
import { createOpenRows, type OpenRows } from './open-rows.ts';
import { NOT_ENDED } from './schema.ts';

const INSERT = `INSERT INTO inbound
  (seq, channel, account, message_id, version, run_id, session_key, agent_id, body, state, reason, accepted_at, ended_at)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`;
const BY_KEY = `SELECT ${MESSAGE} FROM inbound WHERE channel = ? AND account = ? AND message_id = ? AND version = ?`;
const BY_RUN = `SELECT ${MESSAGE} FROM inbound WHERE run_id = ?`;
const LATEST = `SELECT ${MESSAGE} FROM inbound
  WHERE channel = ? AND account = ? AND message_id = ? ORDER BY version DESC LIMIT 1`;

export function createInbound(sql: Sqlite, now: () => number, replies: NewReplies): InboundJournal {
  const open = createOpenRows(sql, 'inbound', 'seq', `state = 'accepted'`);
  const acceptAll = acceptor(sql, now, { replies, open });
  return {
    acceptAll,
    accept: async (accepted, runId, refused) => (await acceptAll([{ accepted, runId, refused }]))[0]!,
    async latest({ address, ...ids }) {
      const row = sql.read.get(LATEST, address.channel, address.accountId, dedupeId(ids));
      return row && inboundRow(row);
    },
    async find(runId) {
      const row = sql.read.get(BY_RUN, runId);
      return row && inboundRow(row);
    },
    async recent({ channel, refusedOnly, limit }) {
      const where = [...(channel === undefined ? [] : ['channel = ?']), ...(refusedOnly ? [`state = 'declined'`] : [])];
      const query = `SELECT ${MESSAGE} FROM inbound ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`;
      const values = channel === undefined ? [limit] : [channel, limit];
      return sql.read.all(`${query} ORDER BY seq DESC LIMIT ?`, ...values).map(inboundRow);
    },
    open: async () => sql.read.all(`SELECT ${MESSAGE} FROM inbound WHERE ${open.isOpen} ORDER BY seq`).map(inboundRow),
    ofTurn: async (turnId) => messagesOfTurn(sql.read, turnId),
    overdue: async (before) =>
      Number(
        sql.read.get(`SELECT count(*) AS n FROM inbound WHERE ${open.isOpen} AND accepted_at < ?`, before)?.['n'] ?? 0,
      ),
    end(seqs, end) {
      const at = now();
      return sql.write((db) => endInbound(db, seqs, { ...end, at }));
    },
  };
}

interface Beside {
  readonly replies: NewReplies;
  readonly open: OpenRows;
}

function acceptor(sql: Sqlite, now: () => number, beside: Beside): InboundJournal['acceptAll'] {
  // Above every stored mark, because the newest messages may all have been deleted.
  let ticket = Math.max(Number(sql.read.get('SELECT max(seq) AS top FROM inbound')?.['top'] ?? 0), beside.open.mark);
  return (arrivals) => {
    const at = now();
    const numbered = arrivals.map((arrival): Numbered => {
      const notices = beside.replies.prepare(arrival.refused?.notice ? [arrival.refused.notice] : []);
      return { ...arrival, seq: ++ticket, body: JSON.stringify(onDisk(arrival.accepted)), notices };
    });
    return sql.write((db) => numbered.map((arrival) => insert(db, arrival, { ...beside, at })));
  };
}

interface Numbered extends Arrival {
  readonly seq: number;
  readonly body: string;
  /** At most one. */
  readonly notices: readonly NewReply[];
}

function insert(
  db: SqlSession,
  { accepted, runId, refused, seq, body, notices }: Numbered,
  { at, replies, open }: Beside & { readonly at: number },
): AcceptResult {
  const { message, route } = accepted;
  const { channel, accountId } = message.address;
  const dedupe = [channel, accountId, dedupeId(message), message.editVersion ?? 0] as const;
  const state = refused ? 'declined' : 'accepted';
  const reason = refused?.reason ?? null;
  const endedAt = refused ? at : NOT_ENDED;
  const values = [runId, route.sessionKey, route.agentId, body, state, reason, at, endedAt];
  if (db.run(INSERT, seq, ...dedupe, ...values).changes === 0) {
    const known = db.get(BY_KEY, ...dedupe) ?? db.get(BY_RUN, runId);
    if (!known) throw new AppError('internal', `The journal refused message ${message.id} without a reason.`);
    return { status: 'duplicate', row: inboundRow(known) };
  }
  open.took(db, seq);
  const row: InboundRow = {
    ...accepted,
    seq,
    runId,
    state,
    steered: false,
    acceptedAt: at,
    ...(refused ? { reason: refused.reason, endedAt: at } : {}),
  };
  const [notice] = notices.map((one) => replies.insert(db, one, at));
  return present({ status: 'accepted', row, notice });
}

/**
 * Two queries, so that each uses an index: a turn has the id of its first message, and few turns have more messages.
 */
export const OF_TURN = `((run_id = ?1 AND coalesce(turn_id, ${OWN_TURN}) = ?1)
  OR (turn_id = ?1 AND turn_id <> run_id))`;

export const messagesOfTurn = (db: SqlSession, turnId: string): InboundRow[] =>
  db.all(`SELECT ${MESSAGE} FROM inbound WHERE ${OF_TURN} ORDER BY seq`, turnId).map(inboundRow);

/** Sets the end state of rows; part of a larger transaction. */
export function endInbound(db: SqlSession, seqs: readonly number[], end: InboundEnd & { readonly at: number }): void {
  for (const seq of seqs)
    db.run(
      `UPDATE inbound SET state = ?, reason = ?, ended_at = ? WHERE seq = ? AND state = 'accepted'`,
      end.state,
      end.reason ?? null,
      end.at,
      seq,
    );
}
