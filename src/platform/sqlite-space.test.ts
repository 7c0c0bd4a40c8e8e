// Free pages of a database are returned to the file system when it is next opened, without losing rows.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { openSqlite } from './sqlite.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x TEXT NOT NULL) STRICT';
const ROWS = 400;
const BYTES = 4000;

/** A closed database of 400 rows of which `kept` are left, and how large its file is. */
async function mostlyFree(path: string, kept: number): Promise<number> {
  const sql = openSqlite(path, SCHEMA);
  await sql.write((session) => {
    for (let id = 1; id <= ROWS; id++) session.run('INSERT INTO t VALUES (?, ?)', id, `${id}`.padEnd(BYTES, 'x'));
  });
  await sql.write((session) => session.run('DELETE FROM t WHERE id > ?', kept));
  await sql.close();
  return statSync(path).size;
}

it('gives back what is free when that is most of the file', async () => {
  await using dir = await tempDir('sqlite-space');
  const path = join(dir.path, 'j.sqlite');
  const before = await mostlyFree(path, 10);
  assert.ok(before > ROWS * BYTES);
  const sql = openSqlite(path, SCHEMA, { worthBytes: 100_000 });
  assert.ok(statSync(path).size < before / 10, `${before} → ${statSync(path).size} bytes`);
  await sql.write((session) => session.run('INSERT INTO t VALUES (1000, ?)', 'after'));
  assert.deepEqual(
    sql.read.all('SELECT id, length(x) AS n FROM t ORDER BY id').map(({ id, n }) => [id, n]),
    [...Array.from({ length: 10 }, (_, index) => [index + 1, BYTES]), [1000, 5]],
  );
  await sql.close();
  const again = openSqlite(path, SCHEMA);
  assert.equal(again.read.get('SELECT count(*) AS n FROM t')!['n'], 11);
  await again.close();
});

it('leaves a file alone whose free part is small, or not most of it', async () => {
  await using dir = await tempDir('sqlite-space');
  for (const [name, kept, worthBytes] of [
    ['small', 10, 64 * 1024 * 1024],
    ['in-use', 300, 100_000],
  ] as const) {
    const path = join(dir.path, name);
    const before = await mostlyFree(path, kept);
    const sql = openSqlite(path, SCHEMA, { worthBytes });
    assert.equal(statSync(path).size, before, name);
    await sql.close();
  }
});
