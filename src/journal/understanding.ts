/** What understanding made of a message, kept so that a crash neither asks twice nor tells twice. */
import type { Understanding } from '../core/understanding.ts';
import type { Sqlite } from '../platform/sqlite.ts';
import type { InsertOutbox } from './insert-outbox.ts';
import type { NewOutboxRow } from './rows.ts';

export function createUnderstandings(sql: Sqlite, now: () => number, insertOutbox: InsertOutbox) {
  return {
    find(runId: string): Understanding | undefined {
      const row = sql.read.get('SELECT body FROM understanding WHERE run_id = ?', runId);
      return row && (JSON.parse(String(row['body'])) as Understanding);
    },

    /** Of the newest message of a session that came with files. */
    latest(sessionKey: string): Understanding | undefined {
      const row = sql.read.get(
        "SELECT understanding.body FROM understanding JOIN inbound USING (run_id) WHERE session_key = ? AND json_array_length(understanding.body, '$.attachments') > 0 ORDER BY understanding.at DESC LIMIT 1",
        sessionKey,
      );
      return row && (JSON.parse(String(row['body'])) as Understanding);
    },

    /**
     * In one commit with what the person is told of it; returns the outbox rows to send. Synced only when there are
     * any: lost, it is made again.
     */
    save(
      runId: string,
      understanding: Understanding,
      startedAt: number,
      replies: readonly NewOutboxRow[],
    ): Promise<number[]> {
      const at = now();
      const body = JSON.stringify(understanding);
      return sql.write(
        (db) => {
          db.run(
            'INSERT INTO understanding (run_id, body, started_at, at) VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at',
            runId,
            body,
            startedAt,
            at,
          );
          return replies.map((reply) => insertOutbox(db, reply, at));
        },
        { sync: replies.length > 0 },
      );
    },
  };
}
