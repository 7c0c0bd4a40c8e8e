/** What commands write, as a person would have seen it, however the bytes arrive. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BINARY_REMARK } from './binary-watch.ts';
import { cleaned, createCleaner } from './cleaner.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const clean = (text: string): string => cleaned(bytes(text));
/** Byte by byte: the hardest way to be cut. */
function crumbs(all: Uint8Array): string {
  const cleaner = createCleaner();
  return Array.from(all, (_, at) => cleaner.push(all.subarray(at, at + 1))).join('') + cleaner.end();
}

/** `[what the command wrote, what is to be read]`. */
const CORPUS: readonly (readonly [string, string, string])[] = [
  ['colours', '\x1b[31mred\x1b[0m plain \x1b[1;38;5;208mbold\x1b[m\n', 'red plain bold\n'],
  ['24-bit colours with colons', '\x1b[38:2::255:100:0mx\x1b[39m', 'x'],
  ['a link', 'see \x1b]8;;https://example.com/a\x1b\\here\x1b]8;;\x1b\\ now', 'see here now'],
  ['a title, ended by BEL', '\x1b]0;user@host: ~\x07$ ls', '$ ls'],
  ['a title nobody ends', '\x1b]0;never\nnext line', '\nnext line'],
  ['bracketed paste and a hidden cursor', '\x1b[?2004h\x1b[?25lhi\x1b[?25h\x1b[?2004l', 'hi'],
  ['a question about the cursor', 'a\x1b[6nb\x1b[?6nc', 'abc'],
  ['character sets, keypad, save and restore', '\x1b(B\x1b)0\x1b=\x1b>\x1b7x\x1b8\x1b#8\x1bc', 'x'],
  ['a picture (DCS with line breaks)', 'a\x1bPq#0;2;0;0;0\n#0~~@@\n\x1b\\b', 'ab'],
  ['a kitty picture (APC)', 'a\x1b_Gf=100;AAAA\x1b\\b', 'ab'],
  ['PM and SOS', 'a\x1b^x\x1b\\b\x1bXy\x1b\\c', 'abc'],
  ['tmux passing a sequence on', 'a\x1bPtmux;\x1b\x1b]52;c;QQ==\x07\x1b\\b', 'ab'],
  ['one-character CSI and OSC', 'a\u009b31mb\u009d0;t\u009cc', 'abc'],
  ['a sequence cut off by the end', 'a\x1b[3', 'a'],
  ['a sequence that is none', 'a\x1b[3\u00e9b', 'a\u00e9b'],
  ['a sequence broken by a line break', 'a\x1b[3\nb', 'a\nb'],
  ['ESC before a letter with an accent', '\x1b\u00e9', '\u00e9'],
  ['Windows line ends', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['several returns before a line end', 'kept\r\r\r\nnext', 'kept\nnext'],
  ['a progress bar', ' 10%\r 50%\r100%\n', '100%\n'],
  ['a progress bar that gets shorter and erases', 'downloading 10 of 12\r\x1b[Kdone\n', 'done\n'],
  ['a whole line erased and written anew', 'spinning |\x1b[2K\x1b[1Gready\n', 'ready\n'],
  ['a line wiped with blanks', 'working...\r          \rok\n', 'ok\n'],
  ['writing over the beginning only', 'abcdef\rxy\n', 'xycdef\n'],
  ['a return that ends the output', '99%\r100%\r', '100%'],
  ['moving back and forth in the line', 'abc\x1b[2Dx\x1b[3Cy', 'axc  y'],
  ['writing over an emoji', '👍👍\r👎\n', '👎👍\n'],
  ['writing over half an emoji', '👍\rx\n', 'x\n'],
  ['overstrike of a manual page', 'N\bNA\bAM\bME\bE _\bo_\bk', 'NAME ok'],
  ['backspace at the start of a line', '\b\bx', 'x'],
  ['erasing what was typed', 'abc\b \b\b \b\n', 'a\n'],
  ['a screen painted with addresses', '\x1b[2J\x1b[1;1Htop\x1b[2;1Hload', 'top\nload'],
  ['tabs and bells', 'a\tb\x07', 'a\tb'],
  ['other controls', 'among words a\x01b\x7fc\x0cd\u0085e', 'among words abcde'],
  ['invisible and reordering characters', 'a\u202eb\u200bc\u2066d\ufeffe\u{e0041}f', 'abcdef'],
  ['text beyond ASCII', 'Grüße 你好 🎉\n', 'Grüße 你好 🎉\n'],
  ['nothing', '', ''],
];

describe('cleaning output', () => {
  for (const [name, written, read] of CORPUS)
    it(`T31 ${name}, whole and in crumbs`, () => {
      assert.equal(clean(written), read);
      assert.equal(crumbs(bytes(written)), read);
    });

  it('T30 a character cut between two chunks stays whole', () => {
    const cleaner = createCleaner();
    assert.equal(cleaner.push(Uint8Array.of(0xc3)) + cleaner.push(Uint8Array.of(0xa9, 0x0a)), 'é\n');
    assert.equal(crumbs(bytes('你🎉\n')), '你🎉\n');
  });

  it('invalid bytes become U+FFFD, also at the very end', () => {
    assert.equal(cleaned(Buffer.from([0x61, 0xff, 0x62, 0x0a])), 'a\ufffdb\n');
    assert.equal(cleaned(Buffer.from([0x61, 0xf0, 0x9f])), 'a\ufffd');
    assert.equal(cleaned(Buffer.from([0xed, 0xa0, 0x80])).replaceAll('\ufffd', ''), '');
  });

  it('a sequence torn by a chunk leaves nothing behind', () => {
    const cleaner = createCleaner();
    assert.equal(
      cleaner.push(bytes('a\x1b[3')) +
        cleaner.push(bytes('1mb\x1b]0;ti')) +
        cleaner.push(bytes('tle\x1b')) +
        cleaner.push(bytes('\\c\n')),
      'abc\n',
    );
  });

  it('gives out complete lines, and the line being written when asked for it', () => {
    const cleaner = createCleaner();
    assert.equal(cleaner.push(bytes('one\nName? ')), 'one\n');
    assert.equal(cleaner.line(), 'Name? ');
    assert.equal(cleaner.release(), 'Name? ');
    assert.equal(cleaner.line(), '');
    assert.equal(cleaner.push(bytes('\r\ntwo')), '\n');
    assert.equal(cleaner.end(), 'two');
  });

  it('keeps a sequence that is cut in half over a release', () => {
    const cleaner = createCleaner();
    cleaner.push(bytes('$ \x1b[3'));
    assert.equal(cleaner.release() + cleaner.push(bytes('1mred\n')), '$ red\n');
  });

  it('any way to cut the same bytes reads the same', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '\b',
        '\x1b',
        '\x1b[',
        '\x1b[K',
        '\x1b[2K',
        '\x1b[31m',
        '\x1b]0;t',
        '\x07',
        '\x1b\\',
        '\x1bP',
        '\x1b[5G',
        '\x1b[A',
        '\t',
        '\0',
        '\u009b',
        '\x18',
        'plain text ',
        'a line\n',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    const stream = fc.oneof(
      fc.array(piece, { maxLength: 60 }).map((parts) => bytes(parts.join(''))),
      fc.uint8Array({ maxLength: 300 }),
    );
    fc.assert(
      fc.property(stream, fc.array(fc.nat(40), { maxLength: 30 }), (all, sizes) => {
        const cleaner = createCleaner();
        let text = '';
        let at = 0;
        for (const size of sizes) {
          text += cleaner.push(all.subarray(at, at + size));
          at += size;
        }
        text += cleaner.push(all.subarray(at)) + cleaner.end();
        assert.equal(text, cleaned(all));
        assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Surrogate}]/u);
      }),
      { numRuns: 400 },
    );
  });

  it('plain text comes out as it went in', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~é你]{0,12}$/), { maxLength: 20 }), (lines) => {
        assert.equal(clean(lines.join('\n')), lines.join('\n'));
      }),
    );
  });
});

