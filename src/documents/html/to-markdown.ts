/** Converts a part of a page to Markdown; keeps headings, lists, tables and code, and makes links absolute. */
import gfm from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { childNodes, ELEMENT_NODE, textOf, type DomElement, type DomNode } from './dom.ts';
import { FORMULA, formulaText } from './formulas.ts';
import { HEADED, tableRules } from './tables.ts';

/** Markup becomes shorter on the way, so somewhat more than wanted is converted. */
const TEXT_PER_CHAR = 1.5;
const ELEMENTS_PER_CHAR = 0.1;
/** Coloured code has an element around every word, which costs less than others. */
const SPAN = 0.25;
const MAX_COLUMNS = 100;

export function toMarkdown(
  content: DomElement,
  { base, maxChars }: { base: string | undefined; maxChars: number },
): string {
  cutAfter(content, { chars: maxChars * TEXT_PER_CHAR + 1000, elements: maxChars * ELEMENTS_PER_CHAR + 500 });
  for (const link of content.querySelectorAll('a')) resolve(link, base);
  return tidy(converter().turndown(content.outerHTML));
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    br: '',
  });
  // Backslashes before every `_` and `[` help no reader and break names in code.
  service.escape = (text) => text;
  service.use([gfm.strikethrough, gfm.taskListItems]);
  const as = (node: unknown): DomElement => node as DomElement;
  service.addRule('cell', { filter: ['td', 'th'], replacement: tableRules.cell });
  service.addRule('row', { filter: 'tr', replacement: tableRules.row });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (text) => text });
  service.addRule('table', {
    filter: 'table',
    replacement: (text, node) => tableRules.table(text, as(node).hasAttribute(HEADED)),
  });
  service.addRule('formula', {
    filter: (node) => node.nodeName.toLowerCase() === FORMULA,
    replacement: (_text, node) => formulaText(as(node)),
  });
  service.addRule('listItem', {
    filter: 'li',
    replacement: (text, node, options) => item(marker(as(node), options.bulletListMarker ?? '-'), text.trim()),
  });
  service.addRule('term', { filter: 'dt', replacement: (text) => `\n\n${text.trim()}\n` });
  service.addRule('meaning', { filter: 'dd', replacement: (text) => `\n: ${text.trim().replaceAll(/\n/g, '\n  ')}\n` });
  return service;
}

/** Lines of an item stand under its first; a paragraph right before a list is part of the line above it. */
function item(mark: string, text: string): string {
  const lines = text.replace(/^(\[[ x]\]) +/, '$1 ').replaceAll(/\n\n(?=(?:-|\d+\.) )/g, '\n');
  return `${mark}${lines.replaceAll('\n', `\n${' '.repeat(Math.min(mark.length, 3))}`)}\n`;
}

/** Letters and roman numbers of a list as the page counts. */
function counted(list: DomElement, number: number): string {
  const letter =
    (list.getAttribute('type') ?? '') === 'a' ? 97 : (list.getAttribute('type') ?? '') === 'A' ? 65 : undefined;
  return letter !== undefined && number >= 1 && number <= 26
    ? String.fromCharCode(letter + number - 1)
    : String(number);
}

function marker(item: DomElement, bullet: string): string {
  const list = item.parentNode;
  if (list?.tagName !== 'OL') return `${bullet} `;
  const start = Number(list.getAttribute('start') ?? 1);
  // Turndown's own tree has collections that cannot be iterated.
  return `${counted(list, start + Array.from(list.children as unknown as ArrayLike<DomElement>).indexOf(item))}. `;
}

/**
 * Removes everything behind the first `chars` characters of text or the first `elements` elements, and the far right of
 * wide tables.
 */
function cutAfter(root: DomElement, room: { chars: number; elements: number }): void {
  let { chars, elements } = room;
  const cells = new Map<DomNode | null, number>();
  let node: DomNode | null = root;
  while (node) {
    const full: boolean = chars <= 0 || elements <= 0 || isBeyondTable(node, cells);
    const next: DomNode | null = (full ? null : node.firstChild) ?? following(node, root);
    if (full) node.remove();
    else if (node.nodeType === ELEMENT_NODE) elements -= (node as DomElement).localName === 'span' ? SPAN : 1;
    else chars -= shorten(node, chars);
    node = next;
  }
}

/** Counts the cells of each row; nobody reads a table that is wider than so many. */
function isBeyondTable(node: DomNode, cells: Map<DomNode | null, number>): boolean {
  if (node.nodeType !== ELEMENT_NODE || !/^t[dh]$/.test((node as DomElement).localName)) return false;
  const count = (cells.get(node.parentNode) ?? 0) + 1;
  cells.set(node.parentNode, count);
  return count > MAX_COLUMNS;
}

/** Cuts a text to `chars` characters and long runs of spaces to short ones; answers its length. */
function shorten(node: DomNode, chars: number): number {
  const text = node.textContent ?? '';
  const kept = text.slice(0, chars).replaceAll(/(\s{60})\s+/g, '$1');
  if (kept.length < text.length) node.textContent = kept;
  return kept.length;
}

/** The next node in document order that is not inside `node`. */
function following(node: DomNode, root: DomElement): DomNode | null {
  for (let at: DomNode | null = node; at && at !== root; at = at.parentNode) if (at.nextSibling) return at.nextSibling;
  return null;
}

/** A link inside the page, or to something that is no page, is its text; marks that link a heading to itself go. */
function resolve(link: DomElement, base: string | undefined): void {
  const href = link.getAttribute('href')?.trim() ?? '';
  const target = href.startsWith('#') ? null : URL.parse(href, base);
  if (target && /^(https?|mailto):$/.test(target.protocol)) link.setAttribute('href', target.href);
  else if (/^[#¶§🔗]?$/u.test(textOf(link))) link.remove();
  else link.replaceWith(...childNodes(link));
}

/**
 * Characters nobody sees: tags, direction overrides, soft hyphens, zero-width spaces. Joiners stay: scripts and emoji
 * need them.
 */
const INVISIBLE = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069\u00AD\u200B\u2060\uFEFF]/gu;

const tidy = (markdown: string): string =>
  markdown
    .replaceAll(INVISIBLE, '')
    .replaceAll('\u00A0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
