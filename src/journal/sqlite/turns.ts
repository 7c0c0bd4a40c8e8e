/** The table of turns: begun with their messages, ended with them. */
import { present } from '../../core/present.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { TurnJournal } from '../journal.ts';
import type { InboundEnd, InboundRow, NewTurn, TurnRow } from '../rows.ts';
import { endInbound, messagesOfTurn, OF_TURN } from './inbound.ts';
import { inboundRow, MESSAGE } from './inbound-row.ts';
import type { NewReplies } from './new-replies.ts';
import { redoEntry } from './session-redo.ts';

const BEGIN = `INSERT INTO turn (id, session_key, agent_id, session_id, state, started_at)
  VALUES (?,?,?,?,'running',?) ON CONFLICT DO NOTHING`;
/** The message with the id of the turn belongs to it as it is. */
const JOIN = 'UPDATE inbound SET turn_id = ?1 WHERE seq = ?2 AND (run_id <> ?1 OR turn_id IS NOT NULL)';
const SETTLE = `UPDATE turn SET settled = 1 WHERE id = ? AND state = 'ended'`;

type Turns = Pick<TurnJournal, 'begin' | 'end' | 'stop' | 'find' | 'unsettled' | 'settle'>;

export function createTurns(sql: Sqlite, now: () => number, newReplies: NewReplies): Turns {
  return {
    begin(turn) {
      const at = now();
      return sql.write((db) => begin(db, turn, at), { sync: false });
    },

    end({ replies, ...end }, redo) {
      const at = now();
      const prepared = newReplies.prepare(replies);
      return sql.write((db) => {
        const messages = endTurn(db, { ...end, at });
        if (redo) redoEntry(db, redo);
        return { messages, outbox: prepared.map((reply) => newReplies.insert(db, reply, at)) };
      });
    },

    stop(seqs, { reason, outcome }) {
      const end: Ending = { outcome, inbound: { state: 'declined', reason }, at: now() };
      return sql.write((db) => stop(db, seqs, end));
    },

    async find(id) {
      const row = sql.read.get('SELECT * FROM turn WHERE id = ?', id);
      return row && turnRow(row);
    },

    unsettled: async () => sql.read.all('SELECT * FROM turn WHERE settled = 0 ORDER BY started_at').map(turnRow),

    settle: (ids) =>
      sql.write(
        (db) => {
          for (const id of ids) db.run(SETTLE, id);
        },
        { sync: false },
      ),
  };
}

interface Ending {
  readonly outcome: TurnOutcome;
  readonly inbound: InboundEnd;
  readonly at: number;
}

function begin(db: SqlSession, turn: NewTurn, at: number): void {
  db.run(BEGIN, turn.id, turn.sessionKey, turn.agentId, turn.sessionId, at);
  for (const seq of turn.seqs) db.run(JOIN, turn.id, seq);
}

/** Answers its messages as they are then. */
function endTurn(db: SqlSession, { turnId, outcome, inbound, at }: Ending & { readonly turnId: string }): InboundRow[] {
  db.run(
    `UPDATE turn SET state = 'ended', outcome = ?, ended_at = ? WHERE id = ?`,
    JSON.stringify(outcome),
    at,
    turnId,
  );
  db.run(
    `UPDATE inbound SET state = ?2, reason = ?3, ended_at = ?4 WHERE ${OF_TURN} AND state = 'accepted'`,
    turnId,
    inbound.state,
    inbound.reason ?? null,
    at,
  );
  db.run('DELETE FROM try WHERE id = ?', turnId);
  return messagesOfTurn(db, turnId);
}

function stop(db: SqlSession, seqs: readonly number[], end: Ending): InboundRow[] {
  const rowOf = (seq: number): InboundRow[] =>
    db.all(`SELECT ${MESSAGE} FROM inbound WHERE seq = ?`, seq).map((row) => inboundRow(row));
  endInbound(db, seqs, { ...end.inbound, at: end.at });
  const rows = seqs.flatMap(rowOf);
  const begun = [...new Set(rows.flatMap(({ turnId }) => turnId ?? []))].filter((turnId) =>
    messagesOfTurn(db, turnId).every(({ steered, seq }) => steered || seqs.includes(seq)),
  );
  const messages = begun.flatMap((turnId) => endTurn(db, { ...end, turnId }));
  return [...rows, ...messages.filter(({ seq }) => !seqs.includes(seq))];
}

export function turnRow(row: Row): TurnRow {
  return present({
    id: String(row['id']),
    sessionKey: String(row['session_key']),
    agentId: String(row['agent_id']),
    state: row['state'] as TurnRow['state'],
    startedAt: Number(row['started_at']),
    sessionId: row['session_id'] !== null ? String(row['session_id']) : undefined,
    outcome: row['outcome'] !== null ? (JSON.parse(String(row['outcome'])) as TurnOutcome) : undefined,
    endedAt: row['ended_at'] !== null ? Number(row['ended_at']) : undefined,
  });
}