describe('binary output', () => {
  const noise = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + (at >> 3) * 31) & 0xff));

  it('is replaced by one short remark instead of garbage', () => {
    assert.equal(cleaned(Buffer.alloc(100_000)), `${BINARY_REMARK}\n`);
    const program = Buffer.concat([
      Buffer.from('\x7fELF'),
      Buffer.alloc(2000),
      Buffer.from('name\0other\0\n'),
      Buffer.alloc(5000),
    ]);
    assert.equal(cleaned(program), `${BINARY_REMARK}\n`);
    assert.equal(crumbs(program), `${BINARY_REMARK}\n`);
    assert.ok(cleaned(noise(100_000)).length < 200);
    assert.equal(cleaned(Buffer.from('\ufeffHello in UTF-16\r\n'.repeat(3), 'utf16le')), `${BINARY_REMARK}\n`);
  });

  it('does not hide the text around it', () => {
    const all = Buffer.concat([bytes('before\n'), Buffer.alloc(500), bytes('\nok\n})\nend of it\n')]);
    assert.equal(cleaned(all), `before\n${BINARY_REMARK}\nok\n})\nend of it\n`);
    assert.equal(crumbs(all), cleaned(all));
    assert.equal(
      cleaned(Buffer.concat([bytes('x'.repeat(9000)), Buffer.alloc(20_000)])),
      `${'x'.repeat(9000)}`.slice(0, 8192) + `\n${BINARY_REMARK}\n`,
    );
  });

  it('is not found in text with a few zero bytes or broken characters', () => {
    assert.equal(
      clean('./a.txt\0./b.txt\0./c.txt\0'),
      './a.txt\n./b.txt\n./c.txt\n',
      'records ended by zero bytes become lines',
    );
    assert.equal(cleaned(Buffer.from('Stra\xdfe\nGr\xfc\xdfe\n', 'latin1')), 'Stra\ufffde\nGr\ufffd\ufffde\n');
  });
});

