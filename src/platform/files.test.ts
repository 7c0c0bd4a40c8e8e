import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, symlink, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../core/errors.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openAppend, readSlice, readTail } from './append-file.ts';
import * as files from './files.ts';
import { storageError } from './storage-error.ts';

test('an atomic write is private, makes its directory, and leaves nothing behind', async () => {
  await using dir = await tempDir();
  const path = join(dir.path, 'a', 'b', 'file.json');
  await files.writeFileAtomic(path, 'one');
  await files.writeFileAtomic(path, 'two');
  assert.equal(await files.readTextIfExists(path), 'two');
  assert.equal((await files.statIfExists(path))?.mode, 0o600);
  assert.equal((await files.statIfExists(join(dir.path, 'a')))?.mode, 0o700);
  assert.deepEqual(await readdir(join(dir.path, 'a', 'b')), ['file.json']);
});

test('an atomic write through a symbolic link replaces what it points to', async () => {
  await using dir = await tempDir();
  await files.writeFileAtomic(join(dir.path, 'real'), 'one');
  await symlink(join(dir.path, 'real'), join(dir.path, 'link'));
  await files.writeFileAtomic(join(dir.path, 'link'), 'two');
  assert.equal(await files.readTextIfExists(join(dir.path, 'real')), 'two');
  assert.ok((await lstat(join(dir.path, 'link'))).isSymbolicLink());
});

test('a failed write names the path, keeps the cause and the old content', async () => {
  await using dir = await tempDir();
  const path = join(dir.path, 'taken');
  await mkdir(path);
  await assert.rejects(
    files.writeFileAtomic(path, 'x'),
    (error) =>
      error instanceof AppError &&
      error.code === 'storage' &&
      error.message.includes(path) &&
      error.cause !== undefined,
  );
  assert.deepEqual(await readdir(dir.path), ['taken'], 'no temporary file stays');
});

test('disk trouble says what to do', () => {
  for (const [errno, advice] of [
    ['ENOSPC', /free some space/],
    ['EROFS', /read-only/],
    ['EACCES', /permissions/],
    ['EDQUOT', /quota/],
    ['EIO', /health/],
  ] as const) {
    const error = storageError('write', '/x/y', Object.assign(new Error('raw'), { code: errno }));
    assert.equal(error.code, 'storage');
    assert.match(error.message, /\/x\/y/);
    assert.match(error.message, advice);
    assert.equal(error.details?.['errno'], errno);
  }
});

test('missing files are an answer, not an error', async () => {
  await using dir = await tempDir();
  const path = join(dir.path, 'none');
  assert.equal(await files.readTextIfExists(path), undefined);
  assert.equal(await files.statIfExists(path), undefined);
  assert.equal(await files.quarantine(path), undefined);
  assert.equal(await files.copyIfExists(path, `${path}2`), false);
  assert.equal(await readTail(path, 10), undefined);
  assert.deepEqual(await files.listDir(path), []);
  await files.removeIfExists(path);
});

test('a directory where a file should be is an error', async () => {
  await using dir = await tempDir();
  await assert.rejects(files.readTextIfExists(dir.path), /directory/);
});

test('quarantine keeps the content under a new name', async () => {
  await using dir = await tempDir();
  const path = join(dir.path, 'sessions.json');
  await files.writeFileAtomic(path, 'torn');
  const aside = await files.quarantine(path, Date.UTC(2026, 0, 2));
  assert.match(aside ?? '', /sessions\.json\.corrupt-2026-01-02T/);
  assert.equal(await files.readTextIfExists(aside ?? ''), 'torn');
  assert.equal(await files.readTextIfExists(path), undefined);
});

test('a copy is private even when the original is not', async () => {
  await using dir = await tempDir();
  await files.writeFileAtomic(join(dir.path, 'a'), 'x', { mode: 0o644 });
  await chmod(join(dir.path, 'a'), 0o644);
  assert.equal(await files.copyIfExists(join(dir.path, 'a'), join(dir.path, 'b')), true);
  assert.equal((await files.statIfExists(join(dir.path, 'b')))?.mode, 0o600);
});

test('an append file adds, measures, cuts, and is read from its end', async () => {
  await using dir = await tempDir();
  const path = join(dir.path, 'deep', 'log.jsonl');
  {
    await using log = await openAppend(path);
    await log.append('first\nsecond\n', { sync: true });
    await log.append('torn');
    await log.truncate((await log.size()) - 4);
    await log.append('third é\n');
  }
  await files.appendLine(path, 'fourth');
  assert.deepEqual(await readTail(path, 1000), { text: 'first\nsecond\nthird é\nfourth\n', start: 0, size: 29 });
  assert.equal((await readTail(path, 10))?.text, 'fourth\n', 'a cut line is left out');
  assert.equal((await readTail(path, 16))?.text, 'third é\nfourth\n', 'a line that begins right there is whole');
  assert.equal((await readSlice(path, { from: 13 }))?.text, 'third é\nfourth\n');
  assert.equal((await readSlice(path, { from: 999 }))?.text, '');
});
