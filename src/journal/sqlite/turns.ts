/** The table of turns: a turn starts and ends together with its messages. */
import { present } from '../../core/present.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { TurnJournal } from '../journal.ts';
import type { InboundEnd, InboundRow, NewTurn, TurnRow } from '../rows.ts';
import { endInbound, messagesOfTurn, OF_TURN } from './inbound.ts';
import { inboundRow, MESSAGE } from './inbound-row.ts';
import type { NewReplies } from './new-replies.ts';
import { redoEntry } from './session-redo.ts';

const BEGIN = `INSERT INTO turn_open (seq, id, session_key, agent_id, session_id, started_at)
  SELECT seq, ?1, ?2, ?3, ?4, ?5 FROM inbound WHERE run_id = ?1 AND NOT EXISTS (SELECT 1 FROM turn WHERE id = ?1)
  ON CONFLICT DO NOTHING`;
const END = `INSERT INTO turn (id, session_key, agent_id, session_id, state, outcome, settled, started_at, ended_at)
  SELECT id, session_key, agent_id, session_id, 'ended', ?2, 1, started_at, ?3 FROM turn_open
  WHERE seq = (SELECT seq FROM inbound WHERE run_id = ?1)
  ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, ended_at = excluded.ended_at`;
/** A running turn has no row in the table of ended ones. */
const FIND = `SELECT id, session_key, agent_id, session_id, state, outcome, started_at, ended_at FROM turn WHERE id = ?1
  UNION ALL SELECT id, session_key, agent_id, session_id, 'running', NULL, started_at, NULL FROM turn_open
  WHERE seq = (SELECT seq FROM inbound WHERE run_id = ?1)`;
const UNSETTLED = `SELECT open.id, open.session_key, open.agent_id, open.session_id,
  coalesce(turn.state, 'running') AS state, outcome, open.started_at, ended_at
  FROM turn_open AS open LEFT JOIN turn ON turn.id = open.id ORDER BY open.started_at`;
/** The message with the id of the turn belongs to it without a further row. */
const JOIN = 'UPDATE inbound SET turn_id = ?1 WHERE seq = ?2 AND (run_id <> ?1 OR turn_id IS NOT NULL)';
const SETTLE = `DELETE FROM turn_open WHERE seq = (SELECT seq FROM inbound WHERE run_id = ?1)
  AND EXISTS (SELECT 1 FROM turn WHERE id = ?1)`;

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
      return findTurn(sql.read, id);
    },

    unsettled: async () => sql.read.all(UNSETTLED).map(turnRow),

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

/** Returns its messages in their new state. */
function endTurn(db: SqlSession, { turnId, outcome, inbound, at }: Ending & { readonly turnId: string }): InboundRow[] {
  db.run(END, turnId, JSON.stringify(outcome), at);
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

/** While it is running or still stored. */
export function findTurn(db: SqlSession, id: string): TurnRow | undefined {
  const row = db.get(FIND, id);
  return row && turnRow(row);
}

function turnRow(row: Row): TurnRow {
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
