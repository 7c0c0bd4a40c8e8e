/** A file is sent as it was when that was decided, or not at all. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from '../../testing/temp-dir.ts';
import { createOpenMedia } from './open-media.ts';

async function harness() {
  const dir = await tempDir('open-media');
  const root = await realpath(dir.path);
  for (const folder of ['work', 'secret', 'store']) await mkdir(join(root, folder));
  for (const file of ['work/a.png', 'secret/a.png', 'store/b.png']) await writeFile(join(root, file), file);
  await symlink(join(root, 'store'), join(root, 'media'));
  const open = createOpenMedia(() => Promise.reject(new Error('no address in this test')), join(root, 'media'));
  return {
    root,
    send: async (path: string, max = 100) =>
      (await open({ from: 'file', path: join(root, path), mime: 'image/png' }, max)).data.toString(),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

it('reads the file that was checked, and those of the media folder, wherever that lies', async () => {
  await using s = await harness();
  assert.deepEqual([await s.send('work/a.png'), await s.send('media/b.png')], ['work/a.png', 'store/b.png']);
  await assert.rejects(s.send('work/a.png', 3), { code: 'too_large' });
  await assert.rejects(s.send('work/missing.png'), { code: 'not_found' });
});

it('refuses what grew, vanished or became a folder or a pipe since it was checked', async () => {
  await using s = await harness();
  const file = join(s.root, 'work', 'a.png');
  await writeFile(file, 'x'.repeat(101));
  await assert.rejects(s.send('work/a.png'), { code: 'too_large' });
  await rm(file);
  await assert.rejects(s.send('work/a.png'), { code: 'not_found' });
  await mkdir(file);
  await assert.rejects(s.send('work/a.png'));
  await rm(file, { recursive: true });
  await promisify(execFile)('mkfifo', [file]);
  await assert.rejects(s.send('work/a.png'));
});

it('reads nothing through a link that was put in its place, be it of the file or of a folder', async () => {
  await using s = await harness();
  await symlink(join(s.root, 'secret', 'a.png'), join(s.root, 'work', 'b.png'));
  await assert.rejects(s.send('work/b.png'), { code: 'denied' });
  await symlink(join(s.root, 'secret', 'a.png'), join(s.root, 'store', 'c.png'));
  await assert.rejects(s.send('media/c.png'), { code: 'denied' });
  await rename(join(s.root, 'work'), join(s.root, 'moved'));
  await symlink(join(s.root, 'secret'), join(s.root, 'work'));
  await assert.rejects(s.send('work/a.png'), { code: 'denied', message: /was moved or replaced/ });
});
