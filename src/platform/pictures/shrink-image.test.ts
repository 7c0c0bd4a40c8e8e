import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { shrinkImage } from './shrink-image.ts';

const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined,
);
const skip = sharp ? false : 'sharp is not installed here';

const drawn = (width: number, height: number, background = '#336699') =>
  sharp!({ create: { width, height, channels: 3, background } });
const never = async (): Promise<never> => assert.fail('nobody needs the library for this');

test('a small picture goes as it is, without the library', { skip }, async () => {
  const data = await drawn(20, 10).png().toBuffer();
  assert.deepEqual(await shrinkImage({ data, mime: 'image/png' }, { load: never }), { data, mime: 'image/png' });
});

test('a picture over 2000 pixels becomes a smaller JPEG, and says so', { skip }, async () => {
  const { data, mime, change } = await shrinkImage({
    data: await drawn(4000, 1000).png().toBuffer(),
    mime: 'image/png',
  });
  const { width, height, format } = await sharp!(data).metadata();
  assert.deepEqual([mime, format, width, height], ['image/jpeg', 'jpeg', 2000, 500]);
  assert.match(change!, /^sent as JPEG, 2000 × 500 pixels, /);
});

test('a picture over 5 MiB becomes one below', { skip }, async () => {
  const noise = await sharp!(randomBytes(1400 * 1400 * 3), { raw: { width: 1400, height: 1400, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  assert.ok(noise.length > 5 * 1024 * 1024);
  const { data, mime } = await shrinkImage({ data: noise, mime: 'image/png' });
  assert.equal(mime, 'image/jpeg');
  assert.ok(data.length < 5 * 1024 * 1024);
});

test('a format the receiver does not take is converted, one it takes is not', { skip }, async () => {
  const tiff = { data: await drawn(30, 30).tiff().toBuffer(), mime: 'image/tiff' };
  assert.equal((await shrinkImage(tiff)).mime, 'image/jpeg');
  assert.equal((await shrinkImage(tiff, { accepts: ['image/png', 'image/jpeg'] })).mime, 'image/jpeg');
  assert.equal((await shrinkImage(tiff, { accepts: ['image/tiff'], load: never })).mime, 'image/tiff');
});

test('a picture of a billion pixels is refused at once, whatever its format', { skip }, async () => {
  await assert.rejects(shrinkImage({ data: hugePng(40_000, 30_000), mime: 'image/png' }, { load: never }), {
    code: 'unsupported',
    message: 'it has 40000 × 30000 pixels; more than 50 million are not decoded',
  });
  const plain = await sharp!(Buffer.alloc(7100 * 7100), { raw: { width: 7100, height: 7100, channels: 1 } })
    .tiff({ compression: 'lzw' })
    .toBuffer();
  await assert.rejects(shrinkImage({ data: plain, mime: 'image/tiff' }), { code: 'unsupported' });
});

test('without the library, or with bytes it cannot read, the picture goes as it is and the reason is told', {
  skip,
}, async () => {
  const data = Buffer.alloc(200_000, 7);
  const absent = await shrinkImage({ data, mime: 'image/heic' }, { load: async () => undefined });
  assert.deepEqual(
    [absent.data === data, absent.mime, absent.change],
    [true, 'image/heic', 'sent unchanged: sharp, which would convert it, is not installed'],
  );
  const broken = await shrinkImage({ data, mime: 'image/heic' });
  assert.equal(broken.mime, 'image/heic');
  assert.match(broken.change!, /^sent unchanged: it could not be converted \(/);
});

test('what moves is never flattened', { skip }, async () => {
  const frames = await Promise.all([drawn(2100, 8), drawn(2100, 8, 'red')].map((frame) => frame.png().toBuffer()));
  const webp = await sharp!(frames, { join: { animated: true } })
    .webp({ loop: 0 })
    .toBuffer();
  const kept = await shrinkImage({ data: webp, mime: 'image/webp' });
  assert.deepEqual([kept.data === webp, kept.change], [true, 'sent unchanged: it is animated']);
  const gif = { data: Buffer.alloc(6 * 1024 * 1024), mime: 'image/gif' };
  assert.equal((await shrinkImage(gif, { load: never })).data, gif.data);
});

/** The first bytes of a PNG that claims a size, with nothing behind. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(17);
  header.write('IHDR', 0, 'latin1');
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  header.set([8, 2, 0, 0, 0], 12);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(13, 0);
  frame.writeUInt32BE(crc32(header), 4);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), frame.subarray(0, 4), header, frame.subarray(4)]);
}

test('a drawing that passes for a picture is not drawn, for drawing it may never end', { skip }, async () => {
  const blur = '<feGaussianBlur stdDeviation="500"/>'.repeat(100);
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><filter id="f">${blur}</filter><rect ` +
    `width="5000" height="5000" filter="url(#f)"/><!--${'p'.repeat(120_000)}--></svg>`;
  await assert.rejects(shrinkImage({ data: Buffer.from(drawing), mime: 'image/png' }), {
    code: 'unsupported',
    message: /^it is svg, /,
  });
});
