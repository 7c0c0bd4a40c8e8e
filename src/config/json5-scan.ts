/** Finds one's way between the values of a JSON5 text: blanks, comments, commas, line ends. */

/** The first position at or after `from` that is neither blank nor comment. */
export function skipTrivia(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (/\s|\ufeff/.test(text[at]!)) at += 1;
    else if (text.startsWith('//', at)) at = lineEnd(text, at);
    else if (text.startsWith('/*', at)) at = commentEnd(text, at);
    else break;
  }
  return at;
}

/** The comma that follows a value, undefined when none does. */
export function commaAfter(text: string, from: number): number | undefined {
  const at = skipTrivia(text, from);
  return text[at] === ',' ? at : undefined;
}

/** The end of the line `from` is on, when only blanks and comments are left on it; undefined otherwise. */
export function restOfLine(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    if (text[at] === ' ' || text[at] === '\t') at += 1;
    else if (text.startsWith('//', at)) return lineEnd(text, at);
    else if (text.startsWith('/*', at)) {
      const end = commentEnd(text, at);
      if (text.slice(at, end).includes('\n')) return undefined;
      at = end;
    } else return text[at] === '\n' || text[at] === '\r' ? at : undefined;
  }
  return at;
}

/** The blanks a line begins with, for the line `at` is on. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))![0];
}

/** True when nothing but blanks stands before `at` on its line. */
export function beginsLine(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return start > 0 && text.slice(start, at).trim() === '';
}

/** Behind the line break at `at`, if there is one. */
export function behindBreak(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2;
  return text[at] === '\n' ? at + 1 : at;
}

function lineEnd(text: string, from: number): number {
  const end = /[\r\n\u2028\u2029]/.exec(text.slice(from));
  return end ? from + end.index : text.length;
}

function commentEnd(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2);
  return end === -1 ? text.length : end + 2;
}
