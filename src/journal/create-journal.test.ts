/** The journal over a damaged file (P10). `src/testing/journal-contract` tests what holds for every journal. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { accepted } from '../testing/sample-inbound.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createJournal } from './create-journal.ts';
import type { JournalTables } from './tables.ts';

it('the tables of features are in the file, and only those it was opened with can be had', async () => {
  await using dir = await tempDir('journal');
  const path = join(dir.path, 'journal.sqlite');
  const marbles: JournalTables<{ add(): Promise<unknown>; count(): number }> = {
    schema: 'CREATE TABLE IF NOT EXISTS marble (id INTEGER PRIMARY KEY) STRICT;',
    open: (sql) => ({
      add: () => sql.write((db) => db.run('INSERT INTO marble DEFAULT VALUES')),
      count: () => sql.read.all('SELECT id FROM marble').length,
    }),
    old: (db, _before, limit) => db.all('SELECT id FROM marble LIMIT ?', limit),
    forget: (db, { id }) => void db.run('DELETE FROM marble WHERE id = ?', id!),
  };
  const without = createJournal({ path });
  assert.throws(() => without.tables(marbles), { code: 'unsupported' });
  await without.close();
  const journal = createJournal({ path, tables: [marbles] });
  const { add, count } = journal.tables(marbles);
  await Promise.all([add(), add(), add()]);
  assert.deepEqual([count(), await journal.prune(1000, 2), count()], [3, 2, 1]);
  await journal.close();
});

it('a journal that cannot be opened refuses every write with the reason and reads as empty', async () => {
  await using dir = await tempDir('journal');
  const path = join(dir.path, 'journal.sqlite');
  await writeFile(path, 'certainly not a database, however long one looks at it '.repeat(50));
  const journal = createJournal({ path });
  assert.match((await journal.health()).failure?.message ?? '', /journal\.sqlite.*not a database/);
  await assert.rejects(journal.inbound.accept(accepted(), 'r1'), { code: 'storage' });
  await assert.rejects(journal.turns.settle(['t']), { code: 'storage' });
  assert.deepEqual(
    [
      await journal.inbound.open(),
      await journal.outbox.pending(),
      await journal.turns.unsettled(),
      await journal.timeline('r1'),
    ],
    [[], 0, [], undefined],
  );
  await journal.close();
});
