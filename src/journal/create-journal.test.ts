/**
 * The journal over a file that is in trouble (P10). What holds for every journal is in `src/testing/journal-contract`.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { accepted } from '../testing/sample-inbound.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createJournal } from './create-journal.ts';

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
