/** Replies on their way out (P6): written with the end of the turn, sent until the platform took them. */
import type { ChatAddress } from '../core/message.ts';
import { present } from '../core/present.ts';
import type { ReplyPayload } from '../core/reply.ts';
import type { Row, Sqlite } from '../platform/sqlite.ts';
import { endInbound } from './inbound.ts';
import type { InsertOutbox } from './insert-outbox.ts';
import type { InboundState, NewOutboxRow, OutboxRow } from './rows.ts';

export function createOutbox(sql: Sqlite, now: () => number, insertOutbox: InsertOutbox) {
  const get = (id: number): OutboxRow | undefined => {
    const row = sql.read.get('SELECT * FROM outbox WHERE id = ?', id);
    return row && outboxRow(row);
  };
  return {
    get,
    /** Tokens are unique: the row a preview was sent with, for the answer that takes its place. */
    byToken(token: string): OutboxRow | undefined {
      const row = sql.read.get('SELECT * FROM outbox WHERE token = ?', token);
      return row && outboxRow(row);
    },
    /**
     * A reply without a turn (command answers, notices), with the end of the messages it answers, in one synced commit.
     */
    post(
      rows: readonly NewOutboxRow[],
      ends: readonly { seq: number; state: Exclude<InboundState, 'accepted'>; reason?: string }[],
    ): Promise<number[]> {
      const at = now();
      return sql.write((db) => {
        for (const end of ends) endInbound(db, [end.seq], { ...end, at });
        return rows.map((row) => insertOutbox(db, row, at));
      });
    },

    /** Rows not yet at an end, oldest first. */
    open: (): OutboxRow[] =>
      sql.read.all(`SELECT * FROM outbox WHERE state IN ('pending','sending','uncertain') ORDER BY id`).map(outboxRow),

    /** Resolves when what can be read now would outlast a power cut. */
    synced: sql.synced,

    pending: (): number =>
      Number(
        sql.read.get(`SELECT count(*) AS n FROM outbox WHERE state IN ('pending','sending','uncertain')`)?.['n'] ?? 0,
      ),

    ofRun: (runId: string): OutboxRow[] =>
      sql.read.all('SELECT * FROM outbox WHERE run_id = ? ORDER BY id', runId).map(outboxRow),

    /** Marks a send as begun: after a crash it is `uncertain`, never blindly repeated. */
    sending: (id: number): Promise<void> =>
      sql.write((db) => void db.run(`UPDATE outbox SET state = 'sending', attempts = attempts + 1 WHERE id = ?`, id)),

    sent: (id: number, messageIds: readonly string[]): Promise<void> =>
      sql.write(
        (db) =>
          void db.run(
            `UPDATE outbox SET state = 'sent', message_ids = ?, error = NULL, sent_at = ? WHERE id = ?`,
            JSON.stringify(messageIds),
            now(),
            id,
          ),
        { sync: false },
      ),

    retryAt: (id: number, state: 'pending' | 'uncertain', nextAt: number, error: string): Promise<void> =>
      sql.write(
        (db) =>
          void db.run('UPDATE outbox SET state = ?, next_at = ?, error = ? WHERE id = ?', state, nextAt, error, id),
        { sync: false },
      ),

    /** Gives up what has waited since before `before`, e.g. for a channel that is gone; how many those were. */
    async expire(before: number, error: string): Promise<number> {
      const old = `state IN ('pending','sending','uncertain') AND created_at < ?`;
      if (!sql.read.get(`SELECT id FROM outbox WHERE ${old} LIMIT 1`, before)) return 0;
      return sql.write(
        (db) =>
          db.run(`UPDATE outbox SET state = 'failed', error = ?, sent_at = ? WHERE ${old}`, error, now(), before)
            .changes,
      );
    },

    failed: (id: number, error: string): Promise<void> =>
      sql.write(
        (db) =>
          void db.run(`UPDATE outbox SET state = 'failed', error = ?, sent_at = ? WHERE id = ?`, error, now(), id),
      ),
  };
}

function outboxRow(row: Row): OutboxRow {
  return present({
    id: Number(row['id']),
    token: String(row['token']),
    runId: String(row['run_id']),
    sessionKey: String(row['session_key']),
    address: JSON.parse(String(row['address'])) as ChatAddress,
    payload: JSON.parse(String(row['payload'])) as ReplyPayload,
    state: row['state'] as OutboxRow['state'],
    attempts: Number(row['attempts']),
    nextAt: Number(row['next_at']),
    createdAt: Number(row['created_at']),
    error: row['error'] !== null ? String(row['error']) : undefined,
    sentAt: row['sent_at'] !== null ? Number(row['sent_at']) : undefined,
    messageIds: row['message_ids'] !== null ? (JSON.parse(String(row['message_ids'])) as string[]) : undefined,
  });
}
