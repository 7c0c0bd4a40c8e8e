/** Reads the sheets of an Excel file as CSV. */
import { openZip } from '../archive/open-zip.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { csvOf } from './csv.ts';
import { coreFacts } from './core-facts.ts';
import { numberFormats, type ShowNumber } from './number-formats.ts';
import { attribute, xmlPart, xmlTokens } from './xml-text.ts';

const MAX_SHEETS = 50;

export async function readXlsx({ bytes, maxChars }: ReadQuestion, mime: string): Promise<Reading> {
  const zip = await openZip(bytes);
  const workbook = await xmlPart(zip, 'xl/workbook.xml');
  if (workbook === undefined) throw new Unreadable('corrupt', 'It is damaged: it has no workbook.');
  const strings = sharedStrings((await xmlPart(zip, 'xl/sharedStrings.xml')) ?? '');
  const targets = relations((await xmlPart(zip, 'xl/_rels/workbook.xml.rels')) ?? '');
  const showNumber = numberFormats((await xmlPart(zip, 'xl/styles.xml')) ?? '', workbook);
  const names = sheets(workbook);
  const parts: string[] = [];
  let chars = 0;
  for (const { name, relation } of names.slice(0, MAX_SHEETS)) {
    if (chars > maxChars) break;
    const path = targets.get(relation);
    const rows = sheetRows((path && (await xmlPart(zip, path))) || '', {
      strings,
      showNumber,
      maxChars: maxChars - chars,
    });
    const text = `## ${name}\n\n${csvOf(rows)}`.trim();
    parts.push(text);
    chars += text.length;
  }
  return {
    kind: 'xlsx',
    mime,
    ...(await coreFacts(zip)),
    text: parts.join('\n\n'),
    truncated: parts.length < names.length,
  };
}

function sheets(workbook: string): { name: string; relation: string }[] {
  return [...xmlTokens(workbook)]
    .filter(({ kind, name }) => kind === 'open' && /(^|:)sheet$/.test(name))
    .map(({ content }, index) => ({
      name: attribute(content, 'name') ?? `Sheet ${index + 1}`,
      relation: attribute(content, 'r:id') ?? '',
    }));
}

function relations(xml: string): Map<string, string> {
  const found = [...xmlTokens(xml)].filter(({ kind, name }) => kind === 'open' && name === 'Relationship');
  return new Map(
    found.map(({ content }) => [
      attribute(content, 'Id') ?? '',
      (attribute(content, 'Target') ?? '').replace(/^\/xl\/|^(?!\/)/, 'xl/').replace(/^\//, ''),
    ]),
  );
}

/** Text of one entry may come in several runs; phonetic hints are left out. */
function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let text: string | undefined;
  let inText = false;
  let inHint = false;
  for (const { kind, name, content, isEmpty } of xmlTokens(xml)) {
    if (kind === 'text') {
      if (inText && !inHint && text !== undefined) text += content;
    } else if (name === 'si') {
      if (kind === 'open') text = '';
      if (kind === 'close' || isEmpty) strings.push(text ?? '');
    } else if (name === 't') inText = kind === 'open' && !isEmpty;
    else if (name === 'rPh') inHint = kind === 'open';
  }
  return strings;
}

/** Rows as far as `maxChars` goes; empty cells between others are kept, empty rows are not. */
function sheetRows(
  xml: string,
  { strings, showNumber, maxChars }: { strings: readonly string[]; showNumber: ShowNumber; maxChars: number },
): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: Cell | undefined;
  let inValue = false;
  let chars = 0;
  for (const { kind, name, content, isEmpty } of xmlTokens(xml)) {
    if (chars > maxChars) break;
    if (kind === 'text') {
      if (inValue && cell) cell.text += content;
    } else if (name === 'c' && kind === 'open' && !isEmpty)
      cell = {
        column: columnOf(attribute(content, 'r')) ?? row.length,
        type: attribute(content, 't') ?? '',
        style: Number(attribute(content, 's') ?? 0),
        text: '',
      };
    else if (name === 'v' || name === 't') inValue = kind === 'open' && !isEmpty;
    else if (name === 'c' && cell && kind === 'close') {
      while (row.length < cell.column) row.push('');
      const value = shown(cell, strings, showNumber);
      row.push(value);
      chars += value.length + 1;
      cell = undefined;
    } else if (name === 'row' && kind === 'close') {
      if (row.some((value) => value !== '')) rows.push(row);
      row = [];
    }
  }
  return rows;
}

const MAX_COLUMN = 500;

/** `AB12` → 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return undefined;
  return Math.min(MAX_COLUMN, [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1);
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
}

function shown({ type, style, text }: Cell, strings: readonly string[], showNumber: ShowNumber): string {
  if (type === 's') return strings[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  // ISO 29500: a date written as one.
  if (type === 'd') return text.replace(/T00:00:00(?:\.0+)?Z?$/, '');
  return type === '' || type === 'n' ? (showNumber(text, style) ?? plainNumber(text)) : text;
}

/** Without the traces of binary fractions: `0.1 + 0.2` is shown as 0.3 by every spreadsheet. */
const plainNumber = (text: string): string =>
  /^-?\d*\.\d{15,}$/.test(text) ? String(Number(Number(text).toPrecision(15))) : text;
