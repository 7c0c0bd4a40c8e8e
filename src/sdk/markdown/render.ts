/** Renders a Markdown tree in a platform's dialect. */
import type { MarkdownDialect, TableMode } from './dialect.ts';
import { inline } from './inline.ts';
import { tableAsList, tableAsText } from './table.ts';
import { markdownTree, type Node } from './tree.ts';

/** How parts are written that a platform has no markup for. */
export interface RenderOptions {
  /** Default `code`. */ readonly tables?: TableMode;
}

/** What indents with the list it is in, and what must stay as it is: code, quotations. */
interface Line {
  readonly text: string;
  readonly fixed?: true;
}

interface Walk {
  readonly dialect: MarkdownDialect;
  readonly tables: TableMode;
  readonly source: readonly string[];
}

/** Never throws. Text that is too long or too deep to be parsed comes back escaped, as it was written. */
export function renderMarkdown(
  markdown: string,
  dialect: MarkdownDialect,
  { tables = 'code' }: RenderOptions = {},
): string {
  const tree = markdownTree(markdown);
  if (!tree) return dialect.escape(markdown);
  return joined(blocks(tree, { dialect, tables, source: markdown.split('\n') })).replace(/^\n+|(?<!\n)\n+$/g, '');
}

const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/** Blank lines between blocks stay where the author had them. */
function blocks(nodes: readonly Node[], walk: Walk): readonly Line[] {
  const lines: Line[] = [];
  let end: number | undefined;
  for (const node of nodes) {
    const own = block(node, walk);
    if (own.length === 0) continue;
    const [from, to] = node.token.map ?? [0, 0];
    if (end !== undefined && from > end) lines.push({ text: '' });
    lines.push(...own);
    end = lastWritten(from, to, walk.source);
  }
  return lines;
}

/** Where a block ends without the blank lines behind it. */
function lastWritten(from: number, to: number, source: readonly string[]): number {
  let end = to;
  while (end > from && (source[end - 1] ?? '').trim() === '') end--;
  return end;
}

function block(node: Node, walk: Walk): readonly Line[] {
  const { token, children } = node;
  const { dialect } = walk;
  switch (token.type) {
    case 'inline':
      return asLines(inline(children, dialect));
    case 'heading_open':
      return asLines(dialect.heading(joined(blocks(children, walk)), Number(token.tag.slice(1)) || 1));
    case 'fence':
    case 'code_block':
      return [{ text: dialect.codeBlock(token.content.replace(/\n$/, ''), languageOf(token.info)), fixed: true }];
    case 'blockquote_open':
      return [{ text: dialect.quote(joined(blocks(children, walk))), fixed: true }];
    case 'hr':
      return [{ text: dialect.rule }];
    case 'bullet_list_open':
      return list(node, walk, () => dialect.bullet);
    case 'ordered_list_open': {
      const first = Number(token.attrGet('start') ?? 1);
      return list(node, walk, (index) => `${first + index}. `);
    }
    case 'table_open':
      return table(node, walk);
    default:
      return blocks(children, walk);
  }
}

const asLines = (text: string): readonly Line[] => text.split('\n').map((line) => ({ text: line }));

const languageOf = (info: string): string | undefined => /^[\w+#.-]{1,40}/.exec(info.trim())?.[0];

const TASK = /^\[([ xX])\] /;

function list(node: Node, walk: Walk, marker: (index: number) => string): readonly Line[] {
  const lines: Line[] = [];
  let end: number | undefined;
  node.children.forEach((item, index) => {
    const [from, to] = item.token.map ?? [0, 0];
    if (end !== undefined && from > end) lines.push({ text: '' });
    end = lastWritten(from, to, walk.source);
    lines.push(...listItem(item, walk, marker(index)));
  });
  return lines;
}

/** Everything below the first line is indented by the width of the marker. */
function listItem(item: Node, walk: Walk, marker: string): readonly Line[] {
  const task = TASK.exec(taskText(item));
  const content = blocks(task ? [withoutTask(item)] : [item], walk);
  const [first, ...rest] = content.length > 0 ? content : [{ text: '' }];
  const sign = task ? (task[1] === ' ' ? '☐ ' : '☑ ') : marker;
  const indent = ' '.repeat(Math.max(2, marker.length));
  const head: readonly Line[] = first!.fixed ? [{ text: sign.trimEnd() }, first!] : [{ text: sign + first!.text }];
  return [...head, ...rest.map((line) => (line.fixed || line.text === '' ? line : { text: indent + line.text }))];
}

/** The words an item begins with. */
function taskText(item: Node): string {
  const first = item.children[0]?.children[0]?.children[0];
  return first?.token.type === 'text' ? first.token.content : '';
}

/** The item again, its box cut off. */
function withoutTask(item: Node): Node {
  const cut = (node: Node, depth: number): Node => {
    const [first, ...rest] = node.children;
    if (!first) return node;
    if (depth > 0) return { token: node.token, children: [cut(first, depth - 1), ...rest] };
    const token = Object.assign(Object.create(Object.getPrototypeOf(first.token) as object), first.token, {
      content: first.token.content.replace(TASK, ''),
    }) as Node['token'];
    return { token: node.token, children: [{ token, children: first.children }, ...rest] };
  };
  return cut(item, 2);
}

function table(node: Node, { dialect, tables, source }: Walk): readonly Line[] {
  if (tables === 'bullets') return tableAsList(node, dialect).map((text) => ({ text }));
  if (tables === 'code') return [{ text: dialect.codeBlock(tableAsText(node)), fixed: true }];
  const [from, to] = node.token.map ?? [0, 0];
  return source.slice(from, lastWritten(from, to, source)).map((line) => ({ text: dialect.escape(line.trim()) }));
}
