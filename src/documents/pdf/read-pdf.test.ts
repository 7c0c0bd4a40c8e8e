// PDFs from many programs and countries: fonts without Unicode maps, filled forms, many pages.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { buildPdf } from '../../testing/documents/build-pdf.ts';
import { encodeText } from '../../testing/documents/encode-text.ts';
import { createDocumentReader, type DocumentOutcome } from '../document-reader.ts';

const reader = createDocumentReader({ log: silentLog });
after(() => reader.close());

const read = (bytes: Uint8Array, maxPages = 20): Promise<DocumentOutcome> =>
  reader.read(
    { bytes, name: 'a.pdf', maxChars: 5000, timeoutMs: 120_000, pdf: { maxPages, maxPixels: 1e6, minTextChars: 0 } },
    new AbortController().signal,
  );
const textOf = (outcome: DocumentOutcome): string => (outcome.ok ? outcome.text : `refused: ${outcome.message}`);

/** The objects of a document of one page, in their order from 1 on. */
function pdf(objects: readonly string[]): Buffer {
  return Buffer.from(
    `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`,
    'latin1',
  );
}

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** A font the reader is expected to have, under one of Adobe's character collections, with no map to Unicode. */
const farEastern = (bytes: Uint8Array, { encoding, ordering }: { encoding: string; ordering: string }): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream(`BT /F1 12 Tf 20 150 Td <${Buffer.from(bytes).toString('hex')}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Some-Font /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Some-Font /CIDSystemInfo << /Registry (Adobe) ' +
      `/Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Some-Font /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent ' +
      '800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);

const FAR_EASTERN = [
  ['日本語の請求書', 'shift_jis', '90ms-RKSJ-H', 'Japan1'],
  ['日本語の請求書', 'euc-jp', 'EUC-H', 'Japan1'],
  ['日本語の請求書', 'utf-16be', 'UniJIS-UCS2-H', 'Japan1'],
  ['中文发票', 'gb18030', 'GBK-EUC-H', 'GB1'],
  ['中文发票', 'utf-16be', 'UniGB-UTF16-H', 'GB1'],
  ['中文發票', 'big5', 'ETen-B5-H', 'CNS1'],
  ['中文發票', 'utf-16be', 'UniCNS-UCS2-H', 'CNS1'],
  ['한국어 계산서', 'euc-kr', 'KSCms-UHC-H', 'Korea1'],
] as const;

test('Chinese, Japanese and Korean text in fonts that are not embedded', async (t) => {
  const got = await Promise.all(
    FAR_EASTERN.map(
      async ([text, charset, encoding, ordering]) =>
        textOf(await read(farEastern(encodeText(text, charset), { encoding, ordering }))) === text,
    ),
  );
  t.diagnostic(`fonts without maps: ${got.filter(Boolean).length}/${got.length}`);
  assert.deepEqual(
    FAR_EASTERN.filter((_, index) => !got[index]).map(([, , encoding]) => encoding),
    [],
  );
});

test('a font that asks for a file elsewhere gets none', async () => {
  const outcome = await read(
    farEastern(encodeText('中文', 'gb18030'), { encoding: '..#2F..#2F..#2Fpackage.json', ordering: 'GB1' }),
  );
  assert.ok(!textOf(outcome).includes('clawdbot'));
});

/** Fields as office programs write them: the value stands beside the page, what is drawn is another object. */
const form = (fields: readonly string[]): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields ' +
      `[${fields.map((_, index) => `${5 + index} 0 R`).join(' ')}] /NeedAppearances true >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 << ' +
      '/Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> /Annots ' +
      `[${fields.map((_, index) => `${5 + index} 0 R`).join(' ')}] >>`,
    stream('BT /F1 12 Tf 20 150 Td (Registration) Tj ET'),
    ...fields.map((field) => `<< /Type /Annot /Subtype /Widget /Rect [20 100 200 120] /P 3 0 R ${field} >>`),
  ]);

test('filled form fields are listed with their names', async () => {
  const bytes = form([
    '/FT /Tx /T (name) /TU (Your name) /V (Ada Lovelace)',
    '/FT /Tx /T (city) /V (London)',
    '/FT /Tx /T (empty)',
    '/FT /Btn /T (member) /V /Yes /AS /Yes',
    '/FT /Btn /T (news) /V /Off /AS /Off',
    '/FT /Ch /T (country) /Opt [(UK) (FR)] /V (UK)',
    '/FT /Tx /Ff 8192 /T (pin) /V (1234)',
  ]);
  assert.equal(
    textOf(await read(bytes)),
    'Registration\n\n[Fields filled in]\n- Your name: Ada Lovelace\n- city: London\n- member: Yes\n- country: UK',
  );
});

test('the result says how much of a long document was read', async () => {
  const outcome = await read(buildPdf({ pages: Array.from({ length: 30 }, (_, index) => [`page ${index + 1}`]) }), 20);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.truncated, outcome.pages, outcome.pagesRead], [true, 30, 20]);
});

test('signs a font gives no meaning are no text of the page', async () => {
  const toUnicode = stream(
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 ' +
      'beginbfrange <20> <7E> <E020> endbfrange endcmap end',
  );
  const bytes = pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream('BT /F1 12 Tf 20 150 Td (Secret words in a font of its own) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    toUnicode,
  ]);
  assert.equal(textOf(await read(bytes)), '');
});
