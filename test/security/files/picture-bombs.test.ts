// Pictures with false or huge dimensions: none is decoded beyond the limit, and each ends.
import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { test } from 'node:test';
import { pictureForModel } from '../../../src/platform/pictures/shrink-for-model.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
function png(
  width: number,
  height: number,
  { pixels = Buffer.alloc(0), extra = [] }: { pixels?: Buffer; extra?: readonly Buffer[] } = {},
): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
/** One strip whose size is a claim. */
function tiff(width: number, height: number): Buffer {
  const entries = [
    [256, 4, width],
    [257, 4, height],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, height],
    [279, 4, 4],
  ];
  const bytes = Buffer.alloc(10 + entries.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  for (const [at, [tag, type, value]] of entries.entries()) {
    bytes.writeUInt16LE(tag!, 10 + at * 12);
    bytes.writeUInt16LE(type!, 12 + at * 12);
    bytes.writeUInt32LE(1, 14 + at * 12);
    bytes.writeUInt32LE(value!, 18 + at * 12);
  }
  return bytes;
}
const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from([255, 255, 255, 255, 0, 0, 0, 0x3b])]);
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(200_000)}</svg>`);

const BOMBS: Readonly<Record<string, Buffer>> = {
  'a PNG of 60 000 by 60 000': png(60_000, 60_000),
  'a PNG of four thousand million pixels a side': png(0xffffffff, 0xffffffff),
  'a PNG of 1 by 0x7fffffff': png(1, 0x7fffffff),
  'a PNG without pixels': png(0, 10),
  'a PNG of many pixels that are not there': png(7000, 7000),
  'a PNG with a text that unpacks to 60 MB, but no pixels': png(3000, 3000, {
    extra: [chunk('zTXt', Buffer.concat([Buffer.from('a\0\0', 'latin1'), deflateSync(Buffer.alloc(60_000_000))]))],
  }),
  'a TIFF of 100 000 by 100 000': tiff(100_000, 100_000),
  'a TIFF that is all claim': tiff(6000, 6000),
  'a GIF of the largest size': gif,
  'a drawing 200 000 levels deep': svg,
  'a JPEG of filler': Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5_000_000, 0xff)]),
  'a JPEG of segments of no length': Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    Buffer.alloc(4_000_000, Buffer.from([0xff, 0xe0, 0, 0])),
  ]),
};

test('no picture bomb is shown, and none takes the memory it asks for', async (t) => {
  for (const [name, bytes] of Object.entries(BOMBS)) {
    const before = process.memoryUsage.rss();
    const shown = await pictureForModel(bytes);
    assert.equal(shown.ok, false, name);
    assert.ok(process.memoryUsage.rss() - before < 400 * 1024 * 1024, `${name} took too much memory`);
  }
  t.diagnostic(`files, picture bombs: ${Object.keys(BOMBS).length}/${Object.keys(BOMBS).length} refused`);
});

test('a large picture that is one becomes a smaller one', async () => {
  const [width, height] = [4000, 3000];
  const shown = await pictureForModel(png(width, height, { pixels: Buffer.alloc((width + 1) * height) }));
  assert.equal(shown.ok, true, JSON.stringify(shown));
});
