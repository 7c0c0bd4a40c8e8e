/** The byte sequences of keys: names as in tmux, codes as in xterm. Pure. */

const ESC = '\x1b';

/** Keys with a character of their own. */
const PLAIN: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  kpenter: '\r',
  tab: '\t',
  escape: ESC,
  esc: ESC,
  space: ' ',
  bspace: '\x7f',
  backspace: '\x7f',
  kp0: '0',
  kp1: '1',
  kp2: '2',
  kp3: '3',
  kp4: '4',
  kp5: '5',
  kp6: '6',
  kp7: '7',
  kp8: '8',
  kp9: '9',
  'kp/': '/',
  'kp*': '*',
  'kp-': '-',
  'kp+': '+',
  'kp.': '.',
};
/** `ESC [ <letter>`; with a modifier `ESC [ 1 ; <m> <letter>`. */
const LETTERS: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D' };
/** `ESC O <letter>`; with a modifier as above. */
const FUNCTION_LETTERS: Readonly<Record<string, string>> = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' };
/** `ESC [ <number> ~`; with a modifier `ESC [ <number> ; <m> ~`. */
const NUMBERS: Readonly<Record<string, number>> = {
  home: 1,
  insert: 2,
  ic: 2,
  delete: 3,
  del: 3,
  dc: 3,
  end: 4,
  pageup: 5,
  pgup: 5,
  ppage: 5,
  pagedown: 6,
  pgdn: 6,
  npage: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
const MODIFIERS = { S: 1, M: 2, C: 4 } as const;

export interface EncodedKeys {
  readonly data: string;
  readonly warnings: readonly string[];
}

/** `Enter`, `C-c`, `^C`, `M-x`, `C-S-Up`, `F5`; a word that names no key is typed as it stands. */
export function encodeKeys(tokens: readonly string[]): EncodedKeys {
  const encoded = tokens.map(encode);
  return { data: encoded.map(({ data }) => data).join(''), warnings: encoded.flatMap(({ warning }) => warning ?? []) };
}

interface Encoded {
  readonly data: string;
  readonly warning?: string;
}

function encode(token: string): Encoded {
  const caret = /^\^(.)$/su.exec(token)?.[1];
  const { held, key } = caret === undefined ? modifiers(token) : { held: MODIFIERS.C, key: caret };
  const data = named(key.toLowerCase(), held) ?? ([...key].length === 1 ? character(key, held) : undefined);
  if (data !== undefined) return { data };
  return held === 0 ? { data: token } : { data: token, warning: `"${token}" is not a key; it was typed literally.` };
}

/** `C-`, `M-`, `S-` in any order, as long as something is left for them to change. */
function modifiers(token: string): { held: number; key: string } {
  let held = 0;
  let key = token;
  for (let found = /^([CMS])-(?=.)/isu.exec(key); found; found = /^([CMS])-(?=.)/isu.exec(key)) {
    held |= MODIFIERS[found[1]!.toUpperCase() as keyof typeof MODIFIERS];
    key = key.slice(2);
  }
  return { held, key };
}

function named(key: string, held: number): string | undefined {
  const own = <T>(table: Readonly<Record<string, T>>): T | undefined =>
    Object.hasOwn(table, key) ? table[key] : undefined;
  if (key === 'btab' || (key === 'tab' && held === MODIFIERS.S)) return `${ESC}[Z`;
  const plain = own(PLAIN);
  if (plain !== undefined) return character(plain, held & ~MODIFIERS.S);
  const code = 1 + held;
  const letter = own(LETTERS) ?? own(FUNCTION_LETTERS);
  if (letter !== undefined)
    return held > 0 ? `${ESC}[1;${code}${letter}` : `${ESC}${own(LETTERS) ? '[' : 'O'}${letter}`;
  const number = own(NUMBERS);
  return number === undefined ? undefined : `${ESC}[${number}${held > 0 ? `;${code}` : ''}~`;
}

/** One character with keys held: Ctrl makes a control of it, Alt puts ESC before it, Shift the capital. */
function character(char: string, held: number): string | undefined {
  const shifted = (held & MODIFIERS.S) > 0 ? char.toUpperCase() : char;
  const controlled = (held & MODIFIERS.C) > 0 ? control(char) : shifted;
  return controlled === undefined ? undefined : (held & MODIFIERS.M) > 0 ? ESC + controlled : controlled;
}

/**
 * Ctrl clears all but the lowest five bits; `C-?` is DEL, `C-Space` is NUL; a key that is a control already stays one.
 */
function control(char: string): string | undefined {
  if (char === '?') return '\x7f';
  if (char === ' ') return '\0';
  if (/^[\x00-\x1f\x7f]$/.test(char)) return char;
  return /^[@a-z[\\\]^_]$/i.test(char) ? String.fromCharCode(char.toUpperCase().charCodeAt(0) & 0x1f) : undefined;
}
