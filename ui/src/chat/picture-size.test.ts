/** The pixel size of pictures from their first bytes; other data causes no error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooLarge, pictureSize } from './picture-size.ts';

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((char) => char.charCodeAt(0)) : part)),
  );
const SIZE: readonly [string, Uint8Array, readonly [number, number]][] = [
  [
    'PNG',
    bytes('\u0089PNG\r\n\u001a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]),
    [30_000, 30_000],
  ],
  ['GIF', bytes('GIF89a', [0x40, 0x01, 0xf0, 0x00]), [320, 240]],
  [
    'lossy WebP',
    bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0]),
    [320, 240],
  ],
  [
    'lossless WebP',
    bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x3b, 0, 0, 0, 0, 0, 0]),
    [320, 240],
  ],
  [
    'extended WebP',
    bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]),
    [320, 240],
  ],
  [
    'JPEG behind other segments',
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 17, 8, 0, 240, 1, 64, 3, 0]),
    [320, 240],
  ],
];

for (const [name, picture, [width, height]] of SIZE)
  test(`${name} says its size, and cut anywhere it breaks nothing`, () => {
    assert.deepEqual(pictureSize(picture), { width, height });
    for (let length = 0; length < picture.length; length++) pictureSize(picture.slice(0, length));
  });

test('what is no picture has no size, and a JPEG whose segments go nowhere ends', () => {
  assert.equal(pictureSize(bytes('<svg>')), undefined);
  assert.equal(pictureSize(bytes([0xff, 0xd8, ...Array.from({ length: 5000 }, () => 0xff)])), undefined);
  assert.equal(pictureSize(bytes([0xff, 0xd8], ...Array.from({ length: 900 }, () => [0xff, 0xe0, 0, 0]))), undefined);
});

test('what unpacks to more than fifty million pixels is too large', () => {
  assert.equal(isTooLarge({ width: 30_000, height: 30_000 }), true);
  assert.equal(isTooLarge({ width: 8000, height: 6000 }), false);
});
