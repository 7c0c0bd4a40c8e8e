// Text encodings: unchanged text is written back byte for byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeText, encodeText } from './text-encoding.ts';

test('every text survives decoding and encoding', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
      fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
      (text, encoding) => {
        const bytes = encodeText({ text, encoding, bom: true })!;
        assert.deepEqual(decodeText(bytes), { text, encoding, bom: true });
      },
    ),
  );
});

test('binary is not text', () => {
  for (const bytes of [
    [0, 1, 2, 3, 255, 254],
    [0, 1, 2, 3],
    [0x50, 0x4e, 0x47, 0, 1, 2, 255, 0],
    [0x1f, 0x8b, 8, 0, 0, 0],
    [0x81, 1, 2, 3, 4, 5, 6, 7],
  ])
    assert.equal(decodeText(Uint8Array.from(bytes)), undefined);
});

test('what fits no encoding is shown, and not written', () => {
  const shown = decodeText(Buffer.from('x\xd7\xd7y\x9d', 'latin1'))!;
  assert.deepEqual(shown, { text: 'x××y\x9D', encoding: 'windows-1252', bom: false });
  assert.equal(encodeText(shown), undefined);
});
