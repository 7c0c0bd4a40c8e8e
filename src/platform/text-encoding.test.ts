// Text encodings: what was read is written back byte for byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeText, encodeText } from './text-encoding.ts';

test('every text survives decoding and encoding', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')), fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), (text, encoding) => {
    const bytes = encodeText({ text, encoding: encoding as 'utf-8', bom: true });
    assert.deepEqual(decodeText(bytes), { text, encoding, bom: true });
  }));
});

test('binary is not text', () => {
  for (const bytes of [[0, 1, 2, 3, 255, 254], [0x1f, 0x8b, 8, 0, 0, 0], [0x81, 1, 2, 3, 4, 5, 6, 7]]) assert.equal(decodeText(Uint8Array.from(bytes)), undefined);
});