describe('much output', () => {
  const inChunks = (all: Uint8Array, size: number): number => {
    const cleaner = createCleaner();
    let length = 0;
    for (let at = 0; at < all.length; at += size) length += cleaner.push(all.subarray(at, at + size)).length;
    return length + cleaner.end().length;
  };

  it(
    'takes a line of 10 MB, a megabyte of ESC, of returns, of unended strings, of lines: time and memory stay ' +
      'in proportion',
    () => {
      const size = 1024 * 1024;
      assert.equal(inChunks(Buffer.alloc(10 * size, 'x'), 65_536), 10 * size);
      assert.equal(inChunks(Buffer.alloc(size, 0x1b), size), 0);
      assert.equal(inChunks(bytes('\x1b[m'.repeat(size / 4)), size), 0);
      assert.equal(inChunks(bytes('a'.repeat(8000) + '\rb'.repeat(size / 2)), size), 8000);
      assert.equal(inChunks(bytes('\x1b]'.repeat(size / 2)), size), 0);
      assert.equal(inChunks(bytes('\x1bP'.repeat(size / 2)), size), 0);
      assert.equal(inChunks(bytes('\n'.repeat(size)), size), size);
      assert.equal(inChunks(bytes('\x1b[9999C\r'.repeat(size / 8)), size), 0);
      assert.equal(inChunks(bytes('ab\0\n'.repeat(size / 4)), 4096), size);
    },
  );

  it('gives up a string nobody ends, so that what follows is not lost', () => {
    const text = clean(`\x1b]0;${'x'.repeat(3 * 1024 * 1024)} the end`);
    assert.ok(text.endsWith('the end'));
  });
});
