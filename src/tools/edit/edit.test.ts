// The edit tool: one passage, every other byte untouched.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { textOf } from '../../core/transcript.ts';
import { folderFingerprint } from '../../testing/folder-fingerprint.ts';
import { refusesHostilePaths } from '../../testing/hostile-paths.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import edit from './index.ts';
import { replaceOnce } from './replace-once.ts';

toolContract({
  tool: edit,
  setup: (workspace) => writeFile(join(workspace, 'a.txt'), 'one\ntwo\ntwo\n'),
  good: { path: 'a.txt', oldText: 'one', newText: 'uno' },
  bad: [{ input: { path: 'a.txt', oldText: 'x' }, says: /newText: is required/ }],
  failing: [
    { input: { path: 'a.txt', oldText: 'two', newText: 'x' }, says: /occurs 2 times \(lines 2, 3\)/ },
    { input: { path: 'a.txt', oldText: 'three', newText: 'x' }, says: /not found/ },
    { input: { path: 'a.txt', oldText: '', newText: 'x' }, says: /oldText is empty/ },
    { input: { path: 'a.txt', oldText: 'one', newText: 'one' }, says: /the same/ },
    { input: { path: 'none', oldText: 'a', newText: 'b' }, says: /does not exist\. Use `write`/ },
    { input: { file_path: '../a', old_string: 'a', new_string: 'b' }, says: /outside the workspace/ },
  ],
  fingerprint: folderFingerprint,
});

refusesHostilePaths({
  tool: edit,
  inputs: (path) => [
    { path, oldText: 's3cret', newText: '' },
    { file_path: path, old_string: 's3cret', new_string: '' },
    { filePath: path, oldString: 's3cret', newString: '' },
  ],
});

test('is absent where the sandbox shows the workspace read-only (T216)', () => {
  const available = (workspaceAccess: 'none' | 'ro' | 'rw'): boolean =>
    edit.available!({
      route: toolContext('/w').route,
      model: 'm',
      describesPictures: false,
      config: {},
      sandbox: { workspaceAccess },
    });
  assert.deepEqual([available('ro'), available('rw'), available('none')], [false, true, true]);
});

async function editOf(content: string | Uint8Array, oldText: string, newText: string) {
  await using dir = await tempDir('edit');
  await writeFile(join(dir.path, 'file'), content);
  const result = await runTool(edit, { path: 'file', old_string: oldText, new_string: newText }, toolContext(dir.path));
  return { result, said: textOf(result.content), after: await readFile(join(dir.path, 'file')) };
}

test('an empty newText deletes', async () => {
  assert.equal((await editOf('keep this, drop that', ', drop that', '')).after.toString(), 'keep this');
});

test('line endings of the file are kept, whatever the model writes', async () => {
  assert.equal((await editOf('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz')).after.toString(), 'x\r\ny\r\nz\r\nc\r\n');
  assert.equal((await editOf('a\nb\n', 'a\r\nb', 'x\r\ny')).after.toString(), 'x\ny\n');
});

test('a byte order mark and UTF-16 are kept', async () => {
  assert.equal((await editOf('\uFEFFone', 'one', 'two')).after.toString(), '\uFEFFtwo');
  assert.deepEqual(
    (await editOf(Buffer.from('\uFEFFone\n', 'utf16le'), 'one', 'grüße')).after,
    Buffer.from('\uFEFFgrüße\n', 'utf16le'),
  );
});

test('text that is not UTF-8 is not damaged', async () => {
  const cutInACharacter = Buffer.concat([Buffer.from('\uFEFFone\n', 'utf16le'), Buffer.from([0x41])]);
  const brokenAfterItsMark = Buffer.concat([Buffer.from('\uFEFFone '), Buffer.from([0xff])]);
  for (const bytes of [Buffer.from('caf\xe9 one', 'latin1'), cutInACharacter, brokenAfterItsMark]) {
    const { result, after } = await editOf(bytes, 'one', 'two');
    assert.deepEqual([result.isError, after.equals(bytes)], [true, true]);
  }
});

test('differences in quotes, dashes and trailing spaces are forgiven, and told', async () => {
  const { after, said } = await editOf(
    'say \u201Chello\u201D \u2013 now   \nnext\n',
    'say "hello" - now\nnext',
    'done',
  );
  assert.equal(after.toString(), 'done\n');
  assert.match(said, /ignoring differences/);
});

test('forgiving never means another word', async () => {
  assert.equal((await editOf('x = 15\n', 'x = 1 ', 'y')).result.isError, true);
});

test('a miss shows the closest region', async () => {
  const { said, result } = await editOf(
    'function a() {\n    return 1;\n}\n\nfunction b() {\n    return 2;\n}\n',
    'function b() {\n  return 3;\n}',
    '',
  );
  assert.equal(result.isError, true);
  assert.match(said, /1 of its 3 lines match near line 5/);
  assert.match(said, /6: {5}return 2;/);
});

test('the change is shown as a diff', async () => {
  const { result } = await editOf('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '5', 'five');
  assert.deepEqual(result.details, {
    path: 'file',
    firstChangedLine: 5,
    loose: false,
    diff: '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
  });
});

test('whatever is replaced, the rest stays as it was', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, after, fresh) => {
      const text = before + old + after;
      const result = replaceOnce(text, old, fresh);
      if (!result.ok) return;
      assert.equal(text.slice(0, result.start) + result.inserted + text.slice(result.end), result.text);
      assert.ok(
        result.loose || text.slice(result.start, result.end).replaceAll('\r\n', '\n') === old.replaceAll('\r\n', '\n'),
      );
    }),
  );
});

test('a passage of thousands of lines is not compared with every line of the file', () => {
  const lines = (word: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n');
  const small = replaceOnce('some line here', 'one\nsome line', 'x');
  assert.match(small.ok ? '' : small.error, /near line 1/);
  const large = replaceOnce(
    `${lines('this', 2000)}\nlong enough line 1234`,
    `${lines('that', 2000)}\nlong enough line`,
    'x',
  );
  assert.match(large.ok ? '' : large.error, /No line of it is in the file/);
});
