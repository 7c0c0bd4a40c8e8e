/**
 * Queries the journal of a gateway under test. It is read again only when its files changed, because tests query it a
 * hundred times a second.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../../src/testing/read-journal.ts';

/** The system may give two writes so close to each other the same time. */
const SAME_TIME_MS = 20;

const answers = new Map<string, { readonly files: string; readonly rows: readonly any[] }>();

/** The rows that `sql` finds in the journal of `home`, as it stands on disk at this moment. */
export function queryJournal(home: string, sql: string): readonly any[] {
  const question = `${home} ${sql}`;
  const files = filesOf(home);
  const known = answers.get(question);
  if (files !== undefined && known?.files === files) return known.rows;
  const rows = readJournal(home, (db) => db.prepare(sql).all());
  if (files === undefined) answers.delete(question);
  else answers.set(question, { files, rows });
  return rows;
}

/** Changes with every write; undefined when the next one might not be seen in it. */
function filesOf(home: string): string | undefined {
  const stats = ['', '-wal'].map((end) =>
    statSync(join(home, `journal.sqlite${end}`), { bigint: true, throwIfNoEntry: false }),
  );
  const latest = Math.max(...stats.map((stat) => Number(stat?.mtimeMs ?? 0)));
  if (Date.now() - latest < SAME_TIME_MS) return undefined;
  return stats.map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`).join('; ');
}

/** How many messages, answers and turns have no end yet. */
export function openRows(home: string): number {
  const [row] = queryJournal(
    home,
    `SELECT (SELECT count(*) FROM inbound WHERE state = 'accepted')
       + (SELECT count(*) FROM outbox WHERE state IN ('pending', 'sending', 'uncertain'))
       + (SELECT count(*) FROM turn_open WHERE NOT EXISTS (SELECT 1 FROM turn WHERE turn.id = turn_open.id)) AS n`,
  );
  return row.n;
}
