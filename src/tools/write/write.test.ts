// The write tool: whole files, atomically, inside the workspace only.
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { textOf } from '../../core/transcript.ts';
import { folderFingerprint } from '../../testing/folder-fingerprint.ts';
import { refusesHostilePaths } from '../../testing/hostile-paths.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import write from './index.ts';

toolContract({
  tool: write,
  setup: (workspace) => mkdir(join(workspace, 'folder')).then(() => undefined),
  good: { path: 'deep/er/a.txt', content: 'hello' },
  bad: [
    { input: { path: 'a' }, says: /content: is required/ },
    { input: { content: 'x' }, says: /path: is required/ },
  ],
  failing: [
    { input: { path: 'folder', content: '' }, says: /is a folder/ },
    { input: { path: 'new/', content: '' }, says: /is a folder/ },
    { input: { path: '../a', content: '' }, says: /outside the workspace/ },
  ],
  fingerprint: folderFingerprint,
});

refusesHostilePaths({
  tool: write,
  inputs: (path) => [
    { path, content: 'x' },
    { file_path: path, text: 'x' },
    { filePath: path, contents: 'x' },
  ],
});

test('is absent where the sandbox shows the workspace read-only (T216)', () => {
  const available = (workspaceAccess: 'none' | 'ro' | 'rw'): boolean =>
    write.available!({
      route: toolContext('/w').route,
      model: 'm',
      describesPictures: false,
      config: {},
      sandbox: { workspaceAccess },
    });
  assert.deepEqual([available('ro'), available('rw'), available('none')], [false, true, true]);
});

test('creates folders and the file, replaces it, leaves nothing else behind', async () => {
  await using dir = await tempDir('write');
  const ctx = toolContext(dir.path);
  assert.match(
    textOf((await runTool(write, { path: 'a/b/c.txt', content: 'grüße' }, ctx)).content),
    /Created a\/b\/c\.txt \(7 bytes\)/,
  );
  assert.match(textOf((await runTool(write, { file_path: 'a/b/c.txt', content: '' }, ctx)).content), /Replaced/);
  assert.equal(await readFile(join(dir.path, 'a/b/c.txt'), 'utf8'), '');
  assert.deepEqual(await readdir(join(dir.path, 'a/b')), ['c.txt']);
});

test('keeps the permissions of a file it replaces', async () => {
  await using dir = await tempDir('write');
  await writeFile(join(dir.path, 'run.sh'), '#!/bin/sh');
  await chmod(join(dir.path, 'run.sh'), 0o755);
  await runTool(write, { path: 'run.sh', content: '#!/bin/bash' }, toolContext(dir.path));
  assert.equal((await stat(join(dir.path, 'run.sh'))).mode & 0o777, 0o755);
});

test('writes through a link inside the workspace, never through one that leaves it', async () => {
  await using dir = await tempDir('write');
  const workspace = join(dir.path, 'work');
  await mkdir(workspace);
  await writeFile(join(workspace, 'real'), 'old');
  await symlink('real', join(workspace, 'inside'));
  await symlink('../outside', join(workspace, 'dangling'));
  await symlink('..', join(workspace, 'up'));
  await runTool(write, { path: 'inside', content: 'new' }, toolContext(workspace));
  assert.equal(await readFile(join(workspace, 'real'), 'utf8'), 'new');
  for (const path of [
    'dangling',
    'dangling/x',
    'up/outside',
    '../outside',
    join(dir.path, 'outside'),
    'up/new/deep/file',
  ]) {
    assert.equal((await runTool(write, { path, content: 'x' }, toolContext(workspace))).isError, true, path);
  }
  assert.deepEqual((await readdir(dir.path)).sort(), ['work']);
});

test('leaves the workspace only where the policy lets it', async () => {
  await using dir = await tempDir('write');
  const workspace = join(dir.path, 'work');
  await mkdir(workspace);
  const input = { path: join(dir.path, 'elsewhere.txt'), content: 'x' };
  assert.equal(
    (await runTool(write, input, toolContext(workspace, { confined: false, sandboxed: true }))).isError,
    true,
    'a sandbox has no way out',
  );
  assert.equal(
    (await runTool(write, input, toolContext(workspace, { confined: false, deniedPaths: [input.path] }))).isError,
    true,
  );
  assert.equal((await runTool(write, input, toolContext(workspace, { confined: false }))).isError, undefined);
  assert.equal(
    (
      await runTool(
        write,
        { path: '~/home.txt', content: 'x' },
        toolContext(workspace, { confined: false, home: dir.path }),
      )
    ).isError,
    undefined,
  );
  assert.deepEqual((await readdir(dir.path)).sort(), ['elsewhere.txt', 'home.txt', 'work']);
});
