/** Accepted messages: taking them in once (P1, P2), in order (P3), and to exactly one end (P4). */
import { nobodysAuthority } from '../core/authority.ts';
import type { Trigger } from '../core/trigger.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { AppError } from '../core/errors.ts';
import { dedupeId, type InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import type { Row, Sqlite, SqlSession } from '../platform/sqlite.ts';
import type { InsertOutbox } from './insert-outbox.ts';
import type { Accepted, InboundRow, InboundState, NewOutboxRow } from './rows.ts';

const INSERT = `INSERT INTO inbound (seq, channel, account, message_id, version, run_id, session_key, agent_id, body, state, reason, accepted_at, ended_at)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`;
const BY_KEY = 'SELECT * FROM inbound WHERE channel = ? AND account = ? AND message_id = ? AND version = ?';

export interface Arrival {
  readonly accepted: Accepted;
  readonly runId: string;
  /** Nobody will answer it; the row then has its end from the beginning, so that no crash lets it through. */
  readonly refused?: Refusal | undefined;
}
/** `notice`: what its sender is told, written in the same commit. */
export interface Refusal {
  readonly reason: string;
  readonly notice?: NewOutboxRow | undefined;
}

/** `notice`: the outbox row of what its sender is told. */
export interface AcceptResult {
  readonly status: 'accepted' | 'duplicate';
  readonly row: InboundRow;
  readonly notice?: number;
}

export function createInbound(sql: Sqlite, now: () => number, insertOutbox: InsertOutbox) {
  let ticket = Number(sql.read.get('SELECT max(seq) AS top FROM inbound')?.['top'] ?? 0);

  const self = {
    accept: async (accepted: Accepted, runId: string, refused?: Refusal): Promise<AcceptResult> =>
      (await self.acceptAll([{ accepted, runId, refused }]))[0]!,

    /** Resolves once every row is synced, all in one commit. The arrival tickets are taken before the first await. */
    acceptAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]> {
      const at = now();
      const numbered = arrivals.map((arrival) => ({
        ...arrival,
        seq: ++ticket,
        body: JSON.stringify(onDisk(arrival.accepted)),
      }));
      return sql.write((db) => numbered.map((arrival) => insert(db, arrival, at, insertOutbox)));
    },

    /** The newest version of a message; undefined when it never came. */
    latest({ address, ...ids }: Pick<InboundMessage, 'address' | 'id' | 'key'>): InboundRow | undefined {
      const row = sql.read.get(
        'SELECT * FROM inbound WHERE channel = ? AND account = ? AND message_id = ? ORDER BY version DESC LIMIT 1',
        address.channel,
        address.accountId,
        dedupeId(ids),
      );
      return row && inboundRow(row);
    },

    find(runId: string): InboundRow | undefined {
      const row = sql.read.get('SELECT * FROM inbound WHERE run_id = ?', runId);
      return row && inboundRow(row);
    },

    /** The newest first; `refusedOnly`: those nobody was to answer. */
    recent({
      channel,
      refusedOnly,
      limit,
    }: {
      readonly channel?: string | undefined;
      readonly refusedOnly?: boolean | undefined;
      readonly limit: number;
    }): InboundRow[] {
      const where = [...(channel === undefined ? [] : ['channel = ?']), ...(refusedOnly ? [`state = 'declined'`] : [])];
      return sql.read
        .all(
          `SELECT * FROM inbound ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY seq DESC LIMIT ?`,
          ...(channel === undefined ? [] : [channel]),
          limit,
        )
        .map(inboundRow);
    },

    /** Rows without an end state, in order of arrival. */
    open: (): InboundRow[] =>
      sql.read.all(`SELECT * FROM inbound WHERE state = 'accepted' ORDER BY seq`).map(inboundRow),

    ofTurn: (turnId: string): InboundRow[] =>
      sql.read.all('SELECT * FROM inbound WHERE turn_id = ? ORDER BY seq', turnId).map(inboundRow),

    /** How many rows without an end state are older than `before`: what the sweeper looks at. */
    overdue: (before: number): number =>
      Number(
        sql.read.get(`SELECT count(*) AS n FROM inbound WHERE state = 'accepted' AND accepted_at < ?`, before)?.['n'] ??
          0,
      ),
  };
  return self;
}

function insert(
  db: SqlSession,
  { accepted, runId, refused, seq, body }: Arrival & { readonly seq: number; readonly body: string },
  at: number,
  insertOutbox: InsertOutbox,
): AcceptResult {
  const { message, route } = accepted;
  const dedupe = [
    message.address.channel,
    message.address.accountId,
    dedupeId(message),
    message.editVersion ?? 0,
  ] as const;
  const state = refused ? 'declined' : 'accepted';
  const { changes } = db.run(
    INSERT,
    seq,
    ...dedupe,
    runId,
    route.sessionKey,
    route.agentId,
    body,
    state,
    refused?.reason ?? null,
    at,
    refused ? at : null,
  );
  if (changes === 1) {
    const row: InboundRow = {
      ...accepted,
      seq,
      runId,
      state,
      steered: false,
      acceptedAt: at,
      ...(refused ? { reason: refused.reason, endedAt: at } : {}),
    };
    return present({
      status: 'accepted',
      row,
      notice: refused?.notice ? insertOutbox(db, refused.notice, at) : undefined,
    });
  }
  const known = db.get(BY_KEY, ...dedupe) ?? db.get('SELECT * FROM inbound WHERE run_id = ?', runId);
  if (!known) throw new AppError('internal', `The journal refused message ${message.id} without a reason.`);
  return { status: 'duplicate', row: inboundRow(known) };
}

/** Gives rows their end state; part of a larger transaction. */
export function endInbound(
  db: SqlSession,
  seqs: readonly number[],
  end: { state: Exclude<InboundState, 'accepted'>; reason?: string; at: number },
): void {
  for (const seq of seqs)
    db.run(
      `UPDATE inbound SET state = ?, reason = ?, ended_at = ? WHERE seq = ? AND state = 'accepted'`,
      end.state,
      end.reason ?? null,
      end.at,
      seq,
    );
}

/** A row's body as it lies on disk, where the trigger of a turn is called its errand. */
type KeptBody = Omit<Accepted, 'authority' | 'trigger'> & Partial<Pick<Accepted, 'authority'>> & { errand?: Trigger };

const onDisk = ({ trigger, ...rest }: Accepted): KeptBody => ({ ...rest, ...present({ errand: trigger }) });

const offDisk = ({ errand, ...rest }: KeptBody): Omit<Accepted, 'authority'> & Partial<Accepted> => ({
  ...rest,
  ...present({ trigger: errand }),
});

export function inboundRow(row: Row): InboundRow {
  const text = (name: string): string | undefined => (row[name] === null ? undefined : String(row[name]));
  const turnId = text('turn_id');
  const reason = text('reason');
  const accepted = offDisk(JSON.parse(String(row['body'])) as KeptBody);
  const { agentId, sessionKey, replyTo } = accepted.route;
  return {
    // Who asked has to stand in the row; nobody is made up for it.
    authority: nobodysAuthority({ agentId, sessionKey, address: replyTo }),
    ...accepted,
    message: { ...accepted.message, said: accepted.message.said ?? NOTHING_SAID },
    seq: Number(row['seq']),
    runId: String(row['run_id']),
    state: row['state'] as InboundState,
    acceptedAt: Number(row['accepted_at']),
    steered: row['steered'] === 1,
    ...present({ turnId, reason, endedAt: row['ended_at'] !== null ? Number(row['ended_at']) : undefined }),
  };
}
