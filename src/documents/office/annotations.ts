/** Extracts what is in a text document but not part of its text: tracked deletions and comments. */
import { attribute, xmlTokens } from './xml-text.ts';
import { head } from '../../core/cut.ts';

export interface Annotation {
  readonly kind: 'deleted' | 'comment';
  readonly who?: string | undefined;
  /** As the document writes it. */
  readonly date?: string | undefined;
  readonly text: string;
}

const TITLES = {
  deleted: '[Deleted in tracked changes, not part of the text]',
  comment: '[Comments in the margin]',
} as const;
/** More of a kind would bury the text. */
const MAX = 100;
const LONGEST = 1000;

/** The text with what stands beside it below, a line each. */
export function withAnnotations(text: string, asides: readonly Annotation[]): string {
  const shown = asides
    .map((aside) => ({ ...aside, text: head(aside.text.replaceAll(/\s+/g, ' ').trim(), LONGEST) }))
    .filter((aside) => aside.text !== '');
  const blocks = (['deleted', 'comment'] as const).flatMap((kind) => {
    const lines = shown
      .filter((aside) => aside.kind === kind)
      .map(
        (aside) =>
          '- ' +
          `${[aside.who?.replaceAll(/\s+/g, ' ').slice(0, 100), aside.date?.slice(0, 10)].filter(Boolean).join(', ') || 'somebody'}: ${aside.text}`,
      );
    return lines.length === 0
      ? []
      : [
          [
            TITLES[kind],
            ...lines.slice(0, MAX),
            ...(lines.length > MAX ? [`… and ${lines.length - MAX} more`] : []),
          ].join('\n'),
        ];
  });
  return [text, ...blocks].filter((block) => block !== '').join('\n\n');
}

/** Of a Word file: `w:del` of its document, `w:comment` of its comments. */
export function wordAnnotations(document: string, comments: string): readonly Annotation[] {
  return [
    ...elements(document, { name: 'w:del', words: 'w:delText', kind: 'deleted' }),
    ...elements(comments, { name: 'w:comment', words: 'w:t', kind: 'comment' }),
  ];
}

function elements(
  xml: string,
  { name: wanted, words, kind }: { readonly name: string; readonly words: string; readonly kind: Annotation['kind'] },
): readonly Annotation[] {
  const found: Annotation[] = [];
  let open: { who: string | undefined; date: string | undefined; parts: string[] } | undefined;
  let inWords = false;
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') {
      if (open && inWords) open.parts.push(token.content);
    } else if (token.name === wanted && token.kind === 'open') {
      if (!token.isEmpty)
        open = { who: attribute(token.content, 'w:author'), date: attribute(token.content, 'w:date'), parts: [] };
    } else if (token.name === wanted) {
      if (open) found.push({ kind, who: open.who, date: open.date, text: open.parts.join('') });
      open = undefined;
    } else if (token.name === words) inWords = token.kind === 'open' && !token.isEmpty;
    else if (token.name === 'w:p' && token.kind === 'close') open?.parts.push(' ');
  }
  return found;
}
