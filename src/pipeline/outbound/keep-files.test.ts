/** Files people get in the product's own chat: whole, under a type their bytes tell, or a reason why not. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { MediaRef } from '../../core/reply.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createMediaStore } from '../../sessions/media-store.ts';
import { createKeepFiles } from './keep-files.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02', 'hex');
const url = (name: string): MediaRef => ({ from: 'url', url: `https://files.example/${name}` });

async function harness() {
  const dir = await tempDir('keep-files');
  const media = createMediaStore(dir.path);
  const asked: number[] = [];
  const keep = createKeepFiles({
    media,
    log: silentLog,
    async open(ref, maxBytes) {
      asked.push(maxBytes);
      const name = ref.from === 'url' ? ref.url.split('/').at(-1)! : ref.path;
      if (name === 'huge') throw new AppError('too_large', 'The file has 99 bytes; 50 are allowed.');
      if (name === 'gone') throw new AppError('bad_response', 'https://files.example/gone?token=x answered 404.');
      return { data: PNG, mime: 'text/html', name };
    },
  });
  return { dir, media, keep, asked, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

it('keeps what an address gives in the folder of the session, typed by its bytes, named by the last part alone', async () => {
  await using it = await harness();
  const { kept, refused } = await it.keep.possible(
    [url('page.html'), { from: 'file', path: '../../x\u202e.png', mime: '' }],
    's',
  );
  assert.deepEqual(refused, []);
  assert.deepEqual(
    kept.map(({ name, mime, size }) => ({ name, mime, size })),
    [
      { name: 'page.html', mime: 'image/png', size: PNG.length },
      { name: 'x⟨U+202E⟩.png', mime: 'image/png', size: PNG.length },
    ],
  );
  assert.match(kept[0]!.id, /^[0-9a-f]{32}\.png$/);
  assert.deepEqual(await readFile(join(it.media.folderOf('s'), kept[0]!.id)), PNG);
  assert.deepEqual(await it.media.part({ sessionKey: 's', id: kept[0]!.id }, { offset: 1, bytes: 3 }), {
    data: Buffer.from('PNG'),
    size: PNG.length,
  });
  await assert.rejects(it.media.part({ sessionKey: 'another', id: kept[0]!.id }, { offset: 0, bytes: 1 }), {
    code: 'not_found',
  });
  assert.deepEqual(new Set(it.asked), new Set([50 * 1024 * 1024]));
});

it('says why a file cannot be had, without what its address holds; a tool hears the error itself', async () => {
  await using it = await harness();
  const { kept, refused } = await it.keep.possible([url('huge'), url('gone'), url('fine')], 's');
  assert.equal(kept.length, 1);
  assert.deepEqual(refused, [
    { name: 'huge', why: 'it is larger than 50 MB' },
    { name: 'gone', why: 'its address did not return a file' },
  ]);
  await assert.rejects(it.keep.all([url('fine'), url('huge')], [], 's'), { code: 'too_large' });
});
