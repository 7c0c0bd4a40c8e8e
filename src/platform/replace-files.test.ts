// Changing several files in one step: all or none, each complete, in the checked folder.
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { present } from '../core/present.ts';
import { folderFingerprint } from '../testing/folder-fingerprint.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { statIfExists } from './files.ts';
import { replaceFiles, type FileChange } from './replace-files.ts';

async function change(path: string, text?: string): Promise<FileChange> {
  return {
    path,
    before: await statIfExists(path),
    ...present({ data: text !== undefined ? Buffer.from(text) : undefined }),
  };
}

test('adds, replaces and removes, and leaves nothing beside', async () => {
  await using dir = await tempDir('replace');
  await writeFile(join(dir.path, 'old'), 'a');
  await writeFile(join(dir.path, 'gone'), 'b');
  await chmod(join(dir.path, 'old'), 0o777);
  await replaceFiles([
    await change(join(dir.path, 'old'), 'A'),
    await change(join(dir.path, 'deep/new'), 'N'),
    await change(join(dir.path, 'gone')),
  ]);
  assert.deepEqual((await readdir(dir.path)).sort(), ['deep', 'old']);
  assert.deepEqual(await readdir(join(dir.path, 'deep')), ['new']);
  assert.deepEqual(
    [await readFile(join(dir.path, 'old'), 'utf8'), (await stat(join(dir.path, 'old'))).mode & 0o777],
    ['A', 0o777],
  );
});

test('when a later renaming fails the earlier ones are undone', async () => {
  await using dir = await tempDir('replace');
  for (const name of ['first', 'second', 'third']) await writeFile(join(dir.path, name), name);
  const before = await folderFingerprint(dir.path);
  const changes = [
    await change(join(dir.path, 'first'), 'changed'),
    await change(join(dir.path, 'second')),
    await change(join(dir.path, 'new'), 'new'),
    await change(join(dir.path, 'third'), 'changed'),
  ];
  const noRoom = async (from: string, to: string): Promise<void> => {
    if (to.endsWith('third')) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    await rename(from, to);
  };
  await assert.rejects(replaceFiles(changes, { putAt: noRoom }), {
    code: 'storage',
    message: /third: the disk is full/,
  });
  assert.equal(await folderFingerprint(dir.path), before);
});

test('what is no file is not replaced', async () => {
  await using dir = await tempDir('replace');
  await mkdir(join(dir.path, 'folder/full'), { recursive: true });
  for (const text of ['x', undefined])
    await assert.rejects(replaceFiles([await change(join(dir.path, 'folder'), text)]), { code: 'invalid' });
});

test('where nothing can be written nothing is left behind', {
  skip: process.getuid?.() === 0 ? 'root may write everywhere' : false,
}, async () => {
  await using dir = await tempDir('replace');
  await writeFile(join(dir.path, 'first'), 'first');
  await mkdir(join(dir.path, 'locked'), { mode: 0o500 });
  await assert.rejects(
    replaceFiles([await change(join(dir.path, 'first'), 'changed'), await change(join(dir.path, 'locked/new'), 'new')]),
    { code: 'storage' },
  );
  assert.deepEqual(
    [await readFile(join(dir.path, 'first'), 'utf8'), await readdir(dir.path)],
    ['first', ['first', 'locked']],
  );
});

test('a file somebody else changed in the meantime stops everything', async () => {
  await using dir = await tempDir('replace');
  const [mine, theirs, fresh] = ['mine', 'theirs', 'fresh'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(mine, '1');
  await writeFile(theirs, '1');
  const changes = [await change(mine, '2'), await change(theirs, '2')];
  await writeFile(theirs, 'longer');
  await assert.rejects(replaceFiles(changes), { code: 'conflict' });
  const appears = [await change(mine, '2'), await change(fresh, '2')];
  await writeFile(fresh, 'theirs');
  await assert.rejects(replaceFiles(appears), { code: 'conflict' });
  assert.deepEqual(
    [await readFile(mine, 'utf8'), await readFile(theirs, 'utf8'), await readFile(fresh, 'utf8')],
    ['1', 'longer', 'theirs'],
  );
  assert.equal((await readdir(dir.path)).length, 3);
});

test('a folder swapped for a link after the check is not written through', {
  skip: process.platform === 'win32',
}, async () => {
  await using dir = await tempDir('replace');
  const [inside, outside] = [join(dir.path, 'inside'), join(dir.path, 'outside')];
  await mkdir(inside);
  await mkdir(outside);
  const checked = await change(join(inside, 'authorized_keys'), 'mine');
  await rename(inside, `${inside}.moved`);
  await symlink(outside, inside);
  await assert.rejects(replaceFiles([checked]), { name: 'AppError' });
  const below = await change(join(`${inside}.moved`, 'sub', 'file'), 'mine');
  await symlink(outside, join(`${inside}.moved`, 'sub'));
  await assert.rejects(replaceFiles([below]), { name: 'AppError' });
  assert.deepEqual(await readdir(outside), []);
});

test('a file swapped for a link is replaced itself, not what the link names', {
  skip: process.platform === 'win32',
}, async () => {
  await using dir = await tempDir('replace');
  const path = join(dir.path, 'file');
  const checked = await change(path, 'mine');
  await symlink(join(dir.path, 'elsewhere'), path);
  await replaceFiles([checked]);
  assert.equal(await readFile(path, 'utf8'), 'mine');
  assert.deepEqual(await readdir(dir.path), ['file']);
  await rm(path);
});
