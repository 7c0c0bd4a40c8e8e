/**
 * Converts Markdown to HTML block by block: during streaming only the last block is parsed again. Pure; the result
 * must be sanitized before use.
 */
import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { piecesOf, textPieces } from './markdown-pieces.ts';

/** A long list, table or text becomes several blocks, so that a page need not render all of it. */
export interface MarkdownBlock {
  /** The source text; empty: the block continues the previous one. */
  readonly raw: string;
  readonly html: string;
}
export interface RenderedMarkdown {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

const isWebLink = (href: string): boolean => /^(https?:|mailto:|tel:)/i.test(href.trim());
const isInlineImage = (href: string): boolean =>
  /^data:image\/(png|jpe?g|gif|webp|avif);base64,[a-z0-9+/=]+$/i.test(href.trim());

class SafeRenderer extends Renderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text);
  }

  override code({ text, lang }: Tokens.Code): string {
    const language = /^[\w#+.-]+/.exec(lang ?? '')?.[0] ?? '';
    return (
      `<div class="code-block"><div class="code-head"><span>${escapeHtml(language)}</span><button ` +
      'type="button" class="code-copy" data-copy-code>Copy</button></div><pre tabindex="0"><code ' +
      `class="language-${escapeHtml(language || 'text')}">${escapeHtml(text)}</code></pre></div>`
    );
  }

  override link({ href, title, tokens }: Tokens.Link): string {
    const label = this.parser.parseInline(tokens);
    if (!isWebLink(href)) return label;
    return (
      `<a href="${escapeHtml(href)}" target="_blank" rel="noopener ` +
      `noreferrer"${title ? ` title="${escapeHtml(title)}"` : ''}>${label}</a>`
    );
  }

  /** A remote picture would notify its host that the answer was read, and could leak data, so it becomes a link. */
  override image({ href, text }: Tokens.Image): string {
    const label = escapeHtml(text || 'image');
    if (isInlineImage(href)) return `<img src="${escapeHtml(href)}" alt="${label}">`;
    return isWebLink(href)
      ? `<a class="image-link" href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer">${label}</a>`
      : label;
  }

  override table(token: Tokens.Table): string {
    return `<div class="table-scroll" tabindex="0">${super.table(token)}</div>`;
  }
}

/** Not through `use`: that looks at own properties only and would silently keep the default renderer. */
const createMarked = (): Marked =>
  new Marked().setOptions({ gfm: true, breaks: true, renderer: new SafeRenderer() }) as Marked;

/**
 * Limits of nesting, white space, lines, and emphasis marks or brackets in one paragraph: beyond them the parser would
 * take seconds or exhaust the stack.
 */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){100}|^[ \t]{400}|[ \t]{1000}/m;
const MAX_MARKS = 2000;
const MAX_CHARS = 200_000;
const MAX_LINES = 10_000;

const isTooMuch = (text: string): boolean =>
  text.length > MAX_CHARS ||
  (text.match(/\n/g)?.length ?? 0) > MAX_LINES ||
  TOO_DEEP.test(text) ||
  text.split(/\n\s*\n/).some((paragraph) => (paragraph.match(/[*_[]/g)?.length ?? 0) > MAX_MARKS);

/** The source as text, for Markdown beyond these limits. */
const plain = (text: string): RenderedMarkdown => ({
  text,
  blocks: textPieces(text).map((piece) => ({ raw: piece, html: plainHtml(piece) })),
});

const plainHtml = (text: string): string => `<pre tabindex="0">${escapeHtml(text)}</pre>`;

/** `previous` is the last result for a shorter version of the same text; its finished blocks are kept as they are. */
export function renderMarkdown(source: string, previous?: RenderedMarkdown): RenderedMarkdown {
  const text = source.replaceAll('\r\n', '\n');
  if (previous?.text === text) return previous;
  if (isTooMuch(text)) return plain(text);
  try {
    return parsed(text, previous);
  } catch (error) {
    if (error instanceof RangeError) return plain(text); // nested deeper than the stack allows
    throw error;
  }
}

function parsed(text: string, previous: RenderedMarkdown | undefined): RenderedMarkdown {
  const kept =
    previous && text.startsWith(previous.text)
      ? previous.blocks.slice(
          0,
          previous.blocks.findLastIndex(({ raw }) => raw !== ''),
        )
      : [];
  const offset = kept.reduce((length, block) => length + block.raw.length, 0);
  const marked = createMarked();
  const fresh = marked.lexer(text.slice(offset)).reduce<{ raw: string; tokens: Token[] }[]>((groups, token) => {
    const last = groups.at(-1);
    if (token.type === 'space' && last) last.raw += token.raw;
    else groups.push({ raw: token.raw, tokens: [token] });
    return groups;
  }, []);
  return { text, blocks: [...kept, ...fresh.flatMap((group) => blocksOf(group, marked))] };
}

function blocksOf({ raw, tokens }: { raw: string; tokens: Token[] }, marked: Marked): readonly MarkdownBlock[] {
  const pieces = tokens.flatMap(piecesOf);
  // If the pieces are the unchanged source, finished ones need not be parsed again.
  const isCut = pieces.length > 1 && raw.startsWith(pieces.map(({ source }) => source).join(''));
  const rest = raw.slice(pieces.reduce((length, { source }) => length + source.length, 0));
  return pieces.flatMap(({ token, source }, index) => {
    const html = marked.parser([token]);
    const own = !isCut ? (index === 0 ? raw : '') : index === pieces.length - 1 ? source + rest : source;
    return (elementsIn(html) > MAX_ELEMENTS ? textPieces(source).map(plainHtml) : [html]).map((one, part) => ({
      raw: part === 0 ? own : '',
      html: one,
    }));
  });
}

/** The maximum length of one piece; a longer one is shown as plain text. */
const MAX_ELEMENTS = 2000;
export const elementsIn = (html: string): number => html.match(/<[a-z]/g)?.length ?? 0;
