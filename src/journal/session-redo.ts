/** Session entries that are newer than `sessions.json`, so that its writes may be coalesced and nothing is lost. */
import type { Sqlite, SqlSession } from '../platform/sqlite.ts';

/** `entry` is the entry's JSON; null: the entry was deleted. `version` only grows. */
export interface SessionRedo {
  readonly agentId: string;
  readonly key: string;
  readonly entry: string | null;
  readonly version: number;
}

export function redoEntry(db: SqlSession, redo: SessionRedo): void {
  db.run(
    `INSERT INTO session_redo (agent_id, key, entry, version) VALUES (?,?,?,?)
    ON CONFLICT DO UPDATE SET entry = excluded.entry, version = excluded.version WHERE excluded.version > version`,
    redo.agentId,
    redo.key,
    redo.entry,
    redo.version,
  );
}

export function createSessionRedo(sql: Sqlite) {
  return {
    record: (redo: SessionRedo, options: { sync: boolean }): Promise<void> =>
      sql.write((db) => redoEntry(db, redo), options),
    /** What a crash left over, for one agent. */
    load: (agentId: string): SessionRedo[] =>
      sql.read.all('SELECT * FROM session_redo WHERE agent_id = ? ORDER BY version', agentId).map((row) => ({
        agentId,
        key: String(row['key']),
        entry: row['entry'] === null ? null : String(row['entry']),
        version: Number(row['version']),
      })),
    topVersion: (): number => Number(sql.read.get('SELECT max(version) AS top FROM session_redo')?.['top'] ?? 0),
    /** Drops what `sessions.json` now holds. */
    clear: (agentId: string, upTo: number): Promise<void> =>
      sql.write((db) => void db.run('DELETE FROM session_redo WHERE agent_id = ? AND version <= ?', agentId, upTo), {
        sync: false,
      }),
  };
}
