/** Reads the values of form fields, one per line, because they are not part of the page content. */

/** A field as pdf.js tells of it, as far as it is used. */
export interface PdfField {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldName?: string;
  /** What the form calls it for people. */
  readonly alternativeText?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly radioButton?: boolean;
  readonly buttonValue?: unknown;
}

const MAX = 500;
const LONGEST = 1000;

/** Empty when nothing was. */
export function filledFields(fields: readonly PdfField[]): string {
  const lines = new Set(fields.flatMap((field) => line(field) ?? []));
  return lines.size === 0 ? '' : ['[Fields filled in]', ...[...lines].slice(0, MAX)].join('\n');
}

function line({
  subtype,
  fieldType,
  fieldName = '',
  alternativeText,
  fieldValue,
  password,
  radioButton,
  buttonValue,
}: PdfField): string | undefined {
  if (subtype !== 'Widget' || password || (radioButton && fieldValue !== buttonValue)) return undefined;
  const value = plain(
    Array.isArray(fieldValue) ? fieldValue.join(', ') : typeof fieldValue === 'string' ? fieldValue : '',
  );
  if (value === '' || (fieldType === 'Btn' && /^off$/i.test(value)) || fieldType === 'Sig') return undefined;
  return `- ${plain(alternativeText ?? '') || plain(fieldName) || 'a field'}: ${value}`;
}

const plain = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST);
