/** The literal text of one word of a command line, or the reason why it is known only when it runs. */
import type { Word, WordPart } from 'unbash';
import { quoted } from './command-text.ts';

export type WordReading = { readonly text: string } | { readonly why: string };

const MEANING: Readonly<Record<Exclude<WordPart['type'], 'Literal' | 'SingleQuoted' | 'DoubleQuoted'>, string>> = {
  Glob: 'is a pattern that expands to matching files',
  ExtendedGlob: 'is a pattern that expands to matching files',
  BraceExpansion: 'becomes several words',
  SimpleExpansion: 'expands to a value known only to the shell',
  ParameterExpansion: 'expands to a value known only to the shell',
  ArithmeticExpansion: 'is an arithmetic expansion',
  CommandExpansion: 'is a command substitution',
  ProcessSubstitution: 'is a process substitution',
  AnsiCQuoted: 'contains escape codes',
  LocaleString: 'is translated by the shell',
};

/** Both readers must agree: the parser's tree, and `plainText` on the characters as they stand. */
export function readWord(word: Word, source: string): WordReading {
  const special = (word.parts ?? [])
    .flatMap((part) => (part.type === 'DoubleQuoted' ? part.parts : part))
    .find((part) => part.type in MEANING);
  if (special !== undefined)
    return { why: `${quoted(special.text)} ${MEANING[special.type as keyof typeof MEANING]}.` };
  const raw = source.slice(word.pos, word.end);
  const plain = plainText(raw);
  if ('why' in plain) return plain;
  return plain.text === word.value ? plain : { why: `${quoted(raw)} can be read in more than one way.` };
}

/** Bare, these start an expansion or end a word; a `[` alone is a command's name. */
const BARE_SPECIAL = /[$`*?[<>|&;()\s]/;
const HOME = /(?:^|[=:])~/;

/** The literal value of a word by its quotes and backslashes alone. */
export function plainText(raw: string): WordReading {
  let text = '';
  let bare = '';
  for (let rest = raw; rest !== ''; ) {
    const piece = nextPiece(rest);
    if ('why' in piece) return piece;
    // What was quoted or escaped can neither be special nor join its neighbours in being so.
    bare += piece.bare ? piece.text : '\u0001';
    text += piece.text;
    rest = rest.slice(piece.length);
  }
  if (HOME.test(bare)) return { why: `${quoted(raw)} is a home folder known only to the shell.` };
  if (unfolds(bare)) return { why: `${quoted(raw)} becomes several words.` };
  return BARE_SPECIAL.test(bare) && raw !== '['
    ? { why: `${quoted(raw)} contains a special character of the shell.` }
    : { text };
}

/** `{a,b}` and `{1..3}`; `{}` and `HEAD@{1}` are themselves. */
const unfolds = (bare: string): boolean =>
  bare
    .split('{')
    .slice(1)
    .some((piece) => piece.includes('}') && /,|\.\./.test(piece.slice(0, piece.indexOf('}'))));

type Piece = { readonly text: string; readonly length: number; readonly bare: boolean };

function nextPiece(rest: string): Piece | { readonly why: string } {
  if (rest.startsWith("'")) return upTo(rest, /^'([^']*)'/, (inner) => inner);
  if (rest.startsWith('"'))
    return upTo(rest, /^"((?:[^"\\$`]|\\[^])*)"/, (inner) =>
      inner.replaceAll(/\\([$`"\\\n])/g, (_all, char: string) => (char === '\n' ? '' : char)),
    );
  if (rest.startsWith('\\')) return upTo(rest, /^\\([^])/, (inner) => (inner === '\n' ? '' : inner));
  return { text: rest[0] ?? '', length: 1, bare: true };
}

function upTo(rest: string, shape: RegExp, value: (inner: string) => string): Piece | { readonly why: string } {
  const found = shape.exec(rest);
  return found
    ? { text: value(found[1] ?? ''), length: found[0].length, bare: false }
    : { why: `${quoted(rest)} contains an expansion or an unterminated quote.` };
}
