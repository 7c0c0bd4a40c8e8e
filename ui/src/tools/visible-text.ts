/** Finds characters that are invisible or change the display order, and names them. Pure. */

export interface TextRun {
  readonly text: string;
  /** The name of the character; `text` is then its escape sequence. */
  readonly name?: string;
  readonly kind?: 'hidden' | 'foreign';
}

/**
 * Control and format characters (bidi, zero width, tags), separators, blanks that are not a space, unassigned
 * characters and single surrogates. Line feed and tab are allowed.
 */
const HIDDEN =
  /[\u034f\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]|[\u17b4-\u17b5]/u;
const PLAIN = new Set([' ', '\n', '\t']);
const FOREIGN = /[^\x00-\x7f]/u;

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'bell',
  0x08: 'backspace',
  0x0b: 'vertical tab',
  0x0c: 'form feed',
  0x0d: 'carriage return',
  0x1b: 'ESC, begins a terminal sequence',
  0x7f: 'delete',
  0x9b: 'CSI, begins a terminal sequence',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of direction',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'end of isolate',
  0x3000: 'wide space',
  0xfeff: 'byte order mark',
};
const SHORT: Readonly<Record<number, string>> = {
  0x00: '\\0',
  0x07: '\\a',
  0x08: '\\b',
  0x0b: '\\v',
  0x0c: '\\f',
  0x0d: '\\r',
  0x1b: '\\e',
};

/** `foreign` also marks characters beyond ASCII, because they may look like others. */
export function visibleRuns(
  text: string,
  { foreign = false }: { readonly foreign?: boolean } = {},
): readonly TextRun[] {
  const runs: { text: string; name?: string; kind?: 'hidden' | 'foreign' }[] = [];
  for (const char of text) {
    const run = runOf(char, foreign);
    const last = runs.at(-1);
    if (run.kind !== 'hidden' && last && last.kind === run.kind) last.text += char;
    else runs.push(run);
  }
  return runs;
}

function runOf(char: string, foreign: boolean): TextRun {
  if (!PLAIN.has(char) && HIDDEN.test(char)) return { text: escapeOf(char), kind: 'hidden', name: nameOf(char) };
  return foreign && FOREIGN.test(char) ? { text: char, kind: 'foreign', name: 'not ASCII' } : { text: char };
}

const codeOf = (char: string): number => char.codePointAt(0)!;
const hex = (code: number, length: number): string => code.toString(16).toUpperCase().padStart(length, '0');

function escapeOf(char: string): string {
  const code = codeOf(char);
  return SHORT[code] ?? (code <= 0xff ? `\\x${hex(code, 2)}` : `U+${hex(code, 4)}`);
}

const nameOf = (char: string): string =>
  NAMES[codeOf(char)] ?? (codeOf(char) < 0xa0 ? 'control character' : 'invisible character');
