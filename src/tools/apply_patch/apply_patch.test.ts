// The apply_patch tool: many files in one step, every other byte untouched.
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { ToolSurroundings } from '../../core/tool.ts';
import { textOf } from '../../core/transcript.ts';
import { present } from '../../sdk/index.ts';
import { folderFingerprint } from '../../testing/folder-fingerprint.ts';
import { refusesHostilePaths } from '../../testing/hostile-paths.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import applyPatch from './index.ts';

const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

toolContract({
  tool: applyPatch,
  setup: (workspace) => writeFile(join(workspace, 'a.txt'), 'one\ntwo\ntwo\n'),
  good: { patch: patch('*** Update File: a.txt', '@@', '-one', '+uno', '*** Add File: b.txt', '+hi') },
  bad: [{ input: {}, says: /input: is required/ }],
  failing: [
    { input: { input: '' }, says: /expected `\*\*\* Begin Patch`/ },
    { input: { input: patch() }, says: /The patch is empty/ },
    { input: { input: '*** Begin Patch\n*** Delete File: a.txt' }, says: /Line 2 .*`\*\*\* End Patch` is missing/ },
    { input: { input: `say\n${patch('*** Delete File: a.txt')}` }, says: /Line 1 .*`say` stands before/ },
    { input: { input: `${patch('*** Delete File: a.txt')}\nmore` }, says: /Line 4 .*`more` stands behind/ },
    { input: { input: patch('what is this') }, says: /Line 2 .*found `what is this`/ },
    { input: { input: patch('*** Add File: ', '+x') }, says: /Line 2 .*the path is missing/ },
    { input: { input: patch('*** Add File: c', '+x', 'y') }, says: /Line 4 .*begins with `\+`, found `y`/ },
    {
      input: { input: patch('*** Add File: a.txt', '+x') },
      says: /Line 2 .*a\.txt exists already\. Use `\*\*\* Update File`/,
    },
    { input: { input: patch('*** Add File: new/', '+x') }, says: /Line 2 .*is a folder/ },
    { input: { input: patch('*** Delete File: none') }, says: /Line 2 .*none does not exist/ },
    { input: { input: patch('*** Delete File: .') }, says: /Line 2 .*is not a file/ },
    { input: { input: patch('*** Delete File: a.txt', '-one') }, says: /Line 3 .*nothing may follow/ },
    {
      input: { input: patch('*** Update File: none', '@@', '-x') },
      says: /Line 2 .*none does not exist\. Use `\*\*\* Add File`/,
    },
    { input: { input: patch('*** Update File: a.txt') }, says: /Line 2 .*nothing to change in a\.txt/ },
    { input: { input: patch('*** Update File: a.txt', '@@', ' one') }, says: /Line 3 .*changes nothing/ },
    { input: { input: patch('*** Update File: a.txt', '@@', 'one') }, says: /Line 4 .*found `one`/ },
    {
      input: { input: patch('*** Update File: a.txt', '@@', '-two', '+x') },
      says: /Line 3 .*occur 2 times in a\.txt \(at lines 2, 3\)/,
    },
    {
      input: { input: patch('*** Update File: a.txt', '@@ three', '-one', '+x') },
      says: /`@@ three` is no line of a\.txt/,
    },
    {
      input: { input: patch('*** Update File: a.txt', '@@', ' one', '-twoo', '+x') },
      says: /were not found in a\.txt.* 1 of its 2 lines match near line 1, where the file says:\n1: one\n2: two/,
    },
    {
      input: { input: patch('*** Update File: a.txt', '*** Move to: a.txt', '@@', '-one', '+x') },
      says: /Line 3 .*a\.txt exists already/,
    },
    {
      input: { input: patch('*** Update File: a.txt', '@@', '-one', '+x', '*** Delete File: ./a.txt') },
      says: /Line 6 .*already used in line 2/,
    },
    {
      input: { input: patch('*** Add File: n', '+1', '*** Add File: n', '+2') },
      says: /Line 4 .*already used in line 2/,
    },
    { input: { input: patch('*** Add File: ../n', '+1') }, says: /outside the workspace/ },
  ],
  fingerprint: folderFingerprint,
});

