/** Converts between Markdown and IRC control codes, in both directions. Pure. */
import { plainDialect, type MarkdownDialect } from '../../sdk/markdown.ts';

const CODES =
  /\u0003(?:\d{1,2}(?:,\d{1,2})?)?|\u0004(?:[0-9a-f]{6}(?:,[0-9a-f]{6})?)?|[\u0002\u000f\u0011\u0016\u001d\u001e\u001f]/gi;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

export const withoutCodes = (text: string): string => text.replace(CODES, '');
export const hasCodes = (text: string): boolean => withoutCodes(text) !== text;
/** The words alone, no control characters left. */
export const wordsOf = (text: string): string => withoutCodes(text).replace(CONTROL, '');

const BOLD = '\u0002';
const ITALIC = '\u001d';
const STRIKE = '\u001e';
const MONO = '\u0011';

export const ircDialect: MarkdownDialect = {
  ...plainDialect,
  escape: (text) => text.replace(CONTROL, ''),
  bold: [BOLD, BOLD],
  italic: [ITALIC, ITALIC],
  strike: [STRIKE, STRIKE],
  code: [MONO, MONO],
  // A code ends with its line.
  codeBlock: (text) =>
    text
      .replace(CONTROL, '')
      .split('\n')
      .map((line) => `${MONO}${line}`)
      .join('\n'),
  heading: (text) => `${BOLD}${text}${BOLD}`,
};
