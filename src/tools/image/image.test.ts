// The image tool: what it takes for a picture, where it gets it, and who is asked.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../core/errors.ts';
import type { PictureAnswer, PictureRequest, ToolContext } from '../../core/tool.ts';
import { textOf } from '../../core/transcript.ts';
import { folderFingerprint } from '../../testing/folder-fingerprint.ts';
import { refusesHostilePaths } from '../../testing/hostile-paths.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import image from './index.ts';

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const sees: PictureAnswer = { ok: true, text: ' A red dot. ', model: 'fake/eye', attempts: [{ model: 'fake/eye' }] };

/** An image model that answers this, and what it was asked. */
function eye(answer: PictureAnswer = sees) {
  const asked: PictureRequest[] = [];
  const describePicture = async (request: PictureRequest): Promise<PictureAnswer> => {
    asked.push(request);
    return answer;
  };
  return { asked, describePicture };
}

const context: Partial<ToolContext> = { describePicture: eye().describePicture };

toolContract({
  tool: image,
  setup: (workspace) =>
    Promise.all([
      writeFile(join(workspace, 'a.png'), PNG),
      writeFile(join(workspace, 'fake.png'), 'just text'),
      mkdir(join(workspace, 'folder')),
    ]).then(() => undefined),
  good: { image: 'a.png' },
  bad: [
    { input: {}, says: /image: is required/ },
    { input: { image: 'a.png', maxBytesMb: 'many' }, says: /maxBytesMb/ },
  ],
  failing: [
    { input: { image: '  ' }, says: /^image required$/ },
    { input: { image: '@' }, says: /^image required$/ },
    { input: { image: 'none.png' }, says: /does not exist/ },
    { input: { image: 'folder' }, says: /is not a file/ },
    { input: { image: 'fake.png' }, says: /^Unsupported media type: text\/plain/ },
    { input: { image: '../a.png' }, says: /outside the workspace/ },
    { input: { image: 'file://elsewhere/a.png' }, says: /is not a valid file URL/ },
    { input: { image: 'file:///a%2Fb.png' }, says: /is not a valid file URL/ },
    { input: { image: 'data:text/plain;base64,aGk=' }, says: /must contain a base64 image/ },
    { input: { image: 'data:image/png,plain' }, says: /must contain a base64 image/ },
    { input: { image: 'data:image/png;base64,' }, says: /is empty/ },
    { input: { image: 'data:image/png;base64,§§' }, says: /not valid base64/ },
    { input: { image: 'data:image/png;base64,aGVsbG8gd29ybGQ=' }, says: /^Unsupported media type: text\/plain/ },
    { input: { image: 'https://example.com/a.png' }, says: /Network access is not available here/ },
    { input: { image: 'a.png', maxBytesMb: 0.00001 }, says: /the limit is 10 bytes/ },
  ],
  context,
  fingerprint: folderFingerprint,
});

test('says what it can: look, or read the text that is written there', () => {
  const where = (describesPictures: boolean | 'text') => ({
    describesPictures,
    route: toolContext('/w').route,
    model: 'm',
    config: {},
  });
  assert.deepEqual(
    [true, 'text' as const, false].map((each) => image.available!(where(each))),
    [true, true, false],
  );
  assert.match(image.for!(where(true)).description, /looked at by the image model/);
  assert.match(image.for!(where('text')).description, /OCR.*no image model.*agents\.defaults\.imageModel/);
});

refusesHostilePaths({
  tool: image,
  inputs: (path) => [
    { image: path },
    { path },
    { image_url: path },
    { image: `@${path}` },
    ...(path.startsWith('/') && !path.includes('\0') ? [{ image: `file://${path}` }] : []),
  ],
  extra: context,
});

async function inWorkspace(
  files: Readonly<Record<string, Uint8Array>>,
  run: (workspace: string) => Promise<void>,
): Promise<void> {
  await using dir = await tempDir('image');
  for (const [name, data] of Object.entries(files)) await writeFile(join(dir.path, name), data);
  await run(dir.path);
}

