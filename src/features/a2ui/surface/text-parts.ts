/** Parses the limited Markdown of surface texts into parts: no HTML, links or images. */

/** A run of text with one style. */
export interface TextPart {
  readonly style: 'plain' | 'bold' | 'italic' | 'code';
  readonly text: string;
}
/** One line; `bullet` of a list. */
export interface TextLine {
  readonly bullet: boolean;
  readonly parts: readonly TextPart[];
}

const MAX_CHARS = 20_000;
const MARKED = /(\*\*[^*\n]{1,500}\*\*|\*[^*\s][^*\n]{0,500}\*|`[^`\n]{1,500}`)/;

export const textLines = (text: string): readonly TextLine[] =>
  text
    .slice(0, MAX_CHARS)
    .split('\n')
    .map((line) => {
      const bullet = /^\s{0,8}[-*] /.test(line);
      const words = bullet ? line.replace(/^\s*[-*] /, '') : line;
      return { bullet, parts: words.split(MARKED).filter(Boolean).map(partOf) };
    });

function partOf(text: string): TextPart {
  if (text.length > 4 && text.startsWith('**') && text.endsWith('**'))
    return { style: 'bold', text: text.slice(2, -2) };
  if (text.length > 2 && text.startsWith('`') && text.endsWith('`')) return { style: 'code', text: text.slice(1, -1) };
  if (text.length > 2 && /^\*[^*].*\*$/.test(text)) return { style: 'italic', text: text.slice(1, -1) };
  return { style: 'plain', text };
}

/** A value as people read it. */
export const wordsOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : value === undefined || value === null
        ? ''
        : JSON.stringify(value);
