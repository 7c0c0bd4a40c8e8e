/** Accepted messages: taking them in once (P1, P2), in order (P3), and to exactly one end (P4). */
import { AppError } from '../core/errors.ts';
import type { Row, Sqlite, SqlSession } from '../platform/sqlite.ts';
import type { Accepted, InboundRow, InboundState } from './rows.ts';

const INSERT = `INSERT INTO inbound (seq, channel, account, message_id, version, run_id, session_key, agent_id, body, state, reason, accepted_at, ended_at)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`;
const BY_KEY = 'SELECT * FROM inbound WHERE channel = ? AND account = ? AND message_id = ? AND version = ?';

export type AcceptResult = { readonly status: 'accepted' | 'duplicate'; readonly row: InboundRow };

export function createInbound(sql: Sqlite, now: () => number) {
  let ticket = Number(sql.read.get('SELECT max(seq) AS top FROM inbound')?.['top'] ?? 0);

  return {
    /**
     * Resolves once the row is synced. The arrival ticket is taken before the first await.
     * `refused`: why nobody will answer it; the row then has its end from the beginning, so that no crash lets it through.
     */
    accept(accepted: Accepted, runId: string, refused?: string): Promise<AcceptResult> {
      const seq = ++ticket;
      const at = now();
      const { message, route } = accepted;
      const dedupe = [message.address.channel, message.address.accountId, message.id, message.editVersion ?? 0] as const;
      const body = JSON.stringify(accepted);
      return sql.write((db) => {
        const { changes } = db.run(INSERT, seq, ...dedupe, runId, route.sessionKey, route.agentId, body, refused === undefined ? 'accepted' : 'declined', refused ?? null, at, refused === undefined ? null : at);
        if (changes === 1) return { status: 'accepted', row: { ...accepted, seq, runId, state: refused === undefined ? 'accepted' : 'declined', steered: false, acceptedAt: at } };
        const known = db.get(BY_KEY, ...dedupe) ?? db.get('SELECT * FROM inbound WHERE run_id = ?', runId);
        if (!known) throw new AppError('internal', `The journal refused message ${message.id} without a reason.`);
        return { status: 'duplicate', row: inboundRow(known) };
      });
    },

    find(runId: string): InboundRow | undefined {
      const row = sql.read.get('SELECT * FROM inbound WHERE run_id = ?', runId);
      return row && inboundRow(row);
    },

    /** Rows without an end state, in order of arrival. */
    open: (): InboundRow[] => sql.read.all(`SELECT * FROM inbound WHERE state = 'accepted' ORDER BY seq`).map(inboundRow),

    ofTurn: (turnId: string): InboundRow[] => sql.read.all('SELECT * FROM inbound WHERE turn_id = ? ORDER BY seq', turnId).map(inboundRow),

    /** How many rows without an end state are older than `before`: what the sweeper looks at. */
    overdue: (before: number): number => Number(sql.read.get(`SELECT count(*) AS n FROM inbound WHERE state = 'accepted' AND accepted_at < ?`, before)?.['n'] ?? 0),
  };
}

/** Gives rows their end state; part of a larger transaction. */
export function endInbound(db: SqlSession, seqs: readonly number[], end: { state: Exclude<InboundState, 'accepted'>; reason?: string; at: number }): void {
  for (const seq of seqs)
    db.run(`UPDATE inbound SET state = ?, reason = ?, ended_at = ? WHERE seq = ? AND state = 'accepted'`, end.state, end.reason ?? null, end.at, seq);
}

export function inboundRow(row: Row): InboundRow {
  const text = (name: string): string | undefined => (row[name] === null ? undefined : String(row[name]));
  const turnId = text('turn_id');
  const reason = text('reason');
  return {
    ...(JSON.parse(String(row['body'])) as Accepted),
    seq: Number(row['seq']),
    runId: String(row['run_id']),
    state: row['state'] as InboundState,
    acceptedAt: Number(row['accepted_at']),
    steered: row['steered'] === 1,
    ...(turnId === undefined ? {} : { turnId }),
    ...(reason === undefined ? {} : { reason }),
    ...(row['ended_at'] === null ? {} : { endedAt: Number(row['ended_at']) }),
  };
}
