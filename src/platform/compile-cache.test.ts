import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { compileCacheFolder } from './compile-cache.ts';

test('the cache lies beside the code and is filled by a run', async () => {
  await using dir = await tempDir();
  const root = dir.path;
  writeFileSync(join(root, 'used.mjs'), 'export const used = () => 1;');
  const module = new URL('./compile-cache.ts', import.meta.url).href;
  const program = `(await import(${JSON.stringify(module)})).useCompileCache(${JSON.stringify(root)});
    await import(${JSON.stringify(join(root, 'used.mjs'))});`;
  // The runner of the tests has a cache of its own, and the first one wins.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env });
  const [version] = readdirSync(join(root, '.compile-cache'));
  assert.match(version!, /^v24/);
});

test('a folder that others may write is not used', async () => {
  await using dir = await tempDir();
  const root = dir.path;
  const folder = join(root, '.compile-cache');
  assert.equal(compileCacheFolder(root), folder);
  for (const mode of [0o775, 0o757, 0o777]) {
    chmodSync(folder, mode);
    assert.equal(compileCacheFolder(root), undefined);
  }
});

test('neither is a link, a file, or a folder of another user', async (t) => {
  await using dir = await tempDir();
  const [linked, file, foreign] = ['linked', 'file', 'foreign'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const root of [linked, file, foreign]) mkdirSync(root);
  symlinkSync(foreign, join(linked, '.compile-cache'));
  writeFileSync(join(file, '.compile-cache'), '');
  assert.equal(compileCacheFolder(linked), undefined);
  assert.equal(compileCacheFolder(file), undefined);
  if (process.getuid?.() !== 0) return t.diagnostic('only root can give a folder away');
  mkdirSync(join(foreign, '.compile-cache'));
  chownSync(join(foreign, '.compile-cache'), 65534, 65534);
  assert.equal(compileCacheFolder(foreign), undefined);
});
