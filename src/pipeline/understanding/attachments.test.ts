import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { Attachment } from '../../core/message.ts';
import type { FetchedFile, GuardedFetch } from '../../platform/net/fetch/guarded-fetch.ts';
import { createGuardedFetch } from '../../platform/net/fetch/guarded-fetch.ts';
import { createNetGuard } from '../../platform/net/guard/guard.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { openAttachments, type AttachmentDeps } from './attachments.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function harness(over: Partial<AttachmentDeps> = {}) {
  const dir = await tempDir('attachments');
  const [inbox, store] = [join(dir.path, 'inbox'), join(dir.path, 'store')];
  await mkdir(inbox);
  await mkdir(store);
  const fetched: string[] = [];
  const deps: AttachmentDeps = {
    roots: [inbox],
    timeoutMs: 1000,
    signal: new AbortController().signal,
    log: silentLog,
    maxBytes: () => 1000,
    fetch: web(fetched, { body: PNG }),
    async keep(bytes, { mime, name }) {
      const path = join(store, `kept-${(await readdir(store)).length}`);
      await writeFile(path, bytes);
      return { kind: 'image', mime, name, path };
    },
    ...over,
  };
  return { dir, inbox, store, fetched, open: (...attachments: Attachment[]) => openAttachments(attachments, deps) };
}

const web = (log: string[], answer: Partial<FetchedFile> | AppError): GuardedFetch => ({
  async fetch(url, { maxBytes }) {
    log.push(`${String(url)} ${maxBytes}`);
    if (answer instanceof AppError) throw answer;
    return {
      url: String(url),
      status: 200,
      headers: {},
      mime: 'application/octet-stream',
      reached: [],
      body: Buffer.alloc(0),
      ...answer,
    };
  },
});

const image = (over: Partial<Attachment>): Attachment => ({ kind: 'image', mime: 'image/png', ...over });

test('a file inside the folders is what its bytes say, and lies where it lay', async () => {
  const { dir, inbox, open } = await harness();
  await using _dir = dir;
  const path = join(inbox, 'really.txt');
  await writeFile(path, PNG);
  const opened = await open({ kind: 'document', mime: 'text/plain', path });
  const [file] = opened.files;
  assert.deepEqual(
    [file!.kind, file!.mime, file!.name, file!.size, file!.trouble],
    ['image', 'image/png', 'really.txt', PNG.length, undefined],
  );
  assert.equal(await file!.path(), path);
  assert.deepEqual(await file!.bytes(1000), PNG);
  await assert.rejects(file!.bytes(10), { code: 'too_large' });
  assert.deepEqual(opened.resolved(), [
    { kind: 'image', mime: 'image/png', name: 'really.txt', size: PNG.length, path },
  ]);
  await opened[Symbol.asyncDispose]();
  await assert.rejects(file!.bytes(1000), { code: 'aborted' });
  assert.deepEqual(await readdir(inbox), ['really.txt'], 'nothing of the sender is removed');
});

test('T127: outside the folders is blocked, by whatever way it leads there, and the URL is used', async () => {
  const { dir, inbox, fetched, open } = await harness();
  await using _dir = dir;
  const secret = join(dir.path, 'secret.png');
  await writeFile(secret, PNG);
  await symlink(secret, join(inbox, 'link.png'));
  await symlink(dir.path, join(inbox, 'folder'));
  const spellings = [
    secret,
    join(inbox, '..', 'secret.png'),
    join(inbox, 'link.png'),
    join(inbox, 'folder', 'secret.png'),
    `file://${secret}`,
    '//host/share/x.png',
    '\\\\host\\share\\x.png',
  ];
  const opened = await open(...spellings.map((path) => image({ path })));
  for (const file of opened.files) {
    assert.equal(file.trouble, 'it is outside the folders that attachments may be read from', spellings[file.index]);
    await assert.rejects(file.path(), { code: 'denied' });
    await assert.rejects(file.bytes(1000), { code: 'denied' });
  }
  assert.deepEqual(
    opened.resolved().map(({ path }) => path),
    spellings.map(() => undefined),
    'nobody later opens what was refused',
  );
  const [withUrl] = (await open(image({ path: secret, url: 'https://a.example/x.png' }))).files;
  assert.equal(withUrl!.trouble, undefined);
  assert.match(await withUrl!.path(), /kept-0$/);
  assert.deepEqual(fetched, ['https://a.example/x.png 1000']);
});

test('T101: a download happens once, is kept, and is shared by all callers', async () => {
  const { dir, store, fetched, open } = await harness();
  await using _dir = dir;
  const opened = await open({
    kind: 'document',
    mime: 'application/octet-stream',
    url: 'https://a.example/dir/pic%20one?token=1',
  });
  const [file] = opened.files;
  assert.equal(file!.name, 'pic one.png');
  for (let i = 0; i < 3; i++) assert.deepEqual(await file!.bytes(1000), PNG);
  assert.equal(await file!.path(), join(store, 'kept-0'));
  assert.equal(fetched.length, 1);
  assert.deepEqual(
    [file!.kind, opened.resolved()[0]!.path, opened.resolved()[0]!.kind],
    ['image', join(store, 'kept-0'), 'image'],
  );
});

