/** Ways of reading a text, from word for word to forgiving, each able to say where a character stood in the original. Pure. */

export interface Reading {
  readonly text: string;
  /** Where in the original the character at an offset of `text` begins. */
  at(offset: number): number;
  /** Where in the original the character before an offset of `text` ends. */
  endAt(offset: number): number;
}

type Read = (text: string) => Reading;

const exact: Read = (text) => ({ text, at: (offset) => offset, endAt: (offset) => offset });

/** Windows line endings read as plain ones. */
const anyLineEnding: Read = (text) => (text.includes('\r') ? mapped(text, (char, index) => (char === '\r' && text[index + 1] === '\n' ? '' : char)) : exact(text));

/** Typographic quotes, dashes and spaces read as their plain forms; spaces at line ends are not read. */
const forgiving: Read = (text) => {
  const trailing = trailingSpaces(text);
  return mapped(text, (char, index) => (trailing.has(index) ? '' : PLAIN.get(char) ?? char));
};

/** In the order they are tried. */
export const LOOSER: readonly Read[] = [exact, anyLineEnding, forgiving];

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...[...'\u2018\u2019\u201A\u201B'].map((char) => [char, "'"] as const),
  ...[...'\u201C\u201D\u201E\u201F'].map((char) => [char, '"'] as const),
  ...[...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((char) => [char, '-'] as const),
  ...[...'\u00A0\u2002\u2003\u2009\u202F\u3000'].map((char) => [char, ' '] as const),
]);

function trailingSpaces(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const match of text.matchAll(/[ \t\r\u00A0]+(?=\n|$)/g)) for (let at = match.index; at < match.index + match[0].length; at++) found.add(at);
  return found;
}

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
