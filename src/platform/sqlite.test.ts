/** Group commit: acknowledged writes are on disk, a failed write does not affect others, errors say what is wrong. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { AppError } from '../core/errors.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { brokenSqlite, openSqlite, type SqlSession, type Sqlite, type SqliteOptions } from './sqlite.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x TEXT NOT NULL) STRICT';
const add = (x: string | null) => (sql: SqlSession) => sql.run('INSERT INTO t (x) VALUES (?)', x).lastId;
const xs = (sql: Sqlite): unknown[] => sql.read.all('SELECT x FROM t ORDER BY id').map((row) => row['x']);

async function harness(options: SqliteOptions = {}) {
  const dir = await tempDir('sqlite');
  const path = join(dir.path, 'j.sqlite');
  const sql = openSqlite(path, SCHEMA, options);
  return {
    path,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** A disk whose syncs end when they are told to. */
function slowDisk() {
  const waiting: PromiseWithResolvers<void>[] = [];
  const heard = new EventEmitter();
  const state = { syncs: 0, free: false };
  return {
    get syncs() {
      return state.syncs;
    },
    async datasync(): Promise<void> {
      state.syncs++;
      if (state.free) return;
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      heard.emit('asked');
      await one.promise;
    },
    async asked(count: number): Promise<void> {
      while (state.syncs < count) await once(heard, 'asked');
    },
    answer: (error?: Error): void => (error ? waiting.shift()?.reject(error) : waiting.shift()?.resolve()),
    free(): void {
      state.free = true;
      for (const one of waiting) one.resolve();
    },
  };
}

