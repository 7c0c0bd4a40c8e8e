import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeOutput } from './decode-output.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const jis = bytes([0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42]);

test('UTF-8, with and without a mark, and both UTF-16', () => {
  assert.equal(decodeOutput(Buffer.from('grün 漢 😀')), 'grün 漢 😀');
  assert.equal(decodeOutput(Buffer.from('\ufeffgrün')), 'grün');
  assert.equal(decodeOutput(Buffer.from('\ufeffgrün', 'utf16le')), 'grün');
  assert.equal(decodeOutput(Buffer.from('\ufeffgrün', 'utf16le').swap16()), 'grün');
  assert.equal(decodeOutput(new Uint8Array()), '');
});

test('a declared charset: meta, header-like line, XML', () => {
  assert.equal(
    decodeOutput(bytes('<meta charset="windows-1251">', [0xcf, 0xf0, 0xe8])),
    '<meta charset="windows-1251">При',
  );
  assert.equal(
    decodeOutput(bytes('Content-Type: text/plain; charset=Shift_JIS\n\n', [0x93, 0xfa, 0x96, 0x7b])),
    'Content-Type: text/plain; charset=Shift_JIS\n\n日本',
  );
  assert.equal(
    decodeOutput(bytes('<?xml version="1.0" encoding=\'iso-8859-7\'?>', [0xe1])),
    '<?xml version="1.0" encoding=\'iso-8859-7\'?>α',
  );
  assert.equal(decodeOutput(bytes('charset=iso-2022-jp\n', [...jis])), 'charset=iso-2022-jp\n日本');
});

test('valid UTF-8 is believed over a declaration, an unknown charset is guessed', () => {
  assert.equal(decodeOutput(Buffer.from('<meta charset=iso-8859-1>grün')), '<meta charset=iso-8859-1>grün');
  assert.equal(decodeOutput(bytes('charset=klingon\n', [0x67, 0xfc])), 'charset=klingon\ngü');
  assert.equal(decodeOutput(bytes('gr', [0xfc], 'n')), 'grün');
});

test('what is not text is none', () => {
  for (const binary of [
    bytes([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2]),
    bytes([0, 1, 2, 3]),
    bytes('charset=utf-8', [0, 1, 2, 0xff]),
  ])
    assert.equal(decodeOutput(binary), undefined);
});