refusesHostilePaths({
  tool: applyPatch,
  inputs: (path) =>
    [
      patch(`*** Add File: ${path}`, '+x'),
      patch(`*** Delete File: ${path}`),
      patch(`*** Update File: ${path}`, '@@', '-s3cret-of-the-owner', '+x'),
      patch('*** Add File: fine', '+x', `*** Update File: ${path}`, '*** Move to: stolen'),
    ].flatMap((text) => [{ input: text }, { patch: text }]),
});

/** Runs a patch over these files and answers them all as they are then. */
async function patched(files: Readonly<Record<string, string | Uint8Array>>, input: string) {
  await using dir = await tempDir('patch');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir.path, name)), { recursive: true });
    await writeFile(join(dir.path, name), content);
  }
  const result = await runTool(applyPatch, { input }, toolContext(dir.path));
  const text = async (name: string): Promise<string | undefined> =>
    readFile(join(dir.path, name), 'utf8').catch(() => undefined);
  const after = Object.fromEntries(
    await Promise.all(
      [...Object.keys(files), 'new.txt', 'deep/moved.txt'].map(async (name) => [name, await text(name)] as const),
    ),
  );
  return { result, said: textOf(result.content), after };
}

test('adds, changes, moves and deletes, and lists what it did', async () => {
  const { said, after, result } = await patched(
    { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
    patch(
      '*** Add File: new.txt',
      '+first',
      '+',
      '+third',
      '*** Update File: a.txt',
      '@@',
      ' one',
      '-two',
      '+2',
      '',
      '*** Update File: b.txt',
      '*** Move to: deep/moved.txt',
      '@@',
      '-b',
      '+B',
      '*** Delete File: c.txt',
    ),
  );
  assert.equal(said, 'Success. Updated the following files:\nA new.txt\nM a.txt\nM deep/moved.txt\nD c.txt');
  assert.deepEqual(after, {
    'a.txt': 'one\n2\n',
    'b.txt': undefined,
    'c.txt': undefined,
    'new.txt': 'first\n\nthird\n',
    'deep/moved.txt': 'B\n',
  });
  assert.deepEqual((result.details as { files: unknown[] }).files[1], {
    status: 'M',
    path: 'a.txt',
    diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2',
    loose: false,
  });
});

test('nothing is written when one of several files does not fit', async () => {
  const { after, said } = await patched(
    { 'a.txt': 'one\n', 'b.txt': 'b\n' },
    patch('*** Add File: new.txt', '+x', '*** Delete File: a.txt', '*** Update File: b.txt', '@@', '-c', '+d'),
  );
  assert.match(said, /Nothing was changed\.$/);
  assert.deepEqual(after, { 'a.txt': 'one\n', 'b.txt': 'b\n', 'new.txt': undefined, 'deep/moved.txt': undefined });
});

test('what models put around a patch is taken off', async () => {
  const inner = patch('*** Update File: a.txt', '-one', '+1');
  for (const input of [
    `<<'EOF'\n${inner}\nEOF`,
    `apply_patch <<"EOF"\n${inner}\nEOF\n`,
    `\`\`\`diff\n${inner}\n\`\`\``,
    `\n\n${inner}\n\n`,
    inner.replaceAll('\n', '\r\n'),
  ]) {
    const { after, said } = await patched({ 'a.txt': 'one\n' }, input);
    assert.equal(after['a.txt'], '1\n', said);
  }
});

const CLASSES = [
  'class A:',
  '    def run(self):',
  '        pass',
  '',
  '    def stop(self):',
  '        pass',
  '',
  'class B:',
  '    def run(self):',
  '        pass',
  '',
].join('\n');

test('headings say which of several places is meant', async () => {
  const change = ['-        pass', '+        done()'];
  const at = async (...headings: string[]) =>
    (await patched({ 'a.py': CLASSES }, patch('*** Update File: a.py', ...headings, ...change))).after['a.py']
      ?.split('\n')
      .indexOf('        done()');
  assert.equal(await at('@@ class B:', '@@     def run(self):'), 9);
  assert.equal(await at('@@ class B:'), 9);
  assert.equal(await at('@@     def stop(self):'), 5);
  assert.equal(await at('@@ def stop(self):'), 5, 'without its indentation');
  assert.equal(await at('@@ -5,2 +5,2 @@     def stop(self):'), 5, 'line numbers are no help');
  const vague = await patched({ 'a.py': CLASSES }, patch('*** Update File: a.py', '@@     def run(self):', ...change));
  assert.match(vague.said, /occur 2 times in a\.py \(at lines 3, 10\)/);
  assert.equal(vague.after['a.py'], CLASSES);
});

test('hunks follow one another; the second looks behind the first', async () => {
  const { after } = await patched(
    { 'a.txt': 'x\n1\nx\n2\nx\n3\n' },
    patch('*** Update File: a.txt', '@@', ' 1', '-x', '+X', '@@', '-x', '+Y', ' 3'),
  );
  assert.equal(after['a.txt'], 'x\n1\nX\n2\nY\n3\n');
  const wrongOrder = await patched(
    { 'a.txt': 'one\ntwo\n' },
    patch('*** Update File: a.txt', '@@', '-two', '+2', '@@', '-one', '+1'),
  );
  assert.match(wrongOrder.said, /Line 6 .*not found in a\.txt behind line 2, where the hunk before it ends/);
});

test('the end of a file, and hunks that only add', async () => {
  const of = async (text: string, ...lines: string[]) =>
    (await patched({ 'a.txt': text }, patch('*** Update File: a.txt', ...lines))).after['a.txt'];
  assert.equal(await of('x\ny\nx\n', '@@', '-x', '+z', '*** End of File'), 'x\ny\nz\n');
  assert.equal(await of('x\n', '@@', '+y'), 'x\ny\n');
  assert.equal(await of('x', '@@', '+y'), 'x\ny');
  assert.equal(await of('a\nb\n', '@@ a', '+y'), 'a\ny\nb\n');
  assert.equal(await of('', '@@', '+y'), 'y\n');
  assert.equal(await of('x', '@@', '-x', '+y'), 'y', 'a missing final line break stays missing');
  assert.equal(await of('x\n', '@@', '-x'), '');
  assert.equal(await of('a\n\nb\n', '@@', ' a', '', '-b', '+c'), 'a\n\nc\n', 'an empty line whose space got lost');
});

test('line endings, marks, encodings and permissions are kept', async () => {
  const { after } = await patched(
    { 'a.txt': '\uFEFFone\r\ntwo\r\nthree\n' },
    patch('*** Update File: a.txt', '@@', ' one', '-two', '+2', '+2b', ' three'),
  );
  assert.equal(after['a.txt'], '\uFEFFone\r\n2\r\n2b\r\nthree\n');
  await using dir = await tempDir('patch');
  const path = join(dir.path, 'run.sh');
  await writeFile(path, Buffer.from('\uFEFFgrüße\n', 'utf16le'));
  await chmod(path, 0o755);
  await runTool(
    applyPatch,
    { input: patch('*** Update File: run.sh', '*** Move to: go.sh', '@@', '-grüße', '+Grüße') },
    toolContext(dir.path),
  );
  assert.deepEqual(await readFile(join(dir.path, 'go.sh')), Buffer.from('\uFEFFGrüße\n', 'utf16le'));
  assert.equal((await stat(join(dir.path, 'go.sh'))).mode & 0o777, 0o755);
});

test('a file of any kind can change its place', async () => {
  const bytes = Buffer.from([0, 255, 1, 2]);
  await using dir = await tempDir('patch');
  await writeFile(join(dir.path, 'a.bin'), bytes);
  await runTool(
    applyPatch,
    { input: patch('*** Update File: a.bin', '*** Move to: sub/b.bin') },
    toolContext(dir.path),
  );
  assert.deepEqual(await readFile(join(dir.path, 'sub/b.bin')), bytes);
  const damaged = await patched(
    { 'a.bin': Buffer.from('caf\xe9', 'latin1') },
    patch('*** Update File: a.bin', '@@', '-x', '+y'),
  );
  assert.match(damaged.said, /not clean UTF-8 or UTF-16/);
});

test('a link is not deleted in place of its file, nor the file in place of the link', async () => {
  await using dir = await tempDir('patch');
  await writeFile(join(dir.path, 'real.txt'), 'x\n');
  await symlink('real.txt', join(dir.path, 'link.txt'));
  const ctx = toolContext(dir.path);
  for (const lines of [
    ['*** Delete File: link.txt'],
    ['*** Update File: link.txt', '*** Move to: y.txt'],
    ['*** Update File: link.txt', '*** Move to: y.txt', '@@', '-x', '+y'],
  ])
    assert.match(
      textOf((await runTool(applyPatch, { input: patch(...lines) }, ctx)).content),
      /link\.txt is a symbolic link\. Use its target: real\.txt/,
    );
  await runTool(applyPatch, { input: patch('*** Update File: link.txt', '@@', '-x', '+y') }, ctx);
  assert.equal(await readFile(join(dir.path, 'real.txt'), 'utf8'), 'y\n');
});

test('a long patch of a long file is no work', async () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}`);
  const hunks = lines.flatMap((line, index) => (index % 4 === 0 ? ['@@', `-${line}`, `+${line}!`] : []));
  const { after, said } = await patched(
    { 'a.txt': `${lines.join('\n')}\n` },
    patch('*** Update File: a.txt', ...hunks),
  );
  assert.match(said, /^Success/);
  assert.equal(after['a.txt']!.split('!').length - 1, 10_000);
  assert.match(
    (await patched({ 'a.txt': `x\n${'y'.repeat(1024 * 1024)}` }, patch('*** Update File: a.txt', '@@', '-x', '+z')))
      .said,
    /too large for hunks .* Use `edit`/,
  );
});

test('spaces at line ends, quotes and dashes are forgiven and told; unchanged lines stay as they are', async () => {
  const { after, said } = await patched(
    { 'a.txt': 'say \u201Chello\u201D \u2013 now   \nold\n' },
    patch('*** Update File: a.txt', '@@', ' say "hello" - now', '-old', '+new'),
  );
  assert.equal(after['a.txt'], 'say \u201Chello\u201D \u2013 now   \nnew\n');
  assert.match(said, /Places in a\.txt were found by ignoring differences/);
  assert.match(
    (await patched({ 'a.txt': '  indented\n' }, patch('*** Update File: a.txt', '@@', '-indented', '+x'))).said,
    /not found/,
    'indentation means something',
  );
});

test('is offered as the configuration and the sandbox allow (T216)', () => {
  const offered = (model: string, applyPatchSetting: unknown, sandbox?: ToolSurroundings['sandbox']): boolean =>
    applyPatch.available!({
      route: toolContext('/w').route,
      model,
      describesPictures: false,
      config: { exec: { applyPatch: applyPatchSetting } },
      ...present({ sandbox }),
    });
  assert.equal(offered('openai/gpt-5', undefined), true);
  assert.equal(offered('openai/gpt-5', { enabled: false }), false);
  assert.equal(offered('openai/gpt-5', { enabled: 'yes' }), false);
  for (const pattern of ['openai/gpt-5', 'GPT-5', 'gpt-*', 'openai/*', '*'])
    assert.equal(offered('openai/gpt-5', { allowModels: [pattern] }), true, pattern);
  for (const pattern of ['gpt', 'anthropic/*', 'gpt.5', ''])
    assert.equal(offered('openai/gpt-5', { allowModels: [pattern] }), false, pattern);
  assert.equal(offered('openai/gpt-5', { allowModels: [] }), false);
  assert.deepEqual(
    (['ro', 'rw', 'none'] as const).map((workspaceAccess) => offered('m', undefined, { workspaceAccess })),
    [false, true, true],
  );
});