test('asks the image model and answers what it says', () =>
  inWorkspace({ 'a.png': PNG }, async (workspace) => {
    const { asked, describePicture } = eye();
    const ctx = toolContext(workspace, { describePicture });
    const result = await runTool(image, { image: 'a.png' }, ctx);
    assert.deepEqual(
      [textOf(result.content), result.details],
      ['A red dot.', { model: 'fake/eye', image: 'a.png', attempts: [{ model: 'fake/eye' }] }],
    );
    await runTool(image, { image: 'a.png', prompt: 'What colour?', model: 'other/eye' }, ctx);
    assert.deepEqual(
      asked.map(({ mime, prompt, model }) => [mime, prompt, model]),
      [
        ['image/png', 'Describe the image.', undefined],
        ['image/png', 'What colour?', 'other/eye'],
      ],
    );
    assert.deepEqual(Buffer.from(asked[0]!.data), PNG);
  }));

test('every spelling of a file leads to it; a leading @ is dropped (T154)', () =>
  inWorkspace({ 'a b.png': PNG }, async (workspace) => {
    const path = join(workspace, 'a b.png');
    for (const written of [
      'a b.png',
      '@a b.png',
      path,
      `@${path}`,
      pathToFileURL(path).href,
      `  ${path}  `,
      '~/a b.png',
    ]) {
      const result = await runTool(image, { image: written }, toolContext(workspace, { ...context, home: workspace }));
      assert.equal(textOf(result.content), 'A red dot.', written);
    }
  }));

test('a data: URL is decoded and judged by its bytes (T149)', async () => {
  const { asked, describePicture } = eye();
  const url = `data:image/jpeg;charset=x;base64,${PNG.toString('base64')}`;
  const result = await runTool(image, { image: url }, toolContext('/w', { describePicture }));
  assert.deepEqual([asked[0]!.mime, Buffer.from(asked[0]!.data)], ['image/png', PNG]);
  assert.doesNotMatch(
    JSON.stringify(result.details),
    new RegExp(PNG.toString('base64').slice(-20)),
    'the picture is not in the details',
  );
});

test('base64 is measured before it is decoded', async () => {
  const result = await runTool(
    image,
    { image: `data:image/png;base64,${'A'.repeat(2 * 1024 * 1024)}`, maxBytesMb: 1 },
    toolContext('/w', context),
  );
  assert.match(textOf(result.content), /^The picture has 1\.5 MiB; the limit is 1 MiB/);
});

test('an unknown scheme is told without an error; a drive of Windows is none (T153)', async () => {
  for (const written of ['image:0', 'attachment://1', 'blob:x', 'ftp://host/a.png']) {
    const result = await runTool(image, { image: written }, toolContext('/w', context));
    assert.equal(result.isError, undefined);
    assert.match(textOf(result.content), /^Unsupported image reference: /);
    assert.deepEqual(result.details, { error: 'unsupported_image_reference', image: written });
  }
  const drive = await runTool(image, { image: 'C:\\photos\\a.png' }, toolContext('/w', context));
  assert.match(textOf(drive.content), /does not exist/);
});

test('addresses go through the guard, with the limits of the call (T155)', async () => {
  const limits: unknown[] = [];
  const answers: Record<string, () => Promise<{ data: Uint8Array; mime: string; url: string }>> = {
    'https://a.example/a.png': async () => ({ data: PNG, mime: 'text/html', url: '' }),
    'https://a.example/404': () => Promise.reject(new AppError('bad_response', 'The server answered 404.')),
    'https://a.example/big': () => Promise.reject(new AppError('too_large', 'More than 10 MiB came.')),
    'https://a.example/page': async () => ({ data: Buffer.from('<!doctype html><p>hi'), mime: 'image/png', url: '' }),
    'http://169.254.169.254/': () => Promise.reject(new AppError('denied', 'Private addresses are not fetched.')),
  };
  const fetchFile: NonNullable<ToolContext['fetchFile']> = async (url, { maxBytes, timeoutMs }) => {
    limits.push([maxBytes, timeoutMs]);
    return answers[url]!();
  };
  const describe = async (url: string) =>
    runTool(image, { image: url, maxBytesMb: 3 }, toolContext('/w', { ...context, fetchFile }));
  assert.equal(textOf((await describe('https://a.example/a.png')).content), 'A red dot.');
  for (const [url, says] of [
    ['404', /404/],
    ['big', /More than/],
    ['page', /^Unsupported media type: text\/html/],
  ] as const) {
    const result = await describe(`https://a.example/${url}`);
    assert.equal(result.isError, true);
    assert.match(textOf(result.content), says);
  }
  assert.match(textOf((await describe('http://169.254.169.254/')).content), /Private addresses/);
  assert.deepEqual(limits[0], [3 * 1024 * 1024, 30_000]);
});

