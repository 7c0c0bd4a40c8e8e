/** Converts Markdown to text and style ranges, counted in UTF-16 units, as Signal expects them. Pure. */
import { plainDialect, type MarkdownDialect } from '../../sdk/markdown.ts';

export interface StyledText {
  readonly text: string;
  /** `start:length:STYLE`. */
  readonly styles: readonly string[];
}

const STYLES = ['BOLD', 'ITALIC', 'STRIKETHROUGH', 'MONOSPACE'] as const;
/** Private characters mark where a style begins and ends; they never come from the words themselves. */
const FIRST_MARK = 0xe100;
const MARKS = /[\ue100-\ue107]/g;

const mark = (style: (typeof STYLES)[number]): readonly [string, string] => {
  const at = FIRST_MARK + STYLES.indexOf(style) * 2;
  return [String.fromCharCode(at), String.fromCharCode(at + 1)];
};
const [BOLD, ITALIC, STRIKE, MONO] = STYLES.map(mark) as [
  readonly [string, string],
  readonly [string, string],
  readonly [string, string],
  readonly [string, string],
];
const words = (text: string): string => text.replace(MARKS, '');

export const signalDialect: MarkdownDialect = {
  ...plainDialect,
  escape: words,
  bold: BOLD,
  italic: ITALIC,
  strike: STRIKE,
  code: MONO,
  codeBlock: (text) => `${MONO[0]}${words(text)}${MONO[1]}`,
  heading: (text) => `${BOLD[0]}${text}${BOLD[1]}`,
};

/** The marks taken out; what is inside the same style twice counts once. */
export function styled(marked: string): StyledText {
  const styles: string[] = [];
  const open = new Map<number, { readonly start: number; depth: number }>();
  let text = '';
  let from = 0;
  for (const { 0: found, index } of marked.matchAll(MARKS)) {
    text += marked.slice(from, index);
    from = index + 1;
    const code = found.charCodeAt(0) - FIRST_MARK;
    const style = code >> 1;
    const current = open.get(style);
    if (code % 2 === 0) {
      if (current) current.depth += 1;
      else open.set(style, { start: text.length, depth: 1 });
    } else if (current && (current.depth -= 1) === 0) {
      open.delete(style);
      if (text.length > current.start) styles.push(`${current.start}:${text.length - current.start}:${STYLES[style]}`);
    }
  }
  return { text: text + marked.slice(from), styles };
}
