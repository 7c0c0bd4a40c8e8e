/** Charsets of pages, in one worker: separate processes would test nothing more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { createGuardedFetch } from '../platform/net/fetch/guarded-fetch.ts';
import { createNetGuard } from '../platform/net/guard/guard.ts';
import { fakeSite, page } from './fake.ts';
import { readLink } from './read-link.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Bytes between ASCII markup. */
const html = (head: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<html><head>${head}<title>t</title></head><body><p>`),
    body,
    Buffer.from('</p></body></html>'),
  ]);

const CP1251 = hex('cf f0 e8 e2 e5 f2 2c 20 ea e0 ea 20 e4 e5 eb e0');
const KOI8 = hex('f0 d2 c9 d7 c5 d4 2c 20 cb c1 cb 20 c4 c5 cc c1');
const SJIS = hex('82 b1 82 f1 82 c9 82 bf 82 cd 90 a2 8a 45');
const EUCJP = hex('a4 b3 a4 f3 a4 cb a4 c1 a4 cf c0 a4 b3 a6');
const GBK = hex('c4 e3 ba c3 ca c0 bd e7');
const BIG5 = hex('a7 41 a6 6e a5 40 ac c9');
const EUCKR = hex('be c8 b3 e7 c7 cf bc bc bf e4');
const CP1252 = hex('47 72 fc df 65 20 96 20 80');

const CASES: readonly (readonly [name: string, bytes: Buffer, type: string, expected: string])[] = [
  ['UTF-8 without a word', html('', Buffer.from('Grüße – €')), 'text/html', 'Grüße – €'],
  [
    'UTF-8 with a mark against a header that lies',
    Buffer.concat([hex('ef bb bf'), html('', Buffer.from('Grüße'))]),
    'text/html; charset=iso-8859-1',
    'Grüße',
  ],
  [
    'UTF-16LE with a mark',
    Buffer.concat([hex('ff fe'), Buffer.from('<html><body><p>Grüße 世界</p>', 'utf16le')]),
    'text/html',
    'Grüße 世界',
  ],
  [
    'UTF-16BE with a mark',
    Buffer.concat([hex('fe ff'), utf16be('<html><body><p>Grüße 世界</p>')]),
    'text/html',
    'Grüße 世界',
  ],
  ['UTF-16LE by header', Buffer.from('<html><body><p>Grüße</p>', 'utf16le'), 'text/html; charset=utf-16le', 'Grüße'],
  ['windows-1252 by header', html('', CP1252), 'text/html; charset=windows-1252', 'Grüße – €'],
  ['ISO-8859-1 by meta means windows-1252', html('<meta charset="iso-8859-1">', CP1252), 'text/html', 'Grüße – €'],
  ['windows-1251 by meta', html('<meta charset=windows-1251>', CP1251), 'text/html', 'Привет, как дела'],
  [
    'KOI8-R by http-equiv',
    html('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', KOI8),
    'text/html',
    'Привет, как дела',
  ],
  ['Shift_JIS by meta', html('<meta charset="Shift_JIS">', SJIS), 'text/html', 'こんにちは世界'],
  ['EUC-JP by header', html('', EUCJP), 'text/html; charset=EUC-JP', 'こんにちは世界'],
  ['GB2312 by meta means GBK', html('<meta charset="gb2312">', GBK), 'text/html', '你好世界'],
  ['Big5 by meta', html('<meta charset="big5">', BIG5), 'text/html', '你好世界'],
  ['EUC-KR by meta', html('<meta charset="euc-kr">', EUCKR), 'text/html', '안녕하세요'],
  [
    'XML declaration',
    Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>'),
      CP1251,
      Buffer.from('</p></body></html>'),
    ]),
    'application/xhtml+xml',
    'Привет, как дела',
  ],
  ['the header wins over the meta', html('<meta charset="big5">', GBK), 'text/html; charset=gbk', '你好世界'],
  [
    'windows-1252 without a word',
    html('', hex('43 61 66 e9 20 fe 6f 75 72 20 e0 20 6c 61 20 66 ea 74 65')),
    'text/html',
    'Café þour à la fête',
  ],
];

test('seventeen ways to write a page', async () => {
  await using site = await fakeSite(
    Object.fromEntries(CASES.map(([, bytes, type], index) => [`/${index}`, page(bytes, type)])),
  );
  const reader = createDocumentReader({ log: silentLog });
  const fetch = createGuardedFetch({
    guard: createNetGuard({ rules: () => ({ allowHosts: [], allowRanges: ['127.0.0.0/8'] }) }),
    userAgent: 'test',
  });
  const deps = {
    fetch,
    reader,
    cache: undefined,
    left: () => 20_000,
    signal: new AbortController().signal,
    warn: (line: string) => assert.fail(line),
  };
  try {
    for (const [index, [name, , , expected]] of CASES.entries()) {
      const { text } = await readLink(
        { url: new URL(`${site.origin}/${index}`), format: 'text', maxChars: 1000, timeoutMs: 120_000 },
        deps,
      );
      assert.equal(text, expected, name);
    }
  } finally {
    await reader.close();
  }
});
