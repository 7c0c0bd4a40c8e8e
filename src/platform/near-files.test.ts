// A look at a near file sees what a look at any file sees, whatever took the file's place since the last one.
import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { listDir, statIfExists } from './files.ts';
import { createNearFiles } from './near-files.ts';

describe('a near file', () => {
  it('is seen as it is: missing, there, changed, replaced, a folder, a link, gone', async () => {
    await using dir = await tempDir('near');
    const near = createNearFiles(dir.path);
    const path = join(dir.path, 'file');
    const same = async (): Promise<void> => {
      assert.deepEqual(await near.stat(path), await statIfExists(path));
      assert.deepEqual(await near.list(dir.path), await listDir(dir.path));
    };
    const steps: readonly (() => Promise<unknown>)[] = [
      async () => undefined,
      () => writeFile(path, 'one'),
      () => writeFile(path, 'longer'),
      () => writeFile(`${path}.new`, 'one').then(() => rename(`${path}.new`, path)),
      () => rm(path).then(() => mkdir(path)),
      () => rm(path, { recursive: true }).then(() => symlink('nowhere', path)),
      () => rm(path),
    ];
    for (const step of steps) {
      await step();
      await same();
      assert.ok(near.isNear(path), 'on the disk of its home, or not there');
      await same();
    }
    assert.deepEqual(await near.list(join(dir.path, 'none')), []);
  });

  it('below a file is missing', async () => {
    await using dir = await tempDir('near');
    const near = createNearFiles(dir.path);
    await writeFile(join(dir.path, 'file'), '');
    for (let round = 0; round < 2; round++) assert.equal(await near.stat(join(dir.path, 'file', 'below')), undefined);
  });

  it('is not one on another disk, and not one that a link leads there', async (test) => {
    await using dir = await tempDir('near');
    const near = createNearFiles(dir.path);
    const elsewhere = '/proc/version';
    if (!(await statIfExists(elsewhere))) return test.skip('there is no /proc here');
    const path = join(dir.path, 'file');
    assert.equal(await near.stat(path), undefined);
    await symlink(elsewhere, path);
    await near.stat(path);
    for (const far of [elsewhere, path]) {
      assert.ok(await near.stat(far));
      assert.equal(near.isNear(far), false);
    }
  });
});
