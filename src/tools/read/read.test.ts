// The read tool: pages, encodings, pictures, and the walls of the workspace.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { textOf } from '../../core/transcript.ts';
import { refusesHostilePaths } from '../../testing/hostile-paths.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import { folderFingerprint } from '../../testing/folder-fingerprint.ts';
import read from './index.ts';

const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined,
);

toolContract({
  tool: read,
  setup: (workspace) => writeFile(join(workspace, 'a.txt'), 'one\ntwo\n'),
  good: { path: 'a.txt' },
  bad: [
    { input: {}, says: /path: is required/ },
    { input: { path: 'a.txt', offset: 'soon' }, says: /offset/ },
    { input: 'nonsense', says: /JSON object/ },
  ],
  failing: [
    { input: { path: 'none.txt' }, says: /does not exist/ },
    { input: { path: 'a.txt', offset: 9 }, says: /past the end; the file has 2 lines/ },
    { input: { path: '../x' }, says: /outside the workspace/ },
  ],
  fingerprint: folderFingerprint,
});

refusesHostilePaths({ tool: read, inputs: (path) => [{ path }, { file_path: path }, { filePath: path }] });

async function readOf(content: string | Uint8Array, input: Record<string, unknown> = {}, spelling = 'path') {
  await using dir = await tempDir('read');
  await writeFile(join(dir.path, 'file'), content);
  return await runTool(read, { [spelling]: 'file', ...input }, toolContext(dir.path));
}

test('shows at most 2000 lines and says how to go on', async () => {
  const text = textOf((await readOf(Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`).join('\n'))).content);
  assert.match(text, /line 2000\n\n\[Lines 1-2000 of 5000\. Use offset=2001 to continue\.\]$/);
  const next = textOf(
    (await readOf(Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`).join('\n'), { offset: 4999, limit: 10 }))
      .content,
  );
  assert.equal(next, 'line 4999\nline 5000');
});

test('shows at most 50 KB, in whole lines', async () => {
  const text = textOf((await readOf(Array.from({ length: 100 }, () => 'x'.repeat(1023)).join('\n'))).content);
  assert.match(text, /\[Lines 1-50 of 100\. Use offset=51/);
});

test('a line that is too long alone is shown in part and said to be so', async () => {
  const text = textOf((await readOf(`${'ä'.repeat(60_000)}\nnext`)).content);
  assert.match(text, /\[Line 1 of 2 is 118 KB long; only its first 50 KB are shown\. Use offset=2/);
  assert.doesNotMatch(text, /\uFFFD/);
});

test('reads UTF-8 with a mark, UTF-16 with and without, and Windows text', async () => {
  assert.equal(textOf((await readOf('\uFEFFhi')).content), 'hi');
  assert.match(textOf((await readOf(Buffer.from('\uFEFFgrüße', 'utf16le'))).content), /utf-16le.*\ngrüße/);
  assert.match(textOf((await readOf(Buffer.from('hello wide world', 'utf16le'))).content), /hello wide world/);
  assert.match(textOf((await readOf(Buffer.from('\uFEFFhi', 'utf16le').swap16())).content), /utf-16be.*\nhi/);
  assert.match(textOf((await readOf(Buffer.from('caf\xe9 \x93quoted\x94', 'latin1'))).content), /café “quoted”/);
});

test('refuses binary files and says so', async () => {
  const result = await readOf(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 0, 0]));
  assert.deepEqual([result.isError, /binary file \(10 bytes\)/.test(textOf(result.content))], [true, true]);
});

test('an empty file and Windows line endings', async () => {
  assert.equal(textOf((await readOf('')).content), '(the file is empty)');
  assert.equal(textOf((await readOf('a\r\nb\r\n')).content), 'a\nb');
});

