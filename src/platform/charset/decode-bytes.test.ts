import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { encodeText } from '../../testing/documents/encode-text.ts';
import { decodeBytes } from './decode-bytes.ts';

/** What people write, in the languages the character sets are for. */
const TEXTS = {
  french: 'Café résumé à Noël, où les élèves ont mangé des gâteaux.',
  german: 'Grüße aus München: Straße, Öl und Äpfel.',
  word: 'Café',
  price: 'Prix : 10 € – « très bon »',
  spanish: 'El niño comió piña. ¿Qué pasó? ¡Mañana!',
  polish: 'Zażółć gęślą jaźń, proszę państwa. Dziękuję, świetnie.',
  czech: 'Příliš žluťoučký kůň úpěl ďábelské ódy.',
  hungarian: 'Árvíztűrő tükörfúrógép',
  russian: 'Привет, мир! Это письмо о встрече в понедельник.',
  greeting: 'Привет',
  chinese: '你好，世界。请查看附件中的文件，谢谢。',
  taiwan: '您好，請查看附件中的文件，謝謝。我們明天見。',
  japanese: 'こんにちは、世界。添付ファイルをご確認ください。',
  korean: '안녕하세요, 첨부 파일을 확인해 주세요. 감사합니다.',
} as const;
type TextName = keyof typeof TEXTS;

const GUESSED: Readonly<Record<string, readonly TextName[]>> = {
  'windows-1252': ['french', 'german', 'word', 'price', 'spanish'],
  macintosh: ['french', 'german', 'spanish'],
  'windows-1250': ['polish', 'czech', 'hungarian'],
  'iso-8859-2': ['polish', 'czech', 'hungarian'],
  'windows-1251': ['russian', 'greeting'],
  'koi8-r': ['russian', 'greeting'],
  shift_jis: ['japanese'],
  'euc-jp': ['japanese'],
  gb18030: ['chinese'],
  big5: ['taiwan'],
  'euc-kr': ['korean'],
};

test('T108: text in the common code pages is read as what was written, undeclared', (t) => {
  const tried = Object.entries(GUESSED).flatMap(([charset, names]) =>
    names.map((name) => ({ charset, name, got: decodeBytes(encodeText(TEXTS[name], charset))?.text })),
  );
  t.diagnostic(`charset corpus: ${tried.filter(({ name, got }) => got === TEXTS[name]).length}/${tried.length}`);
  assert.deepEqual(
    tried.filter(({ name, got }) => got !== TEXTS[name]),
    [],
  );
});

test('T109: UTF-16 and UTF-32 are read in both byte orders, with a mark and without', () => {
  for (const charset of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])
    for (const text of Object.values(TEXTS)) {
      assert.deepEqual(decodeBytes(encodeText(`${text}\n`, charset)), { text: `${text}\n`, charset });
      assert.deepEqual(decodeBytes(encodeText(`\uFEFF${text}\n`, charset)), { text: `${text}\n`, charset });
    }
});

test('a declared charset is believed where the bytes are not plain UTF-8', () => {
  assert.equal(decodeBytes(encodeText('żółć', 'iso-8859-2'), { declared: 'ISO-8859-2' })?.text, 'żółć');
  assert.equal(
    decodeBytes(encodeText('Ελληνικά', 'windows-1253'), { declared: 'windows-1253' })?.charset,
    'windows-1253',
  );
  assert.equal(decodeBytes(Buffer.from('naïve'), { declared: 'iso-8859-1' })?.text, 'naïve');
  assert.equal(decodeBytes(Buffer.from('naïve'), { declared: 'no-such-set' })?.text, 'naïve');
  assert.equal(decodeBytes(encodeText('ça', 'iso-8859-15'), { declared: 'iso-8859-15' })?.text, 'ça');
});

test('UTF-8 with a broken byte stays UTF-8; letters far behind a plain beginning count', () => {
  const damaged = Buffer.concat([Buffer.from('Привет, мир! '.repeat(5)), Buffer.from([0xff]), Buffer.from(' конец')]);
  assert.equal(decodeBytes(damaged)?.charset, 'utf-8');
  const late = Buffer.concat([Buffer.alloc(100_000, 'plain text\n'), encodeText(TEXTS.french, 'windows-1252')]);
  assert.ok(decodeBytes(late)?.text.endsWith(TEXTS.french));
});

test('binary content is no text', () => {
  const noise = (blocks: number): Buffer =>
    Buffer.concat(
      Array.from({ length: blocks }, (_, index) => createHash('sha256').update(`${blocks}:${index}`).digest()),
    );
  const samples = [
    Buffer.alloc(64),
    Buffer.from('\x01\x02\x03\x00\x00\x00binary', 'latin1'),
    ...Array.from({ length: 100 }, (_, index) => noise(2 + index)),
  ];
  assert.deepEqual(
    samples.flatMap((sample, index) => (decodeBytes(sample) ? index : [])),
    [],
  );
});

test('a lone sign or accent is Western, not a letter of a script without spaces', () => {
  for (const text of ['10°C', '£5', 'Café', '½ l', '5 × 3 m²'])
    assert.deepEqual(decodeBytes(Buffer.from(text, 'latin1')), { text, charset: 'windows-1252' });
  assert.equal(decodeBytes(Buffer.from([0xc4, 0xe3, 0xba, 0xc3]))?.text, '你好');
});
