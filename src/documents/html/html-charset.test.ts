/** The charset that a page declares. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlCharset } from './html-charset.ts';

const CASES: readonly (readonly [string, string | undefined])[] = [
  ['<meta charset="utf-8">', 'utf-8'],
  ['<META CHARSET=windows-1251>', 'windows-1251'],
  ["<meta charset = 'Shift_JIS' />", 'shift_jis'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=EUC-KR">', 'euc-kr'],
  ['<meta content="text/html;charset=gb2312" http-equiv=content-type>', 'gbk'],
  ['<meta http-equiv=Content-Type content=text/html;charset=big5>', 'big5'],
  ['<?xml version="1.0" encoding="koi8-r"?><html>', 'koi8-r'],
  ['<meta charset="iso-8859-1">', 'windows-1252'],
  ['<meta charset="utf-16">', 'utf-8'],
  ['<!-- <meta charset="big5"> --><meta charset="euc-jp">', 'euc-jp'],
  ['<meta charset="klingon"><meta charset="iso-8859-7">', 'iso-8859-7'],
  ['<p>charset=big5</p>', undefined],
  [`<title>${'x'.repeat(5000)}</title><meta charset="big5">`, undefined],
  ['', undefined],
];

for (const [html, charset] of CASES)
  test(`${html.slice(0, 80)} is ${charset}`, () => assert.equal(htmlCharset(Buffer.from(html)), charset));
