import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { scratchFolder, sweepScratchFolders } from './scratch-folder.ts';

test('a folder is there for its work and gone afterwards, whatever is in it', async () => {
  await using dir = await tempDir('scratch');
  {
    await using folder = await scratchFolder('work', join(dir.path, 'new'));
    await writeFile(join(folder.path, 'file'), 'private');
  }
  assert.deepEqual(await readdir(join(dir.path, 'new')), []);
});

test('T102: what a crash left behind is removed a day later, and nothing else', async () => {
  await using dir = await tempDir('scratch');
  const made = [await scratchFolder('old', dir.path), await scratchFolder('new', dir.path)];
  await mkdir(join(dir.path, 'other'));
  for (const path of [made[0]!.path, join(dir.path, 'other')]) await utimes(path, 1, 1);
  await sweepScratchFolders(dir.path, Date.now());
  assert.deepEqual((await readdir(dir.path)).map((name) => name.replace(/-[^-]*$/, '')).toSorted(), [
    'other',
    'scratch-new',
  ]);
});
