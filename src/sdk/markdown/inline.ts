/** Renders the inline content of a block in a platform's dialect. */
import type { MarkdownDialect } from './dialect.ts';
import type { Node } from './tree.ts';

type Mark = 'bold' | 'italic' | 'strike';
const MARKS: Readonly<Record<string, Mark>> = { strong_open: 'bold', em_open: 'italic', s_open: 'strike' };

/** `within`: marks that are set already; platforms do not take them twice. */
export function inline(nodes: readonly Node[], dialect: MarkdownDialect, within: readonly Mark[] = []): string {
  return nodes.map((node) => inlineNode(node, dialect, within)).join('');
}

function inlineNode({ token, children }: Node, dialect: MarkdownDialect, within: readonly Mark[]): string {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'code_inline':
      return wrapped((dialect.escapeCode ?? dialect.escape)(token.content), dialect.code);
    case 'link_open':
      return linked({ token, children }, dialect, within);
    case 'image':
      return dialect.link(
        dialect.escape(token.content || String(token.attrGet('src') ?? '')),
        String(token.attrGet('src') ?? ''),
      );
    default: {
      const mark = MARKS[token.type];
      if (!mark) return children.length > 0 ? inline(children, dialect, within) : dialect.escape(token.content);
      const words = inline(children, dialect, [...within, mark]);
      return within.includes(mark) ? words : wrapped(words, dialect[mark]);
    }
  }
}

/** An address that stands there by itself is no label: platforms treat it on their own. */
function linked({ token, children }: Node, dialect: MarkdownDialect, within: readonly Mark[]): string {
  const url = String(token.attrGet('href') ?? '');
  if (token.markup !== 'linkify' && token.markup !== 'autolink')
    return dialect.link(inline(children, dialect, within), url);
  return dialect.autolink ? dialect.autolink(url) : dialect.link(dialect.escape(words(children)), url);
}

const wrapped = (text: string, [before, after]: readonly [string, string]): string =>
  text === '' ? '' : before + text + after;

/** The words alone, on one line. */
export const words = (nodes: readonly Node[]): string =>
  nodes
    .map(({ token, children }) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
      return token.type === 'image' || children.length === 0 ? token.content : words(children);
    })
    .join('');
