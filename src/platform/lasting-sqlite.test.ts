/** A database whose log somebody shortens between a write and its commit: the hole is noticed, the write is kept. */
import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { openLastingSqlite, type LastingSqlite } from './lasting-sqlite.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS said (word TEXT NOT NULL) STRICT;';
const NEVER_MS = 1_000_000_000;

for (const [what, options] of [
  ['a write that is on its way', {}],
  ['one that is not synced', { sync: false }],
  ['a lazy one', { lazy: true }],
] as const)
  it(`${what} does not fill up a log that was shortened meanwhile`, async () => {
    await using dir = await tempDir('lasting');
    const path = join(dir.path, 'words.sqlite');
    const rescues: string[] = [];
    const db = openLastingSqlite(path, SCHEMA, { pollMs: NEVER_MS, onRescue: ({ why }) => rescues.push(why) });
    const say = (word: string, how: object): Promise<unknown> =>
      db.write((sql) => sql.run('INSERT INTO said VALUES (?)', word), how);
    await say('early', {});
    const late = say('late', options);
    truncateSync(`${path}-wal`, 0);
    await late;
    await say('later', {});
    assert.equal(rescues.length, 1);
    assert.match(rescues[0]!, /words\.sqlite-wal was shortened from \d+ to 0 bytes/);
    const { loss } = db;
    await db.close();
    await using again = await reopened(path);
    const words = again.read.all('SELECT word FROM said').map(({ word }) => String(word));
    assert.deepEqual(
      words.filter((word) => word !== 'early'),
      ['late', 'later'],
    );
    assert.ok(loss !== undefined || words.includes('early'), 'what is missing is said');
  });

async function reopened(path: string): Promise<LastingSqlite & AsyncDisposable> {
  const db = openLastingSqlite(path, SCHEMA, { pollMs: NEVER_MS });
  return { ...db, [Symbol.asyncDispose]: () => db.close() };
}
