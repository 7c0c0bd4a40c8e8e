// Dates, times and percentages in spreadsheets, formatted as displayed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberFormats } from './number-formats.ts';

const CODES = [
  'General',
  '0.00%',
  'dd/mm/yyyy',
  'yyyy\\-mm\\-dd',
  'h:mm AM/PM',
  '[h]:mm:ss',
  '[$-407]d. mmmm yyyy;@',
  '#,##0.00 "€"',
  'bogus[[',
  `"${'x'.repeat(300)}"0%`,
];
const styles =
  `<styleSheet><numFmts>${CODES.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>` +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  (`<cellXfs>${CODES.map((_, index) => `<xf numFmtId="${164 + index}" fontId="0"/>`).join('')}<xf ` +
    'numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="2"/></cellXfs></styleSheet>');

test('dates, times and shares are shown by their format, other numbers stay', () => {
  const show = numberFormats(styles, '<workbook/>');
  const rows = [
    ['45292', 0],
    ['0.125', 1],
    ['45292', 2],
    ['45292', 3],
    ['0.75', 4],
    ['1.5', 5],
    ['45292', 6],
    ['1234.5', 7],
    ['3', 8],
    ['3', 9],
    ['45292', 10],
    ['0.5', 11],
    ['3.14159', 12],
    ['', 2],
    ['n/a', 2],
    ['5', 99],
  ] as const;
  assert.deepEqual(
    rows.map(([value, style]) => show(value, style)),
    [
      undefined,
      '12.50%',
      '01/01/2024',
      '2024-01-01',
      '6:00 PM',
      '36:00:00',
      '1. Januar 2024',
      undefined,
      undefined,
      undefined,
      '2024-01-01',
      '50%',
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  );
});

test('workbooks that count from 1904 do', () => {
  assert.equal(numberFormats(styles, '<workbook><workbookPr date1904="1"/></workbook>')('43830', 3), '2024-01-01');
});

test('a file without styles has numbers', () => {
  assert.equal(numberFormats('', '')('45292', 0), undefined);
});
