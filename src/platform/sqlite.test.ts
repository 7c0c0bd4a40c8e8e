/** Group commit: what was told is on the platter, one bad write takes no other with it, trouble is named. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { AppError } from '../core/errors.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { brokenSqlite, openSqlite, type SqlSession, type Sqlite } from './sqlite.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x TEXT NOT NULL) STRICT';
const add = (x: string | null) => (sql: SqlSession) => sql.run('INSERT INTO t (x) VALUES (?)', x).lastId;
const xs = (sql: Sqlite): unknown[] => sql.read.all('SELECT x FROM t ORDER BY id').map((row) => row['x']);

async function stage() {
  const dir = await tempDir('sqlite');
  const path = join(dir.path, 'j.sqlite');
  const sql = openSqlite(path, SCHEMA);
  return { path, sql, async [Symbol.asyncDispose]() { await sql.close(); await dir[Symbol.asyncDispose](); } };
}

describe('writes', () => {
  it('of one tick are one transaction, in order of asking', async () => {
    await using s = await stage();
    const seen: boolean[] = [];
    const outside = new DatabaseSync(s.path);
    const count = outside.prepare('SELECT count(*) AS n FROM t');
    const results = Promise.all(['a', 'b', 'c'].map((x) => s.sql.write((db) => {
      seen.push(count.get()!['n'] === 0); // nobody outside sees a part
      return add(x)(db);
    })));
    assert.deepEqual(await results, [1, 2, 3]);
    outside.close();
    assert.deepEqual([seen, xs(s.sql)], [[true, true, true], ['a', 'b', 'c']]);
  });

  it('that fail take no other with them, and leave nothing of themselves', async () => {
    await using s = await stage();
    const results = await Promise.allSettled([
      s.sql.write(add('a')),
      s.sql.write((db) => { add('half')(db); return add(null)(db); }),
      s.sql.write((db) => { add('half')(db); throw new AppError('conflict', 'changed my mind'); }),
      s.sql.write(add('b')),
    ]);
    assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    assert.match(String((results[1] as PromiseRejectedResult).reason), /NOT NULL/);
    assert.deepEqual(xs(s.sql), ['a', 'b']);
    assert.equal(await s.sql.write(add('c')), 3, 'and the next one works');
  });

  it('are synced unless all of a batch say otherwise', async () => {
    await using s = await stage();
    const levels: unknown[] = [];
    const level = (db: SqlSession): void => void levels.push(db.get('PRAGMA synchronous')!['synchronous']);
    await s.sql.write(level);
    await s.sql.write(level, { sync: false });
    await Promise.all([s.sql.write(level, { sync: false }), s.sql.write(level)]);
    await s.sql.write(level, { sync: false });
    assert.deepEqual(levels, [2, 1, 2, 2, 1], '2 is FULL, 1 is NORMAL');
    assert.equal(s.sql.read.get('PRAGMA journal_mode')!['journal_mode'], 'wal');
  });

  it('asked for before closing are kept; later ones are refused, in peace', async () => {
    await using s = await stage();
    const before = s.sql.write(add('kept'));
    await s.sql.close();
    assert.equal(await before, 1);
    await assert.rejects(s.sql.write(add('late')), { code: 'unavailable' });
    await s.sql.close();
    const again = openSqlite(s.path, SCHEMA);
    assert.deepEqual(xs(again), ['kept']);
    await again.close();
  });
});

describe('trouble', () => {
  it('with a locked file is named, remembered, and forgotten when it is over', async () => {
    await using s = await stage();
    s.sql.read.get('PRAGMA busy_timeout=1');
    const other = new DatabaseSync(s.path);
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(s.sql.write(add('a')), (error: AppError) => error.code === 'storage' && /j\.sqlite.*locked/.test(error.message) && error.cause instanceof Error);
    assert.equal(s.sql.failure?.code, 'storage');
    other.exec('ROLLBACK');
    other.close();
    await s.sql.write(add('b'));
    assert.deepEqual([s.sql.failure, xs(s.sql)], [undefined, ['b']]);
  });

  it('with a statement is not taken for trouble with the disk', async () => {
    await using s = await stage();
    await assert.rejects(s.sql.write((db) => db.run('INSERT INTO nowhere VALUES (1)')), /no such table/);
    assert.equal(s.sql.failure, undefined);
  });

  it('with a file that is no database, or in no folder, is told at once and touches nothing', async () => {
    await using dir = await tempDir('sqlite');
    await writeFile(join(dir.path, 'text'), 'this is not a database, but long enough to look like one '.repeat(50));
    assert.throws(() => openSqlite(join(dir.path, 'text'), SCHEMA), (error: AppError) => error.code === 'storage' && /not a database.*doctor/.test(error.message));
    assert.throws(() => openSqlite(join(dir.path, 'none', 'x'), SCHEMA), (error: AppError) => error.code === 'storage' && /none/.test(error.message));
    assert.equal(existsSync(join(dir.path, 'none')), false);
  });

  it('leaves a stand-in that finds nothing and refuses with the reason', async () => {
    const why = new AppError('storage', 'gone');
    const sql = brokenSqlite(why);
    assert.deepEqual([sql.read.get('SELECT 1'), sql.read.all('SELECT 1'), sql.failure], [undefined, [], why]);
    await assert.rejects(sql.write(() => 1), why);
    await sql.close();
  });
});
