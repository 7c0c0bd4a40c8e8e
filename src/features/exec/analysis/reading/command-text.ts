/** Rejects a command text with invisible characters, or one that is too long to analyze. */
import { cut } from '../../../../core/cut.ts';

const MAX_BYTES = 32 * 1024;
/** Parsing takes time by these, and the event loop waits. */
const MARKS = /[;&|(){}<>`$\n"'\\]/g;
const MAX_MARKS = 1500;
const MAX_WORDS = 6000;
/**
 * Controls besides tab and newline, what has no shape of its own, halves of pairs, and what no standard names. Emoji
 * style (U+FE0F) shows.
 */
const UNSEEN = /(?![\t\n]|\u{FE0F})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const ODD_SPACE = /(?! )\p{Zs}/u;

/** One sentence; undefined: short and simple enough to be parsed. */
export function tooLong(text: string): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) return `The command has ${bytes} bytes; the limit for analysis is ${MAX_BYTES}.`;
  const marks = text.match(MARKS)?.length ?? 0;
  if (marks > MAX_MARKS)
    return `The command has ${marks} quotes, operators and lines; the limit for analysis is ${MAX_MARKS}.`;
  const words = text.match(/\s+/g)?.length ?? 0;
  return words > MAX_WORDS ? `The command has ${words} words; the limit for analysis is ${MAX_WORDS}.` : undefined;
}

/** One sentence; undefined: all of it can be seen. */
export function textTrouble(text: string): string | undefined {
  const unseen = UNSEEN.exec(text)?.[0];
  if (unseen !== undefined) return `The command contains ${codePoint(unseen)}, an invisible character.`;
  const space = ODD_SPACE.exec(text)?.[0];
  return space === undefined
    ? undefined
    : `The command contains ${codePoint(space)}, which looks like a space but is not one to the shell.`;
}

/** A piece of a command for a sentence: short, on one line, nothing invisible. */
export function quoted(text: string): string {
  return `"${visible(cut(text, 60))}"`;
}

/** With the names of characters in place of those that do not show. */
function visible(text: string): string {
  const hides = (char: string): boolean => UNSEEN.test(char) || ODD_SPACE.test(char) || char === '\n' || char === '\t';
  return [...text].map((char) => (hides(char) ? `<${codePoint(char)}>` : char)).join('');
}

const codePoint = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