test('shows pictures as such, by their bytes and not by their name', async () => {
  const png = pngHeader(20, 10);
  const result = await readOf(png);
  assert.deepEqual(result.content[1], { type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
});

test('lists a folder', async () => {
  await using dir = await tempDir('read');
  await mkdir(join(dir.path, 'sub'));
  await writeFile(join(dir.path, 'a'), '');
  assert.equal(
    textOf((await runTool(read, { path: '.' }, toolContext(dir.path))).content),
    '. is a folder with 2 entries:\na\nsub/',
  );
});

test('takes the spelling of other agents', async () => {
  assert.equal(textOf((await readOf('x', {}, 'file_path')).content), 'x');
});

test('reads skill folders outside the workspace when it may', async () => {
  await using dir = await tempDir('read');
  await mkdir(join(dir.path, 'work'));
  await writeFile(join(dir.path, 'skill.md'), 'how');
  const ctx = toolContext(join(dir.path, 'work'), { readableRoots: [dir.path] });
  assert.equal(textOf((await runTool(read, { path: join(dir.path, 'skill.md') }, ctx)).content), 'how');
});

test('absolute paths inside the workspace are fine', async () => {
  await using dir = await tempDir('read');
  await writeFile(join(dir.path, 'a'), 'x');
  assert.equal((await runTool(read, { path: join(dir.path, 'a') }, toolContext(dir.path))).isError, undefined);
});

test('does not wait for a pipe nobody writes to, nor read a device through a link', {
  skip: process.platform === 'win32',
}, async () => {
  await using dir = await tempDir('pipe');
  await promisify(execFile)('mkfifo', [join(dir.path, 'pipe')]);
  await symlink('/dev/zero', join(dir.path, 'zero'));
  await symlink('/proc/self/environ', join(dir.path, 'environ'));
  assert.match(
    textOf((await runTool(read, { path: 'pipe' }, toolContext(dir.path))).content),
    /neither a file nor a folder/,
  );
  for (const path of ['zero', 'environ'])
    assert.match(textOf((await runTool(read, { path }, toolContext(dir.path))).content), /outside the workspace/);
});

test('pictures no model takes are made smaller, or told in words', {
  skip: sharp ? false : 'sharp is not installed here',
}, async () => {
  const large = await sharp!({ create: { width: 3000, height: 1500, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const result = await readOf(large);
  const image = result.content[1]!;
  assert.ok(image.type === 'image');
  assert.equal((await sharp!(Buffer.from(image.data, 'base64')).metadata()).width, 2000);
  assert.match(textOf(result.content), /shown as JPEG, 2000 × 1000 pixels/);
  assert.match(
    textOf((await readOf(pngHeader(40_000, 30_000))).content),
    /^\[file\] omitted image payload: it has 40000 × 30000 pixels/,
  );
});

/** The first bytes of a PNG that claims a size. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n\0\0\0\x0dIHDR', 'latin1'), Buffer.alloc(17)]);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

test('from a sandbox received files are read by name and not listed', async () => {
  await using dir = await tempDir('read');
  const [workspace, media] = [join(dir.path, 'work'), join(dir.path, 'media')];
  for (const folder of [workspace, media]) await mkdir(folder);
  await symlink(media, join(dir.path, 'linked'));
  await writeFile(join(media, 'a1b2.txt'), 'from a person');
  const within = (sandboxed: boolean, mediaFolder: string) => ({
    ...toolContext(workspace),
    sandboxed,
    readableRoots: [mediaFolder],
    mediaFolder,
  });
  for (const mediaFolder of [media, join(dir.path, 'linked')]) {
    const listed = await runTool(read, { path: mediaFolder }, within(true, mediaFolder));
    assert.deepEqual([listed.isError, /a1b2/.test(textOf(listed.content))], [true, false]);
    assert.match(
      textOf((await runTool(read, { path: join(mediaFolder, 'a1b2.txt') }, within(true, mediaFolder))).content),
      /from a person/,
    );
  }
  assert.match(textOf((await runTool(read, { path: media }, within(false, media))).content), /a1b2\.txt/);
});
