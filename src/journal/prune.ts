/** Forgets old rows in small bites, never anything without an end state or not yet in its transcript, and never a dedupe key inside the redelivery window. */
import type { Sqlite } from '../platform/sqlite.ts';

export async function pruneJournal(sql: Sqlite, before: number, limit: number): Promise<number> {
  const old = sql.read.all(`SELECT seq, turn_id FROM inbound WHERE ended_at IS NOT NULL AND ended_at < ?
    AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.id = inbound.turn_id AND settled = 0) ORDER BY ended_at LIMIT ?`, before, limit);
  if (old.length === 0) return 0;
  await sql.write((db) => {
    for (const { seq, turn_id } of old) {
      db.run('DELETE FROM inbound WHERE seq = ?', seq!);
      if (turn_id === null) continue;
      db.run('DELETE FROM step WHERE turn_id = ?', turn_id!);
      db.run('DELETE FROM turn WHERE id = ?', turn_id!);
    }
    db.run(`DELETE FROM outbox WHERE state IN ('sent','failed') AND created_at < ?`, before);
  }, { sync: false });
  return old.length;
}
