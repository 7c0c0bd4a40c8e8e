import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import { buildPdf } from '../testing/documents/build-pdf.ts';
import { buildDocx, buildOdt, buildPptx, buildXlsx, buildZip, wordParagraph } from '../testing/documents/build-zip.ts';
import { encodeText } from '../testing/documents/encode-text.ts';
import { createDocumentReader } from './document-reader.ts';
import {
  latin,
  OFFICE,
  DOCX,
  ogg,
  png,
  mp3,
  box,
  wav,
  mail,
  tar,
  cfb,
  hello,
  table,
  NOTEBOOK,
} from '../testing/documents/corpus-bytes.ts';

interface Case {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** What the sender claims. */
  readonly claim?: string;
  readonly mime: string;
  /** All of the text, or what it has to match; a refusal by its reason. */
  readonly gives: string | RegExp | { readonly refused: string };
}

const media = { refused: 'media' };

const unsupported = { refused: 'unsupported' };

const CASES: readonly Case[] = [
  { name: 'plain.txt', bytes: 'hello\n', mime: 'text/plain', gives: 'hello\n' },
  { name: 'empty.txt', bytes: '', mime: 'text/plain', gives: '' },
  { name: 'no-name', bytes: 'Just a few words.', mime: 'text/plain', gives: 'Just a few words.' },
  { name: 'notes.md', bytes: '# Title\n\n- a\n', mime: 'text/markdown', gives: '# Title\n\n- a\n' },
  {
    name: 'a.ts',
    bytes: "import { a, b } from './c.ts';\nimport { d, e } from './f.ts';\n",
    mime: 'text/plain',
    gives: /import/,
  },
  { name: 'comma.txt', bytes: 'Dear Ada, thank you for coming.\n', mime: 'text/plain', gives: /Ada/ },
  {
    name: 'prose.txt',
    bytes:
      'First, we went to the station and waited for a train that was late.\nThen, we went home, as everybody ' +
      'does at the end of such a day.\n',
    mime: 'text/plain',
    gives: /station/,
  },
  { name: 'x.py', bytes: 'print(1, 2)\nprint(3, 4)\n', mime: 'text/x-python', gives: /print/ },
  { name: 'b.bin', bytes: 'BM is how this text begins.', mime: 'text/plain', gives: /begins/ },
  { name: 'mz.txt', bytes: 'MZ, the initials, and more words.', mime: 'text/plain', gives: /initials/ },
  { name: 'table.csv', bytes: table, mime: 'text/csv', gives: table },
  { name: 'table', bytes: table, mime: 'text/csv', gives: table },
  { name: 'semicolon.txt', bytes: 'id;name\n1;"a;b"\n', mime: 'text/plain', gives: /id;name/ },
  { name: 'semicolon', bytes: 'id;name\n1;"a;b"\n', mime: 'text/csv', gives: /id;name/ },
  { name: 'tabs', bytes: 'a\tb\n1\t2\n', mime: 'text/tab-separated-values', gives: /a\tb/ },
  { name: 'pipes.dat', bytes: 'a|b|c\n1|2|3\n', mime: 'text/csv', gives: /a\|b/ },
  {
    name: 'T71 voice.mp3',
    bytes: encodeText('\uFEFFid,na\tme\n1,b\n2,c\n', 'utf-16le'),
    claim: 'audio/mpeg',
    mime: 'text/csv',
    gives: 'id,na\tme\n1,b\n2,c\n',
  },
  {
    name: 'T72 voice.mp3',
    bytes: 'a\tb\n1\t2\n',
    claim: 'audio/mpeg',
    mime: 'text/tab-separated-values',
    gives: 'a\tb\n1\t2\n',
  },
  {
    name: 'octets',
    bytes: 'clean text, said to be binary',
    claim: 'application/octet-stream',
    mime: 'text/plain',
    gives: /clean text/,
  },
  {
    name: 'claim.dat',
    bytes: 'a: 1\n',
    claim: 'application/yaml; charset=utf-8',
    mime: 'application/yaml',
    gives: 'a: 1\n',
  },
  { name: 'good.json', bytes: '{"a":[1,2]}', mime: 'application/json', gives: '{"a":[1,2]}' },
  { name: 'bad.json', bytes: '{"a":[1,', mime: 'application/json', gives: '{"a":[1,' },
  { name: 'nameless-json', bytes: '{"a":1}', mime: 'application/json', gives: '{"a":1}' },
  {
    name: 'work.ipynb',
    bytes: JSON.stringify(NOTEBOOK),
    mime: 'application/x-ipynb+json',
    gives:
      '# Rain\n\nin *mm*\n\n```python\nplot(rain)\n```\n\nOutput:\n```\n<Figure>\n```\n(image/png, not ' +
      'shown)\n\nOutput:\n```\ntotal 42\n```\n\nOutput:\n```\nValueError: no rain\n```',
  },
  {
    name: 'pasted.ipynb',
    bytes: JSON.stringify({
      cells: [
        { cell_type: 'markdown', source: 'see ![map](data:image/png;base64,iVBORw0KGgo+/=) there' },
        { cell_type: 'code', source: '', outputs: [{ data: { 'text/html': '<b>7</b>' } }] },
      ],
    }),
    mime: 'application/x-ipynb+json',
    gives: 'see ![map]((image/png, not shown)) there\n\n(text/html, not shown)',
  },
  { name: 'broken.ipynb', bytes: '{"cells": [', mime: 'application/x-ipynb+json', gives: '{"cells": [' },
  {
    name: 'cal.txt',
    bytes: 'BEGIN:VCALENDAR\r\nSUMMARY:Lunch\r\nEND:VCALENDAR\r\n',
    mime: 'text/calendar',
    gives: /Lunch/,
  },
  { name: 'card', bytes: 'BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n', mime: 'text/vcard', gives: /Ada/ },
  {
    name: 'page.txt',
    bytes:
      '<!doctype html><html><head><title>T</title></head><body><h1>Head</h1><p>Some <b>words</b>.</p></body></html>',
    mime: 'text/html',
    gives: /Some \*\*words\*\*\./,
  },
  {
    name: 'latin.html',
    bytes: latin('<html><head><meta charset="iso-8859-1"></head><body><p>caf\xe9 cr\xe8me</p></body></html>'),
    mime: 'text/html',
    gives: /café crème/,
  },
  { name: 'data.xml', bytes: '<?xml version="1.0"?><a><b>1</b></a>', mime: 'application/xml', gives: /<b>1<\/b>/ },
  {
    name: 'drawing.xml',
    bytes: '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><text>Hi</text></svg>',
    mime: 'image/svg+xml',
    gives: /Hi/,
  },
  {
    name: 'feed',
    bytes:
      '<?xml version="1.0"?><rss ' +
      'version="2.0"><channel><title>News</title><item><title>One</title><link>https://example.com/1</link></item></channel></rss>',
    mime: 'application/rss+xml',
    gives: /One/,
  },
  {
    name: 'cyrillic.txt',
    bytes: encodeText('Привет, это письмо.', 'windows-1251'),
    mime: 'text/plain',
    gives: 'Привет, это письмо.',
  },
  {
    name: 'greek.txt',
    bytes: iconv.encode('Η συνάντηση μεταφέρεται για τη Δευτέρα.', 'windows-1253'),
    mime: 'text/plain',
    gives: 'Η συνάντηση μεταφέρεται για τη Δευτέρα.',
  },
  {
    name: 'hebrew.txt',
    bytes: iconv.encode('הפגישה נדחתה ליום שני.', 'windows-1255'),
    mime: 'text/plain',
    gives: 'הפגישה נדחתה ליום שני.',
  },
  {
    name: 'dos.csv',
    bytes: iconv.encode('Name;Straße\nMüller;Hauptstraße\nJürgens;Königsallee\n', 'cp850'),
    mime: 'text/csv',
    gives: 'Name;Straße\nMüller;Hauptstraße\nJürgens;Königsallee\n',
  },
  { name: 'old-mail.txt', bytes: latin('\x1b$B$3$s$K$A$O\x1b(B Ada'), mime: 'text/plain', gives: 'こんにちは Ada' },
  { name: 'who-knows.txt', bytes: latin('ok \xe6!'), mime: 'text/plain', gives: 'ok \uFFFD!' },
  { name: 'only-foreign.txt', bytes: latin('\xc7'), mime: 'text/plain', gives: unsupported },
  {
    name: 'big-endian.txt',
    bytes: encodeText('Grüße, без метки', 'utf-16be'),
    mime: 'text/plain',
    gives: 'Grüße, без метки',
  },
  { name: '文件.txt', bytes: '你好，世界', mime: 'text/plain', gives: '你好，世界' },
  {
    name: 'mail.eml',
    bytes: `${mail}text/plain; charset=utf-8\r\n\r\nHello Bob`,
    mime: 'message/rfc822',
    gives: /From: Ada <ada@example\.com>\nTo: bob@example\.com\nSubject: Café\nDate: .*\n\nHello Bob$/,
  },
  {
    name: 'html-mail',
    bytes: `${mail}text/html\r\n\r\n<p>Hello <b>Bob</b></p>`,
    mime: 'message/rfc822',
    gives: /Hello \*\*Bob\*\*/,
  },
  {
    name: 'offer.eml',
    bytes:
      `${mail}text/html\r\n\r\n<p>Somebody logged in.</p><div class="footer"><p><a ` +
      'href="https://a.example/x">Unsubscribe</a></p></div><p>Sign in</p>',
    mime: 'message/rfc822',
    gives: /logged in\.\n\n\[Unsubscribe\]\(https:\/\/a\.example\/x\)\n\nSign in$/,
  },
  {
    name: 'attached.eml',
    bytes:
      `${mail}multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSee ` +
      `below\r\n--x\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment; ` +
      `filename="a.pdf"\r\n\r\nabc\r\n--x--\r\n`,
    mime: 'message/rfc822',
    gives: /See below\n*\n\nAttached, not read:\n- a\.pdf \(application\/pdf, \d bytes\)/,
  },
  { name: 'doc.pdf', bytes: hello, mime: 'application/pdf', gives: 'Hello from page one\nsecond line\n\nPage two' },
  { name: 'T107 doc.txt', bytes: hello, claim: 'text/plain', mime: 'application/pdf', gives: /Hello from page one/ },
  { name: 'no-text.pdf', bytes: buildPdf({ pages: [[]] }), mime: 'application/pdf', gives: '' },
  {
    name: 'locked.pdf',
    bytes: buildPdf({ pages: [['secret']], locked: true }),
    mime: 'application/pdf',
    gives: { refused: 'encrypted' },
  },
  { name: 'broken.pdf', bytes: '%PDF-1.7\nnothing else', mime: 'application/pdf', gives: { refused: 'corrupt' } },
  {
    name: 'letter.docx',
    bytes: buildDocx(wordParagraph('Dear Ada') + wordParagraph('thank you')),
    mime: DOCX,
    gives: 'Dear Ada\n\nthank you',
  },
  {
    name: 'T100 letter.zip',
    bytes: buildDocx(wordParagraph('in a zip')),
    claim: 'application/zip',
    mime: DOCX,
    gives: 'in a zip',
  },
  {
    name: 'T100 sheet.zip',
    bytes: buildXlsx(),
    mime: `${OFFICE}spreadsheetml.sheet`,
    gives: '## Q1 & Q2\n\nItem,,"Price, net"\nTea,,4.5',
  },
  {
    name: 'T100 slides',
    bytes: buildPptx(),
    mime: `${OFFICE}presentationml.presentation`,
    gives: '## Slide 1\n\nFirst slide\n\n## Slide 2\n\nSecond slide',
  },
  {
    name: 'text.odt',
    bytes: buildOdt(),
    mime: 'application/vnd.oasis.opendocument.text',
    gives: '## Notes\n\nOne\ttwo & three',
  },
  { name: 'broken.docx', bytes: latin('PK\x03\x04garbage'), mime: DOCX, gives: { refused: 'corrupt' } },
  { name: 'locked.docx', bytes: cfb('EncryptedPackage'), mime: DOCX, gives: { refused: 'encrypted' } },
  { name: 'old.doc', bytes: cfb('WordDocument plain words inside'), mime: 'application/msword', gives: unsupported },
  { name: 'old.txt', bytes: cfb('WordDocument'), claim: 'text/plain', mime: 'application/x-cfb', gives: unsupported },
  {
    name: 'note.rtf',
    bytes: latin("{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\\f0 Caf\\'e9 \\u8364?5\\par next}"),
    mime: 'application/rtf',
    gives: 'Café €5\nnext',
  },
  {
    name: 'greek.rtf',
    bytes: latin(
      '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}{\\f1\\fnil\\fcharset161 ' +
        "Arial Greek;}}\\f1 \\'ca\\'e1\\'eb\\'e7\\f0  caf\\'e9{\\f1 \\'e1}\\'e9}",
    ),
    mime: 'application/rtf',
    gives: 'Καλη caféαé',
  },
  { name: 'dos.rtf', bytes: latin("{\\rtf1\\ansi\\ansicpg850 caf\\'82}"), mime: 'application/rtf', gives: 'café' },
  {
    name: 'a.zip',
    bytes: buildZip([
      { name: 'docs/a.txt', content: 'hello' },
      { name: 'b.bin', content: 'x'.repeat(2048) },
    ]),
    mime: 'application/zip',
    gives:
      /^ZIP archive, 2 entries, 2 KiB unpacked.*\n\n- docs\/a\.txt · 5 bytes · 2026-01-02\n- b\.bin · 2 KiB · 2026-01-02$/,
  },
  {
    name: 'locked.zip',
    bytes: buildZip([{ name: 'a.txt', content: 'hello', encrypted: true }]),
    mime: 'application/zip',
    gives: /a\.txt · 5 bytes · 2026-01-02 · encrypted/,
  },
  { name: 'empty.zip', bytes: buildZip([]), mime: 'application/zip', gives: /0 entries/ },
  {
    name: 'cut.zip',
    bytes: buildZip([{ name: 'a.txt', content: 'hello' }]).subarray(0, 40),
    mime: 'application/zip',
    gives: { refused: 'corrupt' },
  },
  {
    name: 'zip.txt',
    bytes: buildZip([{ name: 'a.txt', content: 'hello' }]),
    claim: 'text/plain',
    mime: 'application/zip',
    gives: /a\.txt/,
  },
  {
    name: 'a.tar',
    bytes: tar(),
    mime: 'application/x-tar',
    gives: /^tar archive, 1 entry, 5 bytes.*\n\n- notes\/a\.txt · 5 bytes/,
  },
  { name: 'a.tar.gz', bytes: gzipSync(tar()), mime: 'application/gzip', gives: /notes\/a\.txt/ },
  { name: 'log.txt.gz', bytes: gzipSync('one line\n'), mime: 'application/gzip', gives: 'one line\n' },
  { name: 'picture.gz', bytes: gzipSync(png), mime: 'application/gzip', gives: unsupported },
  {
    name: 'broken.gz',
    bytes: latin('\x1f\x8b\x08\0nonsense'),
    mime: 'application/gzip',
    gives: { refused: 'corrupt' },
  },
  { name: 'a.7z', bytes: latin("7z\xbc\xaf'\x1c\0\x04more"), mime: 'application/x-7z-compressed', gives: unsupported },
  { name: 'a.rar', bytes: latin('Rar!\x1a\x07\x01\0more'), mime: 'application/vnd.rar', gives: unsupported },
  { name: 'T106 note.ogg', bytes: ogg, mime: 'audio/ogg', gives: media },
  { name: 'T106 note.txt', bytes: ogg, claim: 'text/plain', mime: 'audio/ogg', gives: media },
  { name: 'photo.txt', bytes: png, claim: 'text/plain', mime: 'image/png', gives: media },
  { name: 'song.csv', bytes: mp3, claim: 'text/csv', mime: 'audio/mpeg', gives: media },
  { name: 'film.json', bytes: box('mp42'), mime: 'video/mp4', gives: media },
  { name: 'song.m4a', bytes: box('M4A '), mime: 'audio/mp4', gives: media },
  { name: 'sound.txt', bytes: wav, mime: 'audio/wav', gives: media },
  { name: 'small.gif', bytes: latin('GIF89a\x01\0\x01\0\0\0\0;'), mime: 'image/gif', gives: media },
  {
    name: 'noise.txt',
    bytes: latin('\x01\x02\0\0\x7f\x80\xff\xfe\0\x05\x06'),
    claim: 'text/plain',
    mime: 'application/octet-stream',
    gives: unsupported,
  },
  {
    name: 'noise.mp3',
    bytes: latin('h\xe9 l\xe0 bas ! o\xf9 est le caf\xe9 ?'),
    claim: 'audio/mpeg',
    mime: 'application/octet-stream',
    gives: unsupported,
  },
];

