// Resolving a path to the real file: the checked file is the used file.
import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostilePaths, layTraps } from '../testing/hostile-paths.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { readWhole, resolvePathToRead, resolvePathToWrite } from './file-access.ts';

const refused = { name: 'AppError' };

test('confined: no hostile path resolves to anything', async () => {
  await using dir = await tempDir('reach');
  const workspace = await layTraps(dir.path);
  for (const ctx of [
    { workspace },
    { workspace, confined: true, home: dir.path },
    { workspace, confined: false, sandboxed: true, home: dir.path },
  ])
    for (const path of hostilePaths(dir.path))
      for (const resolve of [resolvePathToRead, resolvePathToWrite])
        await assert.rejects(resolve(path, ctx), refused, JSON.stringify(path));
});

test('free: absolute paths and the home folder are in reach, the gateway itself is not', async () => {
  await using dir = await tempDir('reach');
  const workspace = await layTraps(dir.path);
  const state = join(dir.path, 'State');
  await mkdir(join(state, 'credentials'), { recursive: true });
  for (const name of ['gateway.token', 'credentials/key', 'harmless']) await writeFile(join(state, name), 'x');
  await symlink(join(state, 'gateway.token'), join(workspace, 'token'));
  const ctx = {
    workspace,
    confined: false,
    home: dir.path,
    deniedPaths: [join(state, 'gateway.token'), join(state, 'credentials'), join(state, 'not-there-yet.json')],
  };
  for (const [path, real] of [
    ['link', 'secret'],
    [join(dir.path, 'secret'), 'secret'],
    ['~/secret', 'secret'],
    ['~', ''],
    ['../work-evil/new', 'work-evil/new'],
    ['~/State/harmless', 'State/harmless'],
  ] as const)
    assert.equal(await resolvePathToRead(path, ctx), join(await realpath(dir.path), real));
  const ours = [
    '~/State/gateway.token',
    '~/State/gateway.token.bak',
    '~/State/not-there-yet.json.bak.3',
    '~/State/gateway.token-wal',
    '~/State/Gateway.Token.corrupt-2026',
    '~/State/credentials',
    '~/State/credentials/key',
    '~/State/credentials/new',
    'token',
    `${state}/x/../gateway.token`,
    '~/State/Credentials/KEY',
    '~/State/NOT-THERE-YET.json',
    '~/State/not-there-yet.json.',
    '~/State/not-there-yet.json::$DATA',
    '~/State/ﬁ/../not-there-yet.json',
    '/proc/self/environ',
    `/proc/${process.pid}/mem`,
    '/proc/thread-self/environ',
    '/proc/1/environ',
    `/proc/self/root${state}/gateway.token`,
  ];
  for (const path of ours)
    for (const resolve of [resolvePathToRead, resolvePathToWrite])
      await assert.rejects(resolve(path, ctx), { code: 'denied' }, path);
});

test('a sandbox calls the workspace by another name', async () => {
  await using dir = await tempDir('reach');
  const workspace = await layTraps(dir.path);
  const ctx = { workspace, sandboxed: true, workspaceShownAs: '/workspace' };
  const real = await realpath(workspace);
  for (const [path, inside] of [
    ['/workspace', ''],
    ['/workspace/sub/new', 'sub/new'],
    ['/workspace/./sub/../a', 'a'],
    ['a', 'a'],
    [`${workspace}/a`, 'a'],
  ] as const)
    assert.equal(await resolvePathToWrite(path, ctx), join(real, inside));
  for (const path of [
    '/workspace/../secret',
    '/workspace/link',
    '/workspace/up/secret',
    '/workspacex/a',
    '/workspace/../../etc/passwd',
    'workspace/../../secret',
  ])
    await assert.rejects(resolvePathToRead(path, ctx), { code: 'denied' }, path);
  await writeFile(join(workspace, 'a'), 'x');
  assert.equal(
    String(await readWhole(join(real, 'a'), { ...ctx, workspaceShownAs: dir.path }, 10)),
    'x',
    'also where the real folder lies below that name',
  );
  await assert.rejects(resolvePathToRead('/workspace/a', { workspace, workspaceShownAs: '/workspace' }), {
    code: 'denied',
  });
});

test('what is in a repository is read and not written: git is asked to change it; in a sandbox it may be', async () => {
  await using dir = await tempDir('reach');
  const workspace = await layTraps(dir.path);
  await mkdir(join(workspace, 'sub', '.git', 'info'), { recursive: true });
  await symlink('.git', join(workspace, 'sub', 'other'));
  const paths = [
    '.git',
    '.git/config',
    'sub/.git/config',
    'sub/.git/info/attributes',
    'sub/other/config',
    'new/.GIT/hooks/pre-commit',
    'sub/.git./config',
    join(workspace, 'sub/.git/config'),
  ];
  for (const path of paths)
    for (const confined of [true, false])
      await assert.rejects(
        resolvePathToWrite(path, { workspace, confined }),
        { code: 'denied', message: /git command instead/ },
        path,
      );
  for (const path of ['.gitignore', 'sub/.gitattributes', 'git/config', 'sub/.github/x.yml'])
    await resolvePathToWrite(path, { workspace });
  await resolvePathToRead('sub/.git/config', { workspace });
  await resolvePathToWrite('sub/.git/config', { workspace, sandboxed: true });
});

test('folders that may be read may not be written', async () => {
  await using dir = await tempDir('reach');
  const workspace = await layTraps(dir.path);
  const ctx = { workspace, readableRoots: [join(dir.path, 'work-evil')] };
  assert.equal((await readWhole('../work-evil/secret', ctx, 100)).length > 0, true);
  await assert.rejects(resolvePathToWrite('../work-evil/secret', ctx), { code: 'denied' });
});

test('a folder of ours is denied inside a workspace that contains it, too', async () => {
  await using dir = await tempDir('reach');
  await layTraps(dir.path);
  await assert.rejects(resolvePathToRead('secret', { workspace: dir.path, deniedPaths: [join(dir.path, 'secret')] }), {
    code: 'denied',
  });
});

test('a file that is swapped for a link after the check is not followed', async () => {
  await using dir = await tempDir('reach');
  const workspace = await layTraps(dir.path);
  await assert.rejects(readWhole('link', { workspace }, 100), { code: 'denied' });
  await assert.rejects(readWhole('sub', { workspace }, 100), { code: 'invalid' });
});
