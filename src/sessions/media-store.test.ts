/** Received files: stored once by content, privately. */
import assert from 'node:assert/strict';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { present } from '../core/present.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createMediaStore } from './media-store.ts';

const data = Buffer.from('pretend this is a picture');

it('keeps the bytes under the name of their content, with the name people gave beside it', async () => {
  await using dir = await tempDir('media');
  const file = await createMediaStore(dir.path).keep({ mime: 'image/png', name: '../../etc/passwd', data });
  assert.match(file.path, /\/media\/inbound\/[0-9a-f]{32}\.png$/);
  assert.deepEqual(
    [file.kind, file.mime, file.name, file.size],
    ['image', 'image/png', '../../etc/passwd', data.length],
  );
  assert.deepEqual(await readFile(file.path), data);
  assert.equal((await stat(file.path)).mode & 0o777, 0o600);
});

it('keeps the same bytes once, and mends a file that was cut', async () => {
  await using dir = await tempDir('media');
  const store = createMediaStore(dir.path);
  const [first, second] = await Promise.all([
    store.keep({ mime: 'image/png', data }),
    store.keep({ mime: 'image/png', data }),
  ]);
  assert.equal(first.path, second.path);
  assert.equal((await readdir(join(dir.path, 'media', 'inbound'))).length, 1);
  await writeFile(first.path, 'cut');
  await store.keep({ mime: 'image/png', data });
  assert.deepEqual(await readFile(first.path), data);
});

for (const [mime, kind] of [
  ['audio/ogg', 'audio'],
  ['video/mp4', 'video'],
  ['application/pdf', 'document'],
  ['text/plain', 'document'],
  ['nonsense', 'document'],
] as const)
  it(`takes ${mime} for ${kind}`, async () => {
    await using dir = await tempDir('media');
    assert.equal((await createMediaStore(dir.path).keep({ mime, data })).kind, kind);
  });

it('forgets what nobody sent for long, and a file sent again is young again', async () => {
  await using dir = await tempDir('media');
  const day = 24 * 3_600_000;
  let now = Date.now();
  const store = createMediaStore(dir.path, () => now);
  const kept = await store.keep({ mime: 'image/png', data });
  await store.keep({ mime: 'image/png', data: Buffer.from('another') });
  await utimes(kept.path, new Date(now - 40 * day), new Date(now - 40 * day));
  await store.keep({ mime: 'image/png', data });
  assert.equal(await store.prune(28 * day), 0);
  now += 29 * day;
  assert.equal(await store.prune(28 * day), 2);
  assert.equal(await store.prune(28 * day), 0);
});

it('gives the file an ending programs know, by its type, else by its name', async () => {
  await using dir = await tempDir('media');
  const store = createMediaStore(dir.path);
  const ending = async (mime: string, name?: string): Promise<string> =>
    (await store.keep(present({ mime, data, name: name || undefined }))).path.replace(/^.*[0-9a-f]{32}/, '');
  assert.deepEqual(
    await Promise.all([
      ending('audio/ogg', 'x.bin'),
      ending('text/csv', 'a.CSV'),
      ending('application/x-odd', 'a.b/c'),
      ending('application/x-odd'),
    ]),
    ['.ogg', '.csv', '', ''],
  );
});
