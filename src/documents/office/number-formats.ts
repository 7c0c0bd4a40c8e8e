/**
 * Formats dates, times and percentages of a spreadsheet as its number formats display them; other numbers are
 * unchanged.
 */
import { format, getFormatInfo } from 'numfmt';
import { attribute, xmlTokens } from './xml-text.ts';

/** The cell's number under the style of this index; undefined when it is shown as the number it is. */
export type ShowNumber = (value: string, style: number) => string | undefined;

/** Excel writes none that are longer. */
const LONGEST_CODE = 255;
/**
 * Formats that have a number and no code in the file (ISO 29500-1, 18.8.30); dates that each machine shows as its
 * country does are shown as everybody reads them.
 */
const BUILT_IN: Readonly<Record<string, string>> = {
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd hh:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};
/** Days from the first day of the old Macintosh calendar to that of Windows. */
const DAYS_TO_1904 = 1462;

/** `styles` and `workbook` are parts of the file; without styles every number is one. */
export function numberFormats(styles: string, workbook: string): ShowNumber {
  const codes = codesByStyle(styles);
  const shift = /<(?:\w+:)?workbookPr\b[^<>]*\bdate1904="(?:1|true)"/.test(workbook) ? DAYS_TO_1904 : 0;
  const shown = new Map<string, 'date' | 'share' | undefined>();
  return (value, style) => {
    const code = codes[style];
    const number = Number(value);
    if (code === undefined || value.trim() === '' || !Number.isFinite(number)) return undefined;
    if (!shown.has(code)) shown.set(code, kindOf(code));
    const kind = shown.get(code);
    return kind && written(code, kind === 'date' ? number + shift : number);
  };
}

function kindOf(code: string): 'date' | 'share' | undefined {
  try {
    const { type } = getFormatInfo(code);
    return type === 'percent'
      ? 'share'
      : type === 'date' || type === 'time' || type === 'datetime'
        ? 'date'
        : undefined;
  } catch (error) {
    return unlessRefused(error); // the file's own code is no format
  }
}

function written(code: string, number: number): string | undefined {
  try {
    return format(code, number).trim() || undefined;
  } catch (error) {
    return unlessRefused(error); // a number beyond the calendar
  }
}

/** The library refuses with plain errors, and trips over the oddest codes with a `TypeError` or `RangeError`. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Error)) throw error;
  return undefined;
}

/** Format codes of `cellXfs`, in their order; a cell names one by its place. */
function codesByStyle(styles: string): readonly (string | undefined)[] {
  const own = new Map<string, string>();
  const codes: (string | undefined)[] = [];
  let inCells = false;
  for (const { kind, name, content, isEmpty } of xmlTokens(styles)) {
    const local = name.replace(/^.*:/, '');
    if (local === 'cellXfs') inCells = kind === 'open' && !isEmpty;
    if (kind !== 'open') continue;
    const id = attribute(content, 'numFmtId') ?? '0';
    if (local === 'numFmt') own.set(id, attribute(content, 'formatCode') ?? '');
    if (local === 'xf' && inCells) codes.push(BUILT_IN[id] ?? own.get(id));
  }
  return codes.map((code) => (code !== undefined && code.length <= LONGEST_CODE ? code : undefined));
}
