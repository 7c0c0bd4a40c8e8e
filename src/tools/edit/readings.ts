/**
 * Two ways of reading a text, word for word and forgiving, each able to say where a character stood in the original.
 * Pure.
 */
import { plainChar } from '../../sdk/files.ts';

export interface Reading {
  readonly text: string;
  /** Where in the original the character at an offset of `text` begins. */
  at(offset: number): number;
  /** Where in the original the character before an offset of `text` ends. */
  endAt(offset: number): number;
}

export const exact = (text: string): Reading => ({ text, at: (offset) => offset, endAt: (offset) => offset });

/**
 * Typographic quotes, dashes and spaces read as their plain forms; spaces at line ends and carriage returns are not
 * read. `whole`: its end is the end of a line; a passage may end inside one.
 */
export function forgiving(text: string, { whole }: { whole: boolean }): Reading {
  let blankFrom = whole ? text.length : -1;
  const trailing = new Uint8Array(text.length);
  for (let index = text.length - 1; index >= 0; index--) {
    const char = text[index]!;
    if (char === '\n') blankFrom = index;
    else if (index === blankFrom - 1 && BLANK.has(char)) trailing[(blankFrom = index)] = 1;
  }
  return mapped(text, (char, index) => (trailing[index] ? '' : plainChar(char)));
}

const BLANK: ReadonlySet<string> = new Set([' ', '\t', '\r', '\u00A0']);

/** Keeps, for every character read, where it came from. */
function mapped(text: string, read: (char: string, index: number) => string): Reading {
  const from = new Uint32Array(text.length + 1);
  let out = '';
  for (let index = 0; index < text.length; index++) {
    const char = read(text[index]!, index);
    if (char === '') continue;
    from[out.length] = index;
    out += char;
  }
  from[out.length] = text.length;
  return { text: out, at: (offset) => from[offset]!, endAt: (offset) => (offset === 0 ? 0 : from[offset - 1]! + 1) };
}
