/** The table of session entries that are newer than their file. */
import type { Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { RedoJournal } from '../journal.ts';
import type { SessionRedo } from '../rows.ts';

const PUT = `INSERT INTO session_redo (agent_id, key, entry, version) VALUES (?,?,?,?)
  ON CONFLICT DO UPDATE SET entry = excluded.entry, version = excluded.version WHERE excluded.version > version`;

/** Part of a larger transaction. */
export function redoEntry(db: SqlSession, { agentId, key, entry, version }: SessionRedo): void {
  db.run(PUT, agentId, key, entry, version);
}

export function createSessionRedo(sql: Sqlite): RedoJournal {
  return {
    record: (redo, options) => sql.write((db) => redoEntry(db, redo), options),
    synced: () => sql.synced(),
    load: async (agentId) =>
      sql.read.all('SELECT * FROM session_redo WHERE agent_id = ? ORDER BY version', agentId).map((row) => ({
        agentId,
        key: String(row['key']),
        entry: row['entry'] === null ? null : String(row['entry']),
        version: Number(row['version']),
      })),
    topVersion: async () => Number(sql.read.get('SELECT max(version) AS top FROM session_redo')?.['top'] ?? 0),
    clear: (agentId, upTo) =>
      sql.write((db) => void db.run('DELETE FROM session_redo WHERE agent_id = ? AND version <= ?', agentId, upTo), {
        sync: false,
      }),
  };
}