describe('writes', () => {
  it('of one tick are one transaction, in order of asking', async () => {
    await using s = await harness();
    const seen: boolean[] = [];
    const outside = new DatabaseSync(s.path);
    const count = outside.prepare('SELECT count(*) AS n FROM t');
    const results = Promise.all(
      ['a', 'b', 'c'].map((x) =>
        s.sql.write((db) => {
          seen.push(count.get()!['n'] === 0); // nobody outside sees a part
          return add(x)(db);
        }),
      ),
    );
    assert.deepEqual(await results, [1, 2, 3]);
    outside.close();
    assert.deepEqual(
      [seen, xs(s.sql)],
      [
        [true, true, true],
        ['a', 'b', 'c'],
      ],
    );
  });

  it('that fail take no other with them, and leave nothing of themselves', async () => {
    await using s = await harness();
    const results = await Promise.allSettled([
      s.sql.write(add('a')),
      s.sql.write((db) => {
        add('half')(db);
        return add(null)(db);
      }),
      s.sql.write((db) => {
        add('half')(db);
        throw new AppError('conflict', 'changed my mind');
      }),
      s.sql.write(add('b')),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.match(String((results[1] as PromiseRejectedResult).reason), /NOT NULL/);
    assert.deepEqual(xs(s.sql), ['a', 'b']);
    assert.equal(await s.sql.write(add('c')), 3, 'and the next one works');
  });

  it('go along with the next commit where nobody waits for them, before it and in their order', async () => {
    const disk = slowDisk();
    await using s = await harness({ datasync: disk.datasync });
    disk.free();
    const confirmed: string[] = [];
    const lazy = s.sql.write(add('a'), { lazy: true }).then(() => void confirmed.push('a'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([xs(s.sql), confirmed, disk.syncs], [[], [], 0], 'it waits for another');
    await s.sql.write(add('b'), { sync: false });
    await lazy;
    assert.deepEqual([xs(s.sql), disk.syncs], [['a', 'b'], 0]);
  });

  it('that nobody waits for are written alone when nothing else is, and before the file is closed', async () => {
    await using s = await harness();
    await s.sql.write(add('a'), { lazy: true });
    assert.deepEqual(xs(s.sql), ['a']);
    const last = s.sql.write(add('b'), { lazy: true });
    await s.sql.close();
    await last;
  });

  it('wait for the disk when they are to be synced, and nobody else waits with them', async () => {
    const disk = slowDisk();
    await using s = await harness({ datasync: disk.datasync });
    const done: string[] = [];
    const reported = (name: string, options?: { readonly sync: boolean }): Promise<void> =>
      s.sql.write(add(name), options).then(() => void done.push(name));
    const first = reported('first');
    await disk.asked(1);
    assert.deepEqual([xs(s.sql), done], [['first'], []], 'it stands there, and nobody was told');
    await reported('soft', { sync: false });
    const others = Promise.all([reported('second'), reported('third')]);
    assert.equal(
      await Promise.race([s.sql.synced(), s.sql.write(add('more'), { sync: false }).then(() => 'not yet')]),
      'not yet',
    );
    assert.deepEqual(done, ['soft']);
    disk.answer();
    await first;
    await disk.asked(2);
    const barrier = s.sql.synced();
    disk.answer();
    await Promise.all([others, barrier]);
    assert.deepEqual(done, ['soft', 'first', 'second', 'third']);
    assert.equal(disk.syncs, 2, 'what came meanwhile shares one');
    await s.sql.synced();
    assert.equal(disk.syncs, 2, 'and nothing is left to wait for');
    disk.free();
  });

  it('go on while the log is copied into the database, and nothing is lost of them', async () => {
    await using s = await harness({ checkpointBytes: 64 * 1024 });
    const big = 'x'.repeat(3000);
    for (let round = 0; round < 40; round++)
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => s.sql.write(add(`${round}.${index}.${big}`), { sync: index === 0 })),
      );
    await s.sql.close();
    assert.equal(existsSync(`${s.path}-wal`), false);
    const again = openSqlite(s.path, SCHEMA);
    assert.equal(again.read.get('SELECT count(*) AS n FROM t')!['n'], 320);
    await again.close();
  });

  it('keep the log small for as long as they come', async () => {
    await using s = await harness({ checkpointBytes: 64 * 1024 });
    let largest = 0;
    let shrunk = 0;
    for (let before = 0, round = 0; round < 50_000 && shrunk < 2; round++) {
      await s.sql.write(add('x'.repeat(2000)), { sync: false });
      const { size } = statSync(`${s.path}-wal`);
      if (size < before) shrunk++;
      largest = Math.max(largest, size);
      before = size;
    }
    assert.equal(shrunk, 2, `${largest} bytes`);
  });

  it('asked for before closing are kept; later ones are refused, in peace', async () => {
    await using s = await harness();
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
    await using s = await harness();
    s.sql.read.get('PRAGMA busy_timeout=1');
    const other = new DatabaseSync(s.path);
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(
      s.sql.write(add('a')),
      (error: AppError) =>
        error.code === 'storage' && /j\.sqlite.*locked/.test(error.message) && error.cause instanceof Error,
    );
    assert.equal(s.sql.failure?.code, 'storage');
    other.exec('ROLLBACK');
    other.close();
    await s.sql.write(add('b'));
    assert.deepEqual([s.sql.failure, xs(s.sql)], [undefined, ['b']]);
  });

  it('with a sync is told to whoever waited; what follows is on the platter by way of the database', async () => {
    const disk = slowDisk();
    await using s = await harness({ datasync: disk.datasync });
    const lost = s.sql.write(add('a'));
    await disk.asked(1);
    disk.answer(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    await assert.rejects(
      lost,
      (error: AppError) =>
        error.code === 'storage' &&
        /j\.sqlite.*disk did not store/.test(error.message) &&
        /EIO/.test(String(error.cause)),
    );
    assert.equal(s.sql.failure?.code, 'storage');
    disk.free();
    assert.equal(await s.sql.write(add('b')), 2);
    const outside = new DatabaseSync(s.path, { readOnly: true });
    assert.equal(statSync(`${s.path}-wal`).size, 0, 'the log was copied and emptied');
    outside.close();
    assert.deepEqual([s.sql.failure, xs(s.sql)], [undefined, ['a', 'b']]);
  });

  it('with a statement is not taken for trouble with the disk', async () => {
    await using s = await harness();
    await assert.rejects(
      s.sql.write((db) => db.run('INSERT INTO nowhere VALUES (1)')),
      /no such table/,
    );
    assert.equal(s.sql.failure, undefined);
  });

  it('with a file that is no database, or in no folder, is told at once and touches nothing', async () => {
    await using dir = await tempDir('sqlite');
    await writeFile(join(dir.path, 'text'), 'this is not a database, but long enough to look like one '.repeat(50));
    assert.throws(
      () => openSqlite(join(dir.path, 'text'), SCHEMA),
      (error: AppError) => error.code === 'storage' && /not a database.*doctor/.test(error.message),
    );
    assert.throws(
      () => openSqlite(join(dir.path, 'none', 'x'), SCHEMA),
      (error: AppError) => error.code === 'storage' && /none/.test(error.message),
    );
    assert.equal(existsSync(join(dir.path, 'none')), false);
  });

  it('leaves a stand-in that finds nothing and refuses with the reason', async () => {
    const why = new AppError('storage', 'gone');
    const sql = brokenSqlite(why);
    assert.deepEqual([sql.read.get('SELECT 1'), sql.read.all('SELECT 1'), sql.failure], [undefined, [], why]);
    await assert.rejects(
      sql.write(() => 1),
      why,
    );
    await sql.close();
  });
});
