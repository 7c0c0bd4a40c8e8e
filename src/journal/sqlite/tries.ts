/** The table of turns that were restarted after the process was killed. */
import type { Sqlite } from '../../platform/sqlite.ts';
import type { AttemptJournal } from '../journal.ts';

const PUT = `INSERT INTO try (id, again, life) VALUES (?,?,?)
  ON CONFLICT DO UPDATE SET again = excluded.again, life = excluded.life`;

/** `processId`: identifies this instance of the process, and no earlier one. */
export function createTries(sql: Sqlite, processId: string): AttemptJournal {
  const put = (id: string, again: number, sync: boolean): Promise<void> =>
    sql.write((db) => void db.run(PUT, id, again, processId), { sync });
  return {
    async begin(id, { resumed, marks }) {
      const known = resumed || marks ? sql.read.get('SELECT again, life FROM try WHERE id = ?', id) : undefined;
      if (known?.['life'] === processId) return 'again';
      if (!resumed && !known) {
        if (marks) await put(id, 0, false);
        return 'first';
      }
      const again = Number(known?.['again'] ?? 0);
      if (again >= 1) return 'poisoned';
      await put(id, again + 1, true);
      return 'again';
    },
    spare: (id) => put(id, -1, false),
  };
}
