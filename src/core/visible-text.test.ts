// Invisible and misleading characters become visible.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { visibleLine, visibleText } from './visible-text.ts';

describe('visible text', () => {
  it('writes out what a reader would not see', () => {
    for (const code of [
      0x00, 0x07, 0x08, 0x09, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0xa0, 0xad, 0x034f, 0x061c, 0x115f, 0x180e, 0x200b, 0x200d,
      0x200e, 0x2028, 0x202e, 0x2060, 0x2066, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xd800, 0xe0041, 0x10ffff,
    ]) {
      const shown = `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
      assert.equal(visibleText(`a${String.fromCodePoint(code)}b`), `a${shown}b`);
    }
  });

  it('leaves the rest alone, whole', () => {
    const text = `rm -rf "Grüße 日本 🦞" \\x1b ${'x'.repeat(100_000)}\nsecond line`;
    assert.equal(visibleText(text), text);
    assert.equal(visibleLine('a\nb'), 'a⟨U+000A⟩b');
  });
});
