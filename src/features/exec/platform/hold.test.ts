/** Starting commands that outlive us, and the pieces that takes. */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { tempDir } from '../../../testing/temp-dir.ts';
import { statIfExists } from '../../../platform/files.ts';
import { createFifoPool } from './fifo-pool.ts';
import { hold } from './hold.ts';

const request = (folder: string, command: string) => ({
  argv: ['/bin/sh', '-c', command] as const,
  env: { PATH: '/usr/bin:/bin' },
  cwd: folder,
  pty: false,
  mark: `test@${folder}`,
  held: true,
  files: {
    output: join(folder, 'out'),
    input: join(folder, 'in'),
    ready: join(folder, 'ready'),
    exit: join(folder, 'exit'),
  },
});

it('the holder leaves the exit code in a file, whole', async () => {
  await using temp = await tempDir('hold');
  await using pool = createFifoPool(join(temp.path, 'pool'));
  assert.equal(await pool.take(join(temp.path, 'in')), true);
  const held = await hold(request(temp.path, 'cat; exit 9'));
  assert.ok(!('problem' in held));
  assert.equal(await held.input.write(Buffer.from('typed')), 'taken');
  await held.input.close();
  await until(() => statIfExists(join(temp.path, 'ready')));
  await held.input.settle();
  assert.deepEqual(await held.exited, { code: 9, signal: null });
  assert.deepEqual(
    [await readFile(join(temp.path, 'out'), 'utf8'), await readFile(join(temp.path, 'exit'), 'utf8')],
    ['typed', '9\n'],
  );
});

it('a signal to the group ends the command, and its code is kept all the same', async () => {
  await using temp = await tempDir('hold');
  await using pool = createFifoPool(join(temp.path, 'pool'));
  await pool.take(join(temp.path, 'in'));
  const held = await hold(request(temp.path, 'kill -TERM 0; exec sleep 300'));
  assert.ok(!('problem' in held));
  assert.deepEqual(await held.exited, { code: 143, signal: null });
  assert.equal(await readFile(join(temp.path, 'exit'), 'utf8'), '143\n');
  await held.input.close();
  await held.input.settle();
});

it('without a named pipe it runs all the same', async () => {
  await using temp = await tempDir('hold');
  await using pool = createFifoPool(join(temp.path, 'pool'), '/nowhere');
  assert.equal(await pool.take(join(temp.path, 'in')), false);
  const held = await hold({ ...request(temp.path, 'cat >&2; kill -9 $$'), held: false });
  assert.ok(!('problem' in held));
  assert.deepEqual([await held.input.write(Buffer.from('typed')), held.input.fd()], ['taken', undefined]);
  await held.input.close();
  assert.equal(await held.input.write(Buffer.from('more')), 'closed');
  assert.deepEqual(await held.exited, { code: null, signal: 'SIGKILL' });
  assert.equal(await readFile(join(temp.path, 'out'), 'utf8'), 'typed');
});

it('pipes are private, as many as are wanted, and the pool leaves nothing', async () => {
  await using temp = await tempDir('hold');
  const folder = join(temp.path, 'pool');
  {
    await using pool = createFifoPool(folder);
    const paths = Array.from({ length: 30 }, (_, index) => join(temp.path, String(index)));
    assert.deepEqual(new Set(await Promise.all(paths.map((path) => pool.take(path)))), new Set([true]));
    for (const path of paths) {
      const found = await stat(path);
      assert.deepEqual([found.isFIFO(), found.mode & 0o777], [true, 0o600]);
    }
  }
  await assert.rejects(stat(folder), { code: 'ENOENT' });
});
