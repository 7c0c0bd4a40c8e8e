/** Reads the text of a Rich Text file: paragraphs, tabs and characters of its code page; pictures, styles and fields are left out. */
import { decodeBytes } from '../../platform/charset/decode-bytes.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';

const TOKEN = /\\'([\da-fA-F]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;
/** Groups that are not text. */
const HIDDEN = new Set(['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'object', 'themedata', 'datastore', 'header', 'footer', 'fldinst', 'xmlnstbl', 'latentstyles', 'listtable', 'listoverridetable', 'rsidtbl', 'generator']);
const SIGNS: Readonly<Record<string, string>> = { par: '\n', line: '\n', row: '\n', sect: '\n\n', page: '\n\n', tab: '\t', cell: '\t', emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•' };

export async function readRtf({ bytes }: ReadQuestion, mime: string): Promise<Reading> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const text = textOf(source, codePageOf(source));
  if (text === '' && !source.trimEnd().endsWith('}')) throw new Unreadable('corrupt', 'It is damaged: it ends before its text.');
  return { kind: 'rtf', mime, text };
}

const codePageOf = (source: string): string => {
  const page = /\\ansicpg(\d{3,5})/.exec(source)?.[1] ?? '1252';
  return page === '932' ? 'shift_jis' : page === '936' ? 'gb18030' : page === '949' ? 'euc-kr' : page === '950' ? 'big5' : `windows-${page}`;
};

function textOf(source: string, charset: string): string {
  const hiddenAt: boolean[] = [false];
  const parts: string[] = [];
  let raw: number[] = [];
  let skip = 0;
  const add = (text: string): void => {
    if (hiddenAt.at(-1)) return;
    if (raw.length > 0) parts.push(decodeBytes(Uint8Array.from(raw), { declared: charset })?.text ?? '');
    raw = [];
    parts.push(text);
  };
  for (const [, hex, word, number, symbol, brace, plain] of source.matchAll(TOKEN)) {
    if (hex !== undefined) {
      if (skip > 0) skip--;
      else if (!hiddenAt.at(-1)) raw.push(Number.parseInt(hex, 16));
    } else if (brace === '{') hiddenAt.push(hiddenAt.at(-1)!);
    else if (brace === '}') { add(''); if (hiddenAt.length > 1) hiddenAt.pop(); }
    else if (symbol !== undefined) {
      if (symbol === '*') hiddenAt[hiddenAt.length - 1] = true;
      else add(symbol === '~' ? '\u00A0' : symbol === '_' ? '-' : '{}\\'.includes(symbol) ? symbol : '');
    } else if (word === 'u' && number !== undefined) { add(String.fromCharCode(Number(number) & 0xffff)); skip = 1; }
    else if (word !== undefined) {
      if (HIDDEN.has(word)) hiddenAt[hiddenAt.length - 1] = true;
      else add(SIGNS[word] ?? '');
    } else if (plain !== undefined) { add(plain.slice(skip)); skip = 0; }
  }
  add('');
  return parts.join('').replaceAll(/\n{3,}/g, '\n\n').trim();
}
