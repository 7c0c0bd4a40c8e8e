// Rows without an end state are found whatever their age, and few rows are read for that.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { reply } from '../../testing/journal-rows.ts';
import { readJournal } from '../../testing/read-journal.ts';
import { accepted } from '../../testing/sample-inbound.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createJournal } from '../create-journal.ts';

const MANY = 1200;

const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `m${from + index}`);

async function opened() {
  const home = await tempDir('open-rows');
  const path = join(home.path, 'journal.sqlite');
  const time = { now: 1000 };
  return { home, time, open: () => createJournal({ path, now: () => time.now }) };
}

it('finds messages without an end among many that have one, also after a restart', async () => {
  const { home, time, open } = await opened();
  await using _home = home;
  const before = open();
  const taken = await before.inbound.acceptAll(
    names(MANY).map((id) => ({ accepted: accepted({ id }), runId: id, refused: undefined })),
  );
  const waiting = new Set(['m2', 'm400', `m${MANY - 1}`]);
  await before.inbound.end(
    taken.filter(({ row }) => !waiting.has(row.runId)).map(({ row }) => row.seq),
    { state: 'answered' },
  );
  // The list is rebuilt only after enough new rows.
  await before.inbound.acceptAll(
    names(MANY, MANY).map((id) => ({ accepted: accepted({ id }), runId: id, refused: { reason: 'no' } })),
  );
  const ids = async (journal: typeof before) => (await journal.inbound.open()).map(({ runId }) => runId);
  assert.deepEqual(await ids(before), [...waiting]);
  time.now = 2000;
  assert.equal(await before.inbound.overdue(1500), 3);
  await before.close();
  const listed = readJournal(home.path, (db) => db.prepare(`SELECT id FROM open_among WHERE name = 'inbound'`).all());
  assert.ok(listed.length <= 5, `${listed.length} rows are listed, of which three are open`);
  const after = open();
  assert.deepEqual(await ids(after), [...waiting]);
  await after.inbound.end([(await after.inbound.find('m400'))!.seq], { state: 'failed', reason: 'gone' });
  assert.deepEqual(await ids(after), ['m2', `m${MANY - 1}`]);
  await after.close();
});

it('finds what comes after all was forgotten, when ids begin again', async () => {
  const { home, time, open } = await opened();
  await using _home = home;
  const journal = open();
  const ids = await journal.outbox.post(
    names(600).map((token) => reply(token)),
    [],
  );
  for (const id of ids) await journal.outbox.sent(id, []);
  for (const id of names(300)) await journal.inbound.accept(accepted({ id }), id, { reason: 'no' });
  time.now = 1_000_000;
  while ((await journal.prune(1000)) > 0);
  assert.deepEqual(await journal.inbound.recent({ limit: 10 }), []);
  await journal.close();

  const again = open();
  await again.inbound.accept(accepted({ id: 'new' }), 'new');
  const [id] = await again.outbox.post([reply('later')], []);
  assert.ok(id! < ids.at(-1)!, 'a row id that was taken before');
  await again.close();
  const third = open();
  assert.deepEqual(
    [(await third.inbound.open()).map(({ runId }) => runId), (await third.outbox.open()).map(({ token }) => token)],
    [['new'], ['later']],
  );
  assert.equal(await third.outbox.pending(), 1);
  await third.close();
});