test('a sandbox has no network and finds received files by their name (T150, T151)', async () => {
  await using dir = await tempDir('image');
  const [workspace, mediaFolder] = [join(dir.path, 'box'), join(dir.path, 'media')];
  for (const folder of [workspace, mediaFolder]) await mkdir(folder);
  await writeFile(join(mediaFolder, 'got.png'), PNG);
  await writeFile(join(dir.path, 'secret.png'), PNG);
  await symlink(join(dir.path, 'secret.png'), join(mediaFolder, 'link.png'));
  const fetchFile = async (): Promise<never> => assert.fail('nothing is fetched');
  const describe = (written: string) =>
    runTool(
      image,
      { image: written },
      toolContext(workspace, { ...context, sandboxed: true, confined: false, home: dir.path, mediaFolder, fetchFile }),
    );
  assert.match(
    textOf((await describe('https://a.example/a.png')).content),
    /not fetched from the network in a sandbox/,
  );
  for (const written of [
    join(dir.path, 'secret.png'),
    '/somewhere/link.png',
    '/somewhere/none.png',
    '/somewhere/..',
    '~/secret.png',
    '../secret.png',
    '/',
  ])
    assert.equal((await describe(written)).isError, true, written);
  const received = await describe('/home/ada/.clawdbot/media/got.png');
  assert.deepEqual(received.details, {
    model: 'fake/eye',
    image: '/home/ada/.clawdbot/media/got.png',
    rewrittenFrom: '/home/ada/.clawdbot/media/got.png',
    attempts: [{ model: 'fake/eye' }],
  });
  await mkdir(join(workspace, 'media/inbound'), { recursive: true });
  await writeFile(join(workspace, 'media/inbound/mine.png'), PNG);
  assert.equal((await describe('/elsewhere/mine.png')).isError, undefined);
});

test('what the image model cannot do is an error that names it and the attempts (T152)', () =>
  inWorkspace({ 'a.png': PNG }, async (workspace) => {
    const describe = async (answer: PictureAnswer) => {
      const { isError, content, details } = await runTool(
        image,
        { image: 'a.png' },
        toolContext(workspace, { describePicture: eye(answer).describePicture }),
      );
      return [isError, textOf(content), (details as { attempts: unknown }).attempts];
    };
    const attempts = [{ model: 'fake/eye' }];
    assert.deepEqual(await describe({ ok: true, text: ' \n', model: 'fake/eye', attempts }), [
      true,
      'Image model returned no text (fake/eye).',
      attempts,
    ]);
    const failed = [{ model: 'fake/eye', error: 'over the quota' }];
    assert.deepEqual(await describe({ ok: false, error: 'fake/eye: over the quota', attempts: failed }), [
      true,
      'Image model failed (fake/eye): over the quota',
      failed,
    ]);
    const both = [...failed, { model: 'b', error: 'is down' }];
    assert.deepEqual(await describe({ ok: false, error: 'fake/eye: over the quota; b: is down', attempts: both }), [
      true,
      'Image model failed: fake/eye: over the quota; b: is down',
      both,
    ]);
  }));

test('formats models do not take are converted or refused by name', async (t) => {
  const sharp = await import('sharp').then(
    (module) => module.default,
    () => undefined,
  );
  if (!sharp) return t.skip('sharp is not installed here');
  const tiff = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .tiff()
    .toBuffer();
  const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'), Buffer.alloc(100)]);
  await inWorkspace({ tiff, heic, svg: Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>') }, async (workspace) => {
    const { asked, describePicture } = eye();
    const describe = async (path: string) =>
      textOf((await runTool(image, { image: path }, toolContext(workspace, { describePicture }))).content);
    assert.equal(await describe('tiff'), 'A red dot.');
    assert.equal(asked[0]!.mime, 'image/jpeg');
    assert.match(await describe('heic'), /^Unsupported media type: image\/heic; it could not be converted/);
    assert.match(await describe('svg'), /^Unsupported media type: image\/svg\+xml\. A drawing is text/);
  });
});

test('is there only when somebody can look at pictures (T148)', () => {
  const available = (describesPictures: boolean) =>
    image.available!({ route: toolContext('/w').route, model: 'm', describesPictures, config: {} });
  assert.deepEqual([available(true), available(false)], [true, false]);
});
