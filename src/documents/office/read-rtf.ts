/**
 * Reads the text of an RTF file: paragraphs, tabs and characters of its code page, without pictures, styles and fields.
 */
import { decodeBytes } from '../../platform/charset/decode-bytes.ts';
import { guessing } from '../../platform/charset/guess-text.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';

const TOKEN = /\\'([\da-fA-F]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;
/** Groups that are not text. */
const HIDDEN = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'themedata',
  'datastore',
  'header',
  'footer',
  'fldinst',
  'xmlnstbl',
  'latentstyles',
  'listtable',
  'listoverridetable',
  'rsidtbl',
  'generator',
]);
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  row: '\n',
  sect: '\n\n',
  page: '\n\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
};

export async function readRtf({ bytes }: ReadQuestion, mime: string): Promise<Reading> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const text = textOf(source);
  if (text === '' && !source.trimEnd().endsWith('}'))
    throw new Unreadable('corrupt', 'It is damaged: it ends before its text.');
  return { kind: 'rtf', mime, text };
}

/** Windows code pages by the number a font's character set has (`\fcharsetN`); 0 and the rest: that of the document. */
const FONT_PAGES: Readonly<Record<string, string>> = {
  77: 'macintosh',
  128: '932',
  129: '949',
  134: '936',
  136: '950',
  161: '1253',
  162: '1254',
  163: '1258',
  177: '1255',
  178: '1256',
  186: '1257',
  204: '1251',
  222: '874',
  238: '1250',
  254: '437',
  255: '850',
};
const BY_PAGE: Readonly<Record<string, string>> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  866: 'ibm866',
  10000: 'macintosh',
  macintosh: 'macintosh',
};

const charsetOf = (page: string): string =>
  BY_PAGE[page] ?? (/^[4-8]\d\d$/.test(page) && page !== '874' ? `cp${page}` : `windows-${page}`);

/** What holds inside a group, and ends with it. */
interface Group {
  readonly hidden: boolean;
  readonly isFontTable: boolean;
  readonly font: string;
}

function textOf(source: string): string {
  const ofDocument = charsetOf(/\\ansicpg(\d{3,5})/.exec(source)?.[1] ?? '1252');
  const charsets = new Map<string, string>();
  const groups: Group[] = [{ hidden: false, isFontTable: false, font: /\\deff(\d{1,4})/.exec(source)?.[1] ?? '' }];
  const parts: string[] = [];
  let raw: number[] = [];
  let skip = 0;
  const change = (facts: Partial<Group>): void => void (groups[groups.length - 1] = { ...groups.at(-1)!, ...facts });
  const flush = (): void => {
    if (raw.length > 0)
      parts.push(
        decodeBytes(Uint8Array.from(raw), { declared: charsets.get(groups.at(-1)!.font) ?? ofDocument, old: guessing })
          ?.text ?? '',
      );
    raw = [];
  };
  const add = (text: string): void => {
    if (groups.at(-1)!.hidden) return;
    flush();
    parts.push(text);
  };
  for (const [, hex, word, number, symbol, brace, plain] of source.matchAll(TOKEN)) {
    const { hidden, isFontTable, font } = groups.at(-1)!;
    if (hex !== undefined) {
      if (skip > 0) skip--;
      else if (!hidden) raw.push(Number.parseInt(hex, 16));
    } else if (brace === '{') {
      flush();
      groups.push({ ...groups.at(-1)! });
    } else if (brace === '}') {
      add('');
      if (groups.length > 1) groups.pop();
    } else if (symbol !== undefined) {
      if (symbol === '*') change({ hidden: true });
      else add(symbol === '~' ? '\u00A0' : symbol === '_' ? '-' : '{}\\'.includes(symbol) ? symbol : '');
    } else if (word === 'u' && number !== undefined) {
      add(String.fromCharCode(Number(number) & 0xffff));
      skip = 1;
    } else if (word === 'f' && number !== undefined) {
      flush();
      change({ font: number });
    } else if (word === 'fcharset' && isFontTable) {
      if (FONT_PAGES[number ?? '']) charsets.set(font, charsetOf(FONT_PAGES[number!]!));
    } else if (word !== undefined) {
      if (HIDDEN.has(word)) change({ hidden: true, isFontTable: isFontTable || word === 'fonttbl' });
      else add(SIGNS[word] ?? '');
    } else if (plain !== undefined) {
      add(plain.slice(skip));
      skip = 0;
    }
  }
  add('');
  return parts
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