test('T128: an address that is not public is blocked', async () => {
  const fetch = createGuardedFetch({
    guard: createNetGuard({
      rules: () => ({ allowHosts: [], allowRanges: [] }),
      resolve: async () => [{ address: '10.0.0.8', family: 4 }],
    }),
    userAgent: 'test',
  });
  const { dir, store, open } = await harness({ fetch });
  await using _dir = dir;
  const opened = await open(
    image({ url: 'http://169.254.169.254/latest/meta-data' }),
    image({ url: 'https://inside.example/x.png' }),
  );
  for (const file of opened.files) {
    assert.equal(file.trouble, 'its address may not be fetched');
    await assert.rejects(file.bytes(1000), { code: 'denied' });
  }
  assert.deepEqual(await readdir(store), []);
});

test('T99: whatever is too large is not kept, and says how large it may be', async () => {
  const log: string[] = [];
  const { dir, inbox, store, open } = await harness({
    fetch: web(log, new AppError('too_large', 'more than 2048 bytes')),
    maxBytes: (kind) => (kind === 'video' ? 2048 : 60),
  });
  await using _dir = dir;
  await writeFile(join(inbox, 'big.png'), PNG);
  const { files } = await open(image({ path: join(inbox, 'big.png'), url: 'https://a.example/never' }), {
    kind: 'document',
    mime: 'video/mp4',
    url: 'https://a.example/film.mp4',
  });
  assert.deepEqual(
    files.map(({ trouble }) => trouble),
    ['it is larger than 60 bytes', 'it is larger than 2 KiB'],
  );
  assert.deepEqual(log, ['https://a.example/film.mp4 2048'], 'the name says film, and films may be that large');
  assert.deepEqual(await readdir(store), []);
});

test('a download that turns out to be of a smaller kind is held to its limit', async () => {
  const { dir, store, open } = await harness({ maxBytes: (kind) => (kind === 'image' ? 10 : 1000) });
  await using _dir = dir;
  const {
    files: [file],
  } = await open({ kind: 'video', mime: 'video/mp4', url: 'https://a.example/x' });
  assert.deepEqual([file!.trouble, file!.kind], ['it is larger than 10 bytes', 'image']);
  assert.deepEqual(await readdir(store), []);
});

test('what is gone, no file, or comes without one, says so; the others are there', async () => {
  const { dir, inbox, open } = await harness({ fetch: web([], new AppError('bad_response', 'HTTP 404')) });
  await using _dir = dir;
  await mkdir(join(inbox, 'folder'));
  await writeFile(join(inbox, 'locked.png'), PNG);
  await chmod(join(inbox, 'locked.png'), 0o000);
  await writeFile(join(inbox, 'good.png'), PNG);
  const { files } = await open(
    image({ path: join(inbox, 'gone.png') }),
    image({ path: join(inbox, 'folder') }),
    image({}),
    image({ url: 'ftp://a.example/x' }),
    image({ url: 'file://other-host/x' }),
    image({ url: 'https://a.example/404' }),
    image({ path: '\0' }),
    image({ url: `file://${join(inbox, 'good.png')}` }),
  );
  assert.deepEqual(
    files.map(({ trouble }) => trouble),
    [
      'the file no longer exists',
      'it cannot be read as a file',
      'the message had no file',
      'the message had no file',
      'the message had no file',
      'it could not be downloaded',
      'it cannot be read as a file',
      undefined,
    ],
  );
  assert.deepEqual(
    files.map(({ index }) => index),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

test('a stopped turn stops the downloads', async () => {
  const { dir, open } = await harness({ fetch: web([], new AppError('aborted', 'stopped')) });
  await using _dir = dir;
  await assert.rejects(open(image({ url: 'https://a.example/x' })), { code: 'aborted' });
});

test('T106: a voice note full of zero bytes is a recording, whatever it was called', async () => {
  const { dir, inbox, open } = await harness();
  await using _dir = dir;
  const path = join(inbox, 'data.bin');
  await writeFile(
    path,
    Buffer.concat([
      Buffer.from('OggS\0\u0002', 'latin1'),
      Buffer.alloc(20),
      Buffer.from('\u0001\u0013OpusHead\u0001\u0001', 'latin1'),
      Buffer.alloc(500),
    ]),
  );
  const {
    files: [file],
  } = await open({ kind: 'document', mime: 'application/octet-stream', path });
  assert.deepEqual([file!.kind, file!.mime], ['audio', 'audio/ogg']);
});

test('an empty picture is nothing, an empty document or recording is one', async () => {
  const { dir, inbox, open } = await harness();
  await using _dir = dir;
  const empty = async (name: string) => {
    await writeFile(join(inbox, name), '');
    return join(inbox, name);
  };
  const { files } = await open(
    image({ path: await empty('a.png') }),
    { kind: 'document', mime: 'text/plain', path: await empty('a.txt') },
    { kind: 'audio', mime: 'audio/ogg', path: await empty('a.ogg') },
  );
  assert.deepEqual(
    files.map(({ kind, trouble }) => [kind, trouble]),
    [
      ['image', 'it is empty'],
      ['document', undefined],
      ['audio', undefined],
    ],
  );
});
