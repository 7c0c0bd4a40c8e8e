/** Where every key and value of a JSON5 text begins and ends. */
import { AppError } from '../core/errors.ts';
import { parseJson5 } from './json5.ts';
import { skipTrivia } from './json5-scan.ts';

/** Offsets in the text; `end` is behind the last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Node =
  | (Span & { readonly kind: 'object'; readonly entries: readonly Property[] })
  | (Span & { readonly kind: 'array'; readonly entries: readonly Node[] })
  | (Span & { readonly kind: 'scalar' });

/** From the first character of the key to the last one of the value. */
export interface Property extends Span {
  readonly key: string;
  readonly value: Node;
}

/**
 * Throws `AppError('unsupported')` when the text is no JSON5. The reader of the product decides that; this only
 * measures.
 */
export function measure(text: string): Node {
  const parsed = parseJson5(text);
  if (!parsed.ok) throw new AppError('unsupported', `The file cannot be edited in place: it is ${parsed.problem}.`);
  return readValue(text, skipTrivia(text, 0));
}

function readValue(text: string, start: number): Node {
  switch (text[start]) {
    case '{':
      return { kind: 'object', ...readEntries(text, start, readProperty) };
    case '[':
      return { kind: 'array', ...readEntries(text, start, readValue) };
    case '"':
    case "'":
      return { kind: 'scalar', start, end: stringEnd(text, start) };
    default:
      return { kind: 'scalar', start, end: wordEnd(text, start) };
  }
}

function readEntries<E extends Span>(
  text: string,
  start: number,
  read: (text: string, at: number) => E,
): Span & { entries: E[] } {
  const entries: E[] = [];
  let at = skipTrivia(text, start + 1);
  while (text[at] !== '}' && text[at] !== ']') {
    const entry = read(text, at);
    entries.push(entry);
    at = skipTrivia(text, entry.end);
    if (text[at] === ',') at = skipTrivia(text, at + 1);
  }
  return { start, end: at + 1, entries };
}

function readProperty(text: string, start: number): Property {
  const keyEnd = text[start] === '"' || text[start] === "'" ? stringEnd(text, start) : wordEnd(text, start);
  const value = readValue(text, skipTrivia(text, skipTrivia(text, keyEnd) + 1));
  return { start, end: value.end, key: keyName(text.slice(start, keyEnd)), value };
}

/** Quotes and escapes are the reader's business. */
function keyName(written: string): string {
  if (/^[\w$]+$/.test(written)) return written;
  const parsed = parseJson5(`{${written}:0}`);
  return parsed.ok ? (Object.keys(parsed.value as object)[0] ?? written) : written;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** A number, a literal or a bare key: up to a blank, a comment or punctuation. */
function wordEnd(text: string, start: number): number {
  const rest = /[\s,:\]}/]/.exec(text.slice(start));
  return rest ? start + rest.index : text.length;
}
