/** Which of the files an answer names are sent. */
import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLog, type Log } from '../../core/log.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createReplyMedia } from './reply-media.ts';

async function harness() {
  const dir = await tempDir('reply-media');
  const root = await realpath(dir.path);
  for (const folder of ['work', 'media', 'other', 'home']) await mkdir(join(root, folder));
  for (const file of ['work/a.png', 'media/b.ogg', 'other/secret.txt', 'home/c.pdf', 'work/config.json'])
    await writeFile(
      join(root, file),
      { png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), ogg: Buffer.from(`OggS${'\0'.repeat(60)}`) }[
        file.slice(-3)
      ] ?? 'x',
    );
  await symlink(join(root, 'other', 'secret.txt'), join(root, 'work', 'link.png'));
  const refused: string[] = [];
  const log: Log = { ...silentLog, warn: (_event, fields) => void refused.push(String(fields?.['reason'])) };
  const media = createReplyMedia({ log, home: join(root, 'home'), denied: () => [join(root, 'work', 'config.json')] });
  return { root, refused, media, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

it('files of the workspace and of the media folder, by every way of writing them, each once', async () => {
  await using s = await harness();
  const { files: found } = await s.media(
    ['a.png', './a.png', join(s.root, 'work', 'a.png'), `file://${s.root}/work/a.png`, join(s.root, 'media', 'b.ogg')],
    { workspace: join(s.root, 'work'), received: [join(s.root, 'media')] },
  );
  assert.deepEqual(found, [
    { from: 'file', path: join(s.root, 'work', 'a.png'), mime: 'image/png' },
    { from: 'file', path: join(s.root, 'media', 'b.ogg'), mime: 'audio/ogg' },
  ]);
});

it('not what lies elsewhere, be it behind a link, what is secret, what is no file, and what is not there', async () => {
  await using s = await harness();
  const { files: found, refused } = await s.media(
    [
      '../other/secret.txt',
      'link.png',
      join(s.root, 'other', 'secret.txt'),
      '~/c.pdf',
      'config.json',
      '.',
      'missing.png',
      'file://%zz',
      'bad\0.png',
    ],
    { workspace: join(s.root, 'work'), received: [] },
  );
  assert.deepEqual([found, s.refused.length], [[], 9]);
  assert.deepEqual(
    refused.filter(({ why }) => why === 'the file does not exist').map(({ name }) => name),
    ['.', 'missing.png'],
  );
  assert.equal(JSON.stringify(refused).includes(s.root), false, 'no path reaches a chat');
});

it('in a sandbox only what is in it, under the name it has there', async () => {
  await using s = await harness();
  const place = { workspace: join(s.root, 'work'), received: [], shownAs: '/workspace', sandbox: {} };
  assert.deepEqual(
    (await s.media(['/workspace/a.png', '/workspace/../other/secret.txt', '~/a.png'], place)).files.map(
      (ref) => ref.from === 'file' && ref.path,
    ),
    [join(s.root, 'work', 'a.png')],
  );
});

it('G165 addresses that are public and encrypted', async () => {
  await using s = await harness();
  const bad = [
    'http://example.com/a.png',
    'https://localhost/a',
    'https://10.0.0.1/a',
    'https://[::1]/a',
    'https://169.254.169.254/a',
    'https://printer/a',
    'https://nas.local/a',
    'https://me:pw@example.com/a',
    'https://0x7f.1/a',
    'https://',
  ];
  assert.deepEqual(
    (await s.media([...bad, 'https://example.com/a.png?x=1'], { workspace: s.root, received: [] })).files,
    [{ from: 'url', url: 'https://example.com/a.png?x=1' }],
  );
  assert.equal(s.refused.length, bad.length);
});
