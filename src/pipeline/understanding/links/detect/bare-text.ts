/**
 * Splits a message into what a person wrote out and what Markdown or HTML marks as something else: code, links, images,
 * tags.
 */
import { present } from '../../../../core/present.ts';
import MarkdownIt, { type Env, type Token } from 'markdown-it';

/** A run of the message. `inside` names the markup whose addresses are not bare. */
export interface Piece {
  readonly text: string;
  readonly inside?: Markup;
}

export type Markup =
  | 'a Markdown link'
  | 'an image'
  | 'angle brackets'
  | 'a link definition'
  | 'code'
  | 'an HTML tag'
  | 'an HTML element that is not prose';

/** Without any of these there is nothing to parse. */
const MARKERS = /[`<[]|~~~|^(?: {4}|[ >*+-]*\t)/m;

export const hasMarkup = (text: string): boolean => MARKERS.test(text);

const OPAQUE = /^<(a|code|pre|script|style|textarea|kbd|samp|tt)(?=[\s>])/i;

/**
 * Only rules that tell where an address belongs; emphasis, escapes and entities stay off, so that text stays as it was
 * written.
 */
const parser = new MarkdownIt('zero', { html: true, maxNesting: 20 }).enable([
  'code',
  'fence',
  'blockquote',
  'list',
  'reference',
  'heading',
  'backticks',
  'link',
  'image',
  'autolink',
  'html_inline',
]);

/**
 * Pieces in the order of the text; link definitions come last. Slower than linear on hostile text: hand it a few
 * thousand characters.
 */
export function splitBareText(text: string): readonly Piece[] {
  const env: Env = {};
  const found: Piece[] = [];
  for (const token of parser.parse(text, env)) {
    if (token.type === 'inline') found.push(...inlinePieces(token.children ?? []));
    else if (token.type === 'fence' || token.type === 'code_block') found.push({ text: token.content, inside: 'code' });
  }
  const definitions = Object.values((env.references ?? {}) as Record<string, { href: string }>);
  return [...found, ...definitions.map(({ href }): Piece => ({ text: href, inside: 'a link definition' }))];
}

function inlinePieces(tokens: readonly Token[]): Piece[] {
  const found: Piece[] = [];
  const open: string[] = [];
  let link: Markup | undefined;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      link = token.markup === 'autolink' ? 'angle brackets' : 'a Markdown link';
      if (link === 'a Markdown link') found.push({ text: String(token.attrGet('href') ?? ''), inside: link });
    } else if (token.type === 'link_close') link = undefined;
    else if (token.type === 'html_inline') {
      noteTag(token.content, open);
      found.push({ text: token.content, inside: 'an HTML tag' });
    } else found.push(pieceOf(token, link ?? (open.length > 0 ? 'an HTML element that is not prose' : undefined)));
  }
  return found;
}

function pieceOf(token: Token, around: Markup | undefined): Piece {
  if (token.type === 'code_inline') return { text: token.content, inside: 'code' };
  if (token.type === 'image') return { text: `${token.content} ${token.attrGet('src') ?? ''}`, inside: 'an image' };
  return present({ text: token.content, inside: around });
}

/** Keeps the names of the elements we are in whose text is not prose. */
function noteTag(tag: string, open: string[]): void {
  const opened = OPAQUE.exec(tag)?.[1]?.toLowerCase();
  if (opened && !tag.endsWith('/>')) open.push(opened);
  const closed = /^<\/(\w+)/.exec(tag)?.[1]?.toLowerCase();
  const at = closed === undefined ? -1 : open.lastIndexOf(closed);
  if (at >= 0) open.length = at;
}
