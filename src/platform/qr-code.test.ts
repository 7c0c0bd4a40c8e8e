/** QR codes as PNG: readable by other software, with every module at its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { encode } from 'uqr';
import { qrLines, qrPicture } from './qr-code.ts';

const TEXT = '2@abc,def,ghi';

test('the picture is a PNG with every module in its place', async () => {
  const url = await qrPicture(TEXT);
  const png = Buffer.from(url.replace('data:image/png;base64,', ''), 'base64');
  const { data, size } = encode(TEXT, { border: 4, ecc: 'M' });
  const width = png.readUInt32BE(16);
  assert.deepEqual([width, png.readUInt32BE(20), png[24], png[25]], [size * 6, size * 6, 1, 0]);
  const from = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(from + 4, from + 4 + png.readUInt32BE(from - 4)));
  const line = 1 + Math.ceil(width / 8);
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) {
      const at = (y * 6 + 3) * line + 1 + ((x * 6 + 3) >> 3);
      assert.equal((rows[at]! >> (7 - ((x * 6 + 3) & 7))) & 1, dark ? 0 : 1, `${x}, ${y}`);
    }
});

test('in a terminal it takes one line for two rows', async () => {
  const lines = (await qrLines(TEXT)).split('\n');
  assert.ok(lines.length > 10 && new Set(lines.map(({ length }) => length)).size === 1);
});