const reader = createDocumentReader({ log: silentLog });

after(() => reader.close());

test('file corpus', async (t) => {
  const wrong: string[] = [];
  for (const each of CASES) {
    const problem = await check(each);
    if (problem) wrong.push(`${each.name}: ${problem}`);
  }
  t.diagnostic(`file corpus: ${CASES.length - wrong.length}/${CASES.length}`);
  assert.deepEqual(wrong, []);
});

/** What is wrong, if anything. */
async function check({ name, bytes, claim, mime, gives }: Case): Promise<string | undefined> {
  const request = {
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    name,
    ...present({ mime: claim || undefined }),
    maxChars: 5000,
    timeoutMs: 120_000,
    pdf: { maxPages: 5, maxPixels: 1e6, minTextChars: 0 },
  };
  const outcome = await reader.read(request, new AbortController().signal);
  const got = JSON.stringify(outcome);
  if (outcome.mime !== mime) return `is ${outcome.mime}, not ${mime}; ${got}`;
  if (!outcome.ok)
    return typeof gives === 'object' && 'refused' in gives && gives.refused === outcome.reason ? undefined : got;
  if (typeof gives === 'string') return outcome.text === gives ? undefined : got;
  return gives instanceof RegExp && gives.test(outcome.text) ? undefined : got;
}
