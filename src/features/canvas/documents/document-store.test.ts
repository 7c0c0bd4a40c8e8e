/** Documents on disk: atomic replacement, versions, limits, and recovery after a crash. */
import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog } from '../../../core/log.ts';
import { tempDir } from '../../../testing/temp-dir.ts';
import { createDocumentStore, type NewDocument } from './document-store.ts';
import { assetPath, isDocumentId } from './manifest.ts';

const SCOPE = 'agent:main:main';
const page = (html: string, rest: Partial<NewDocument> = {}): NewDocument => ({
  kind: 'html',
  agentId: 'main',
  retentionScope: SCOPE,
  html,
  files: [],
  ...rest,
});

async function open(limits: Partial<{ maxPerSession: number; maxMegabytes: number; versions: number }> = {}) {
  const dir = await tempDir('canvas');
  const time = { now: Date.parse('2026-11-01T10:00:00Z') };
  const store = createDocumentStore({
    folder: dir.path,
    clock: { now: () => (time.now += 1000) },
    log: silentLog,
    limits: () => ({ maxPerSession: 100, maxMegabytes: 1, versions: 2, ...limits }),
  });
  return { dir, store, text: (id: string, file = 'index.html') => readFile(join(store.folder, id, file), 'utf8') };
}

describe('the store of documents', () => {
  it('keeps a page with its files and says what it is', async () => {
    const { dir, store, text } = await open();
    await using _ = dir;
    const kept = await store.put(
      page('<h1>Hi</h1>', {
        title: 'Status',
        preferredHeight: 320,
        files: [{ path: 'a/b.css', data: Buffer.from('x'), mime: 'text/css' }],
      }),
    );
    assert.match(kept.id, /^cv_[0-9a-f]{32}$/);
    assert.equal(await text(kept.id), '<h1>Hi</h1>');
    assert.equal(await text(kept.id, 'a/b.css'), 'x');
    assert.deepEqual(JSON.parse(await text(kept.id, 'manifest.json')), {
      id: kept.id,
      kind: 'html',
      title: 'Status',
      preferredHeight: 320,
      agentId: 'main',
      retentionScope: SCOPE,
      surface: 'assistant_message',
      createdAt: '2026-11-01T10:00:01.000Z',
      entryUrl: `/__openclaw__/canvas/documents/${kept.id}/index.html`,
      localEntrypoint: 'index.html',
      assets: [{ logicalPath: 'a/b.css', contentType: 'text/css', bytes: 1 }],
      version: 1,
      bytes: 12,
    });
  });

  it('replaces a document, keeps its last versions and restores one', async () => {
    const { dir, store, text } = await open();
    await using _ = dir;
    for (const n of [1, 2, 3, 4]) await store.put(page(`v${n}`, { id: 'cv' }));
    assert.equal(await text('cv'), 'v4');
    assert.deepEqual(await store.versions('cv'), [2, 3]);
    assert.equal((await store.restore('cv', 2))?.version, 5);
    assert.equal(await text('cv'), 'v2');
    assert.deepEqual(await store.versions('cv'), [3, 4]);
    assert.equal(await store.restore('cv', 1), undefined);
    assert.equal((await store.all()).length, 1);
    assert.equal(await store.remove('cv'), true);
    assert.equal(await store.remove('cv'), false);
    assert.deepEqual([await store.get('cv'), await store.versions('cv')], [undefined, []]);
  });

  it('keeps so many for a session, the newest; those of others stay', async () => {
    const { dir, store } = await open({ maxPerSession: 2 });
    await using _ = dir;
    await store.put(page('x', { id: 'other', retentionScope: 'agent:main:other' }));
    for (const id of ['a', 'b', 'c']) await store.put(page('x', { id }));
    assert.deepEqual(
      (await store.all()).map(({ id }) => id),
      ['c', 'b', 'other'],
    );
  });

  it('refuses what is too large, and leaves what was there', async () => {
    const { dir, store, text } = await open();
    await using _ = dir;
    await store.put(page('small', { id: 'cv' }));
    await assert.rejects(store.put(page('x'.repeat(1_000_001), { id: 'cv' })), { code: 'too_large' });
    assert.equal(await text('cv'), 'small');
  });

  it('takes up what a crash left between two versions, and removes half of one', async () => {
    const { dir, store, text } = await open();
    await using _ = dir;
    await store.put(page('whole', { id: 'cv' }));
    await mkdir(join(dir.path, 'staging', 'half'), { recursive: true });
    await writeFile(join(dir.path, 'staging', 'half', 'index.html'), 'half');
    await rename(join(store.folder, 'cv'), join(dir.path, 'staging', 'cv'));
    await store.recover();
    assert.equal(await text('cv'), 'whole');
    assert.deepEqual(await readdir(join(dir.path, 'staging')), []);
    assert.deepEqual(
      (await store.all()).map(({ id }) => id),
      ['cv'],
    );
  });

  it('a damaged manifest is no document, and costs the others nothing', async () => {
    const { dir, store } = await open();
    await using _ = dir;
    await store.put(page('x', { id: 'good' }));
    await mkdir(join(store.folder, 'bad'));
    await writeFile(join(store.folder, 'bad', 'manifest.json'), '{"id": 5');
    assert.deepEqual(
      (await store.all()).map(({ id }) => id),
      ['good'],
    );
  });

  it('two writers of one document end with one of them whole', async () => {
    const { dir, store, text } = await open();
    await using _ = dir;
    await Promise.all(['a', 'b', 'c', 'd'].map((html) => store.put(page(html, { id: 'cv' }))));
    assert.equal((await store.get('cv'))?.version, 4);
    assert.match(await text('cv'), /^[abcd]$/);
  });
});

describe('names', () => {
  it('of documents are those of plain folders', () => {
    for (const id of ['cv_1', 'a.b-c_D']) assert.ok(isDocumentId(id), id);
    for (const id of ['', '.', '..', '...', 'a/b', 'a\\b', 'ä', 'a b', 'x'.repeat(129)])
      assert.ok(!isDocumentId(id), id);
  });

  it('of files lie below the document', () => {
    assert.deepEqual(assetPath('./img/a b.png'), { path: 'img/a b.png' });
    for (const bad of [
      '',
      '/x',
      '../x',
      'a/../b',
      'a//b',
      'C:/x',
      'a\\b',
      'a\0b',
      '.env',
      'a/.x',
      'index.html',
      'manifest.json',
    ])
      assert.ok('problem' in assetPath(bad), bad);
  });
});
