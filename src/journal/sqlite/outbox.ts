/** The outbox table: replies that are not delivered yet. */
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Row, Sqlite } from '../../platform/sqlite.ts';
import type { OutboxJournal } from '../journal.ts';
import type { OutboxRow } from '../rows.ts';
import { endInbound } from './inbound.ts';
import type { NewReplies } from './new-replies.ts';

/** The rows of the run `?1`: most of its tokens begin with the run id, and the others have an index. */
export const OF_RUN = `((run_id = ?1 AND token >= ?1 || ':' AND token < ?1 || ';')
  OR (run_id = ?1 AND substr(token, 1, length(run_id) + 1) <> run_id || ':'))`;

type Reads = Pick<OutboxJournal, 'get' | 'take' | 'byToken' | 'open' | 'pending' | 'ofRun' | 'synced'>;
type Writes = Omit<OutboxJournal, keyof Reads>;

export const createOutbox = (sql: Sqlite, now: () => number, replies: NewReplies): OutboxJournal => ({
  ...reads(sql, replies),
  ...writes(sql, now, replies),
});

function reads(sql: Sqlite, replies: NewReplies): Reads {
  const one = (where: string, value: string | number): OutboxRow | undefined => {
    const row = sql.read.get(`SELECT * FROM outbox WHERE ${where}`, value);
    return row && outboxRow(row);
  };
  return {
    get: async (id) => one('id = ?', id),
    async take(id) {
      const row = one('id = ?', id);
      // The commit failed, so nothing was marked.
      return row && { row, begun: replies.takeBegun(row.token) && row.state === 'sending' };
    },
    byToken: async (token) => one('token = ?', token),
    open: async () => sql.read.all(`SELECT * FROM outbox WHERE ${replies.isOpen} ORDER BY id`).map(outboxRow),
    pending: async () => Number(sql.read.get(`SELECT count(*) AS n FROM outbox WHERE ${replies.isOpen}`)?.['n'] ?? 0),
    ofRun: async (runId) => sql.read.all(`SELECT * FROM outbox WHERE ${OF_RUN} ORDER BY id`, runId).map(outboxRow),
    synced: () => sql.synced(),
  };
}

const SENDING = `UPDATE outbox SET state = 'sending', attempts = attempts + 1 WHERE id = ?`;
const SENT = `UPDATE outbox SET state = 'sent', message_ids = ?, error = NULL, sent_at = ? WHERE id = ?`;
const RETRY = 'UPDATE outbox SET state = ?, next_at = ?, error = ? WHERE id = ?';
const FAILED = `UPDATE outbox SET state = 'failed', error = ?, sent_at = ? WHERE`;

function writes(sql: Sqlite, now: () => number, newReplies: NewReplies): Writes {
  return {
    post(rows, ends) {
      const at = now();
      const prepared = newReplies.prepare(rows);
      return sql.write((db) => {
        for (const end of ends) endInbound(db, [end.seq], { ...end, at });
        return prepared.map((row) => newReplies.insert(db, row, at));
      });
    },
    sending: (id) => sql.write((db) => void db.run(SENDING, id)),
    sent(id, messageIds) {
      const values = [JSON.stringify(messageIds), now(), id] as const;
      return sql.write((db) => void db.run(SENT, ...values), { sync: false });
    },
    retryAt: (id, state, nextAt, error) =>
      sql.write((db) => void db.run(RETRY, state, nextAt, error, id), { sync: false }),
    failed(id, error) {
      const at = now();
      return sql.write((db) => void db.run(`${FAILED} id = ?`, error, at, id));
    },
    async expire(before, error) {
      const old = `${newReplies.isOpen} AND created_at < ?`;
      // Usually there are none, and then nothing is synced.
      if (!sql.read.get(`SELECT id FROM outbox WHERE ${old} LIMIT 1`, before)) return 0;
      const at = now();
      return sql.write((db) => db.run(`${FAILED} ${old}`, error, at, before).changes);
    },
  };
}

export function outboxRow(row: Row): OutboxRow {
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
