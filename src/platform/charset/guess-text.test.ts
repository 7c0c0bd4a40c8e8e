// Text without a declared charset: decoded correctly or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { encodeText } from '../../testing/documents/encode-text.ts';
import { CHARSETS_OF, SENTENCES } from '../../testing/documents/sentences.ts';
import { decodeBytes } from './decode-bytes.ts';
import { guessing } from './guess-text.ts';

const SEVERAL_BYTES = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'];

function written(text: string, charset: string): Uint8Array {
  if (charset === 'iso-2022-jp')
    return Buffer.concat([
      Buffer.from('\x1b$B', 'latin1'),
      encodeText(text, 'euc-jp').map((byte) => byte & 0x7f),
      Buffer.from('\x1b(B', 'latin1'),
    ]);
  return SEVERAL_BYTES.includes(charset) ? encodeText(text, charset) : iconv.encode(text, charset);
}

type Ending = 'right' | 'unknown' | 'wrong';
const LENGTHS = ['a few words', 'a sentence', 'a paragraph'] as const;

const read = (text: string, charset: string): Ending => {
  const got = decodeBytes(written(text, charset), { old: guessing });
  return got === undefined ? 'unknown' : got.text === text ? 'right' : 'wrong';
};

const CASES = Object.entries(CHARSETS_OF).flatMap(([language, charsets]) =>
  charsets.map((charset) => ({ language, charset })),
);

test('text in 45 charsets of 29 languages is read right, or named as unknown', (t) => {
  const ends = LENGTHS.map((length, index) => ({
    length,
    ends: CASES.map((one) => ({ ...one, ending: read(SENTENCES[one.language]![index]!, one.charset) })),
  }));
  for (const { length, ends: all } of ends) {
    const count = (ending: Ending): number => all.filter((one) => one.ending === ending).length;
    t.diagnostic(
      `${length}: ${count('right')} right, ${count('unknown')} unknown, ${count('wrong')} wrong of ${all.length}`,
    );
  }
  assert.deepEqual(
    ends.flatMap(({ ends: all }) => all.filter(({ ending }) => ending === 'wrong')),
    [],
  );
  const right = ends.map(({ ends: all }) => all.filter(({ ending }) => ending === 'right').length / all.length);
  assert.ok(right[0]! >= 0.85 && right[1]! >= 0.95 && right[2] === 1, right.join(' '));
});

test('single words, which a dozen languages may have, are nearly always left unknown', (t) => {
  const ends = CASES.flatMap(({ language, charset }) =>
    SENTENCES[language]![1]!.split(/[\s,]+/)
      .filter((word) => /[^\x00-\x7f]/.test(word))
      .slice(0, 2)
      .map((word) => read(word, charset)),
  );
  const wrong = ends.filter((ending) => ending === 'wrong').length;
  t.diagnostic(
    `words: ${ends.filter((ending) => ending === 'right').length} right, ` +
      `${ends.filter((ending) => ending === 'unknown').length} unknown, ${wrong} wrong of ${ends.length}`,
  );
  assert.ok(wrong <= 1);
});

test('plain text with one accent, name or sign stays Western', () => {
  const lines = [
    'The naïve approach does not always work.',
    'Please send the report to José before Friday.',
    'INFO user=rené logged in from 10.0.0.1',
    'name;city\nJürgen;Bonn\nPaul;Berlin\n',
    'It is 25 °C today.',
    '5 × 3 m²',
    '½ l',
    '£5',
  ];
  for (const line of lines) assert.equal(decodeBytes(Buffer.from(line, 'latin1'), { old: guessing })?.text, line);
  assert.equal(
    decodeBytes(iconv.encode('“Yes” – it’s 100 €…', 'windows-1252'), { old: guessing })?.text,
    '“Yes” – it’s 100 €…',
  );
});

test('a DOS page that is declared is read as declared', () => {
  for (const [declared, charset] of [
    ['cp850', 'cp850'],
    ['IBM437', 'cp437'],
    ['ibm-852', 'cp852'],
  ] as const)
    assert.equal(decodeBytes(iconv.encode('é', charset), { declared, old: guessing })?.text, 'é');
});
