// Pictures added to a conversation: no picture that a vendor refuses is added.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { present } from '../../core/present.ts';
import type { ImageBlock } from '../../core/transcript.ts';
import { shrinkForModel } from './shrink-for-model.ts';

const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined,
);
const skip = sharp ? false : 'sharp is not installed here';

const drawn = (width: number, height: number) =>
  sharp!({ create: { width, height, channels: 3, background: '#336699' } });
const block = (data: Uint8Array, mimeType = 'image/png'): ImageBlock => ({
  type: 'image',
  data: Buffer.from(data).toString('base64'),
  mimeType,
});
const never = async (): Promise<never> => assert.fail('nobody needs the library for this');
const shown = (given: ImageBlock, load?: () => Promise<undefined>) =>
  shrinkForModel(given, present({ label: 'shot', load }));
const noteOf = async (given: ImageBlock, load?: () => Promise<undefined>): Promise<string> => {
  const result = await shown(given, load);
  return result.type === 'text' ? result.text : assert.fail('it was shown');
};

test('a small picture stays as it is; its type is told by its bytes', { skip }, async () => {
  const given = block(await drawn(20, 10).jpeg().toBuffer(), 'image/png');
  assert.deepEqual(await shown(given, never), { ...given, mimeType: 'image/jpeg' });
});

test('a picture of 3000 pixels becomes a JPEG of 2000 (T227)', { skip }, async () => {
  const result = await shown(block(await drawn(3000, 1500).png().toBuffer()));
  assert.ok(result.type === 'image');
  const { width, height, format } = await sharp!(Buffer.from(result.data, 'base64')).metadata();
  assert.deepEqual([result.mimeType, format, width, height], ['image/jpeg', 'jpeg', 2000, 1000]);
});

test('what is light as a file and heavy as base64 is made lighter', { skip }, async () => {
  const heavy = await sharp!(randomBytes(1250 * 1250 * 3), { raw: { width: 1250, height: 1250, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  assert.ok(heavy.length < 5 * 1024 * 1024 && heavy.length > 4 * 1024 * 1024);
  const result = await shown(block(heavy));
  assert.ok(result.type === 'image' && result.data.length <= 5 * 1024 * 1024);
});

test('quality goes down, then the sides, until it fits', { skip }, async () => {
  const noise = await sharp!(randomBytes(2000 * 2000 * 3), { raw: { width: 2000, height: 2000, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const result = await shown(block(noise));
  assert.ok(result.type === 'image' && result.data.length <= 5 * 1024 * 1024);
  assert.equal((await sharp!(Buffer.from(result.data, 'base64')).metadata()).width, 2000);
});

test('a picture in a format models do not take is converted', { skip }, async () => {
  const result = await shown(block(await drawn(30, 30).tiff().toBuffer(), 'image/tiff'));
  assert.ok(result.type === 'image' && result.mimeType === 'image/jpeg');
});

test('what cannot be shown is a text that says why', { skip }, async () => {
  assert.equal(await noteOf(block(Buffer.alloc(0))), '[shot] omitted image payload: it is empty');
  assert.match(await noteOf(block(Buffer.from('%PDF-1.7'))), /it is application\/pdf$/);
  assert.match(await noteOf(block(Buffer.from('<svg xmlns="x"/>'), 'image/svg+xml')), /it is image\/svg\+xml$/);
  assert.match(await noteOf(block(Buffer.from('no picture at all'))), /it is text\/plain$/);
  assert.match(
    await noteOf({ type: 'image', data: 'A'.repeat(30 * 1024 * 1024), mimeType: 'image/png' }),
    /it has about 22\.5 MiB/,
  );
  assert.match(
    await noteOf(block(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20)]))),
    /it has no pixels$/,
  );
  assert.match(
    await noteOf(block(Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), Buffer.alloc(200_000)]))),
    /it could not be converted \(/,
  );
  assert.match(
    await noteOf(block(await drawn(2100, 10).png().toBuffer()), async () => undefined),
    /sharp, which would convert it, is not installed/,
  );
  const frames = await Promise.all([drawn(2100, 8), drawn(2100, 8).negate()].map((frame) => frame.png().toBuffer()));
  assert.match(
    await noteOf(
      block(
        await sharp!(frames, { join: { animated: true } })
          .gif()
          .toBuffer(),
      ),
    ),
    /it is animated/,
  );
});
