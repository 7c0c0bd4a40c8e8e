// The workspace: starter files, prompt files and skills.
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exec } from '../../platform/exec.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createContextFiles, loadContextFiles } from './context-files.ts';
import { readFrontMatter } from './front-matter.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { createSkills } from './skills.ts';

test('a new workspace gets its files; what is there is never touched', async () => {
  await using dir = await tempDir('workspace');
  const workspace = join(dir.path, 'new', 'clawd');
  assert.deepEqual(await prepareWorkspace(workspace), [
    'AGENTS.md',
    'SOUL.md',
    'USER.md',
    'IDENTITY.md',
    'TOOLS.md',
    'HEARTBEAT.md',
  ]);
  await writeFile(join(workspace, 'SOUL.md'), 'mine');
  await rm(join(workspace, 'USER.md'));
  assert.deepEqual(await prepareWorkspace(workspace), ['USER.md']);
  assert.equal(await readFile(join(workspace, 'SOUL.md'), 'utf8'), 'mine');
  assert.deepEqual(await prepareWorkspace(join(dir.path, 'bare'), { starterFiles: false }), []);
});

test('long files keep head and tail and say what was cut and where the rest is', async () => {
  await using dir = await tempDir('workspace');
  await writeFile(join(dir.path, 'AGENTS.md'), `HEAD${'x'.repeat(5000)}TAIL`);
  await writeFile(join(dir.path, 'SOUL.md'), '  \n');
  const [agents, ...others] = await loadContextFiles(dir.path, { perFile: 1000, total: 9000 });
  assert.deepEqual(others, [], 'empty files are left out');
  assert.match(
    agents!.text,
    /^HEADx+\n\[… 4008 of 5008 characters left out; read .*AGENTS\.md for all of it …\]\nx+TAIL$/,
  );
  assert.equal(agents!.cut, 4008);
});

test('the total is a cap over all files', async () => {
  await using dir = await tempDir('workspace');
  for (const name of ['AGENTS.md', 'SOUL.md', 'USER.md']) await writeFile(join(dir.path, name), 'y'.repeat(900));
  const files = await loadContextFiles(dir.path, { perFile: 1000, total: 1500 });
  assert.deepEqual(
    files.map((file) => [file.name, file.cut]),
    [
      ['AGENTS.md', 0],
      ['SOUL.md', 300],
      ['USER.md', 900],
    ],
  );
});

test('files are read again only when one changed', async () => {
  await using dir = await tempDir('workspace');
  const files = createContextFiles();
  await writeFile(join(dir.path, 'USER.md'), 'one');
  const first = await files.load(dir.path);
  assert.equal(await files.load(dir.path), first);
  await writeFile(join(dir.path, 'USER.md'), 'two');
  await utimes(join(dir.path, 'USER.md'), 1, 1);
  assert.equal((await files.load(dir.path))[0]?.text, 'two');
});

test('what a sandboxed command puts in place of a file is not read to its own conversation, and holds nobody up', async () => {
  await using dir = await tempDir('workspace');
  await using elsewhere = await tempDir('elsewhere');
  await writeFile(join(elsewhere.path, 'token'), 'PRIVATE');
  await writeFile(join(dir.path, 'mine.md'), 'mine');
  await symlink(join(elsewhere.path, 'token'), join(dir.path, 'AGENTS.md'));
  await symlink('mine.md', join(dir.path, 'SOUL.md'));
  await mkdir(join(dir.path, 'TOOLS.md'));
  await symlink('/proc/self/environ', join(dir.path, 'IDENTITY.md'));
  await symlink('/dev/zero', join(dir.path, 'USER.md'));
  const files = createContextFiles();
  const caps = { perFile: 1000, total: 9000 };
  const texts = async (confined: boolean): Promise<unknown> =>
    (await files.load(dir.path, { ...caps, confined })).map(({ name, text }) => [name, text]);
  assert.deepEqual(await texts(true), [['SOUL.md', 'mine']]);
  assert.deepEqual(
    await texts(false),
    [
      ['AGENTS.md', 'PRIVATE'],
      ['SOUL.md', 'mine'],
    ],
    'a person may link to files elsewhere',
  );
});

test('a pipe in place of a file is left out', { skip: process.platform === 'win32' }, async () => {
  await using dir = await tempDir('workspace');
  const made = await exec({
    command: 'mkfifo',
    args: [join(dir.path, 'AGENTS.md')],
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 5000,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
  });
  assert.equal(made.kind, 'exited');
  assert.deepEqual(await loadContextFiles(dir.path), []);
});

test('a character is never cut in two', async () => {
  await using dir = await tempDir('workspace');
  for (const extra of ['', 'x']) {
    await writeFile(join(dir.path, 'AGENTS.md'), extra + '🦀'.repeat(500));
    const [file] = await loadContextFiles(dir.path, { perFile: 101, total: 1000 });
    assert.equal(file!.text.isWellFormed(), true);
  }
});

test('skills: listed by name, the workspace wins, those without a description are left out', async () => {
  await using dir = await tempDir('skills');
  const skill = async (folder: string, name: string, matter: string): Promise<void> => {
    await mkdir(join(dir.path, folder, name), { recursive: true });
    await writeFile(join(dir.path, folder, name, 'SKILL.md'), matter);
  };
  await skill('work', 'weather', '---\nname: weather\ndescription: "Local: rain and sun"\n---\n# Weather');
  await skill('state', 'weather', '---\nname: weather\ndescription: other\n---\n');
  await skill('state', 'plain', '---\ndescription: >\n  folded over\n  two lines\n---\n');
  await skill('state', 'mute', '# nothing');
  await writeFile(join(dir.path, 'state', 'stray.md'), '');
  const skills = createSkills();
  const folders = [join(dir.path, 'work'), join(dir.path, 'state'), join(dir.path, 'missing')];
  const listed = await skills.list(folders);
  assert.deepEqual(
    listed.map(({ name, description }) => [name, description]),
    [
      ['plain', 'folded over two lines'],
      ['weather', 'Local: rain and sun'],
    ],
  );
  assert.equal(listed[1]!.path, join(dir.path, 'work', 'weather', 'SKILL.md'));
  assert.equal(await skills.list(folders), listed);
});

test('front matter: only at the top, only closed', () => {
  assert.deepEqual(readFrontMatter("---\r\na: 1\r\nb: 'two'\r\n---\r\nrest"), { a: '1', b: 'two' });
  assert.deepEqual(readFrontMatter('text\n---\na: 1\n---\n'), {});
  assert.deepEqual(readFrontMatter('---\na: 1\n'), {});
});
