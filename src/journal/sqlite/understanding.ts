/** The table of understanding results per message. */
import type { Understanding } from '../../core/understanding.ts';
import type { Row, Sqlite } from '../../platform/sqlite.ts';
import type { UnderstandingJournal } from '../journal.ts';
import type { NewReplies } from './new-replies.ts';

const LATEST = `SELECT understanding.body FROM understanding JOIN inbound USING (run_id) WHERE session_key = ?
  AND json_array_length(understanding.body, '$.attachments') > 0 ORDER BY understanding.at DESC LIMIT 1`;
const PUT = `INSERT INTO understanding (run_id, body, started_at, at) VALUES (?,?,?,?)
  ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at`;

export function createUnderstandings(sql: Sqlite, now: () => number, newReplies: NewReplies): UnderstandingJournal {
  return {
    find: async (runId) => bodyOf(sql.read.get('SELECT body FROM understanding WHERE run_id = ?', runId)),
    latest: async (sessionKey) => bodyOf(sql.read.get(LATEST, sessionKey)),
    save(runId, understanding, startedAt, replies) {
      const at = now();
      const body = JSON.stringify(understanding);
      const prepared = newReplies.prepare(replies);
      return sql.write(
        (db) => {
          db.run(PUT, runId, body, startedAt, at);
          return prepared.map((reply) => newReplies.insert(db, reply, at));
        },
        { sync: replies.length > 0 },
      );
    },
  };
}

const bodyOf = (row: Row | undefined): Understanding | undefined =>
  row && (JSON.parse(String(row['body'])) as Understanding);
