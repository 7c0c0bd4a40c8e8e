/** Converts code blocks to plain lines with a language, without highlighting markup and line numbers. */
import { ELEMENT_NODE, element, TEXT_NODE, textOf, type DomDocument, type DomElement, type DomNode } from './dom.ts';

const GUTTER =
  '.lineno, .linenos, .linenodiv, .gutter, .rouge-gutter, .lnt, .ln, .line-number, .line-numbers, ' +
  '.line-numbers-rows, .line-numbers-wrapper, .hljs-ln-numbers, .blob-num, [data-pseudo-content]';
const BLOCK = /^(?:div|li|p|tr)$/;
/** Elements above a block that may name its language. */
const MAX_DEPTH = 4;
const LABEL = '.language-name, .lang, .code-lang';
const NAMES: Readonly<Record<string, string>> = {
  shell: 'sh',
  'shell-session': 'console',
  plaintext: '',
  plain: '',
  text: '',
  txt: '',
  none: '',
  default: '',
  nohighlight: '',
  py: 'python',
};
const IN_CLASS =
  /(?:^|\s)(?:(?:language|lang|highlight-source|highlight|code|brush)[-:]\s?|sourceCode\s|rust-?|(?=(?:rust|python|ruby|javascript)(?:\s|$)))([\w+#.-]+)?/i;
const NO_LANGUAGE = /^(?:wrapper|block|header|example|container|toolbar|content|highlight|source|table|title)$/i;

export function writeCode(document: DomDocument): void {
  for (const table of document.querySelectorAll('table')) codeTable(document, table);
  for (const pre of document.querySelectorAll('pre')) if (!listing(document, pre)) rewrite(document, pre, pre);
}

/** Code in a table: numbers in one cell, lines in the other; or a row for each line, as in a comparison. */
function codeTable(document: DomDocument, table: DomElement): void {
  const lines = [...table.querySelectorAll('td.blob-code, td.hljs-ln-code, td.diff-code')];
  if (lines.length > 0) {
    const text = lines.map(markedLine).join('\n');
    return table.replaceWith(
      block(
        document,
        text,
        lines.some((cell) => cell.matches('.blob-code-addition, .blob-code-deletion')) ? 'diff' : languageOf(table),
      ),
    );
  }
  const gutter = table.querySelector('td.lntd, td.linenos, td.gutter, td.rouge-gutter');
  const cells = gutter ? [...(gutter.parentNode?.children ?? [])] : [];
  const code = cells.at(-1);
  if (!gutter || !code || code === gutter) return;
  const pre = code.querySelector('pre');
  rewrite(document, pre ?? code, table);
}

/** The sign of a comparison may stand in the text, or be drawn from an attribute. */
function markedLine(cell: DomElement): string {
  const text = (cell.textContent ?? '').replace(/\n$/, '');
  const sign = cell.querySelector('[data-code-marker]')?.getAttribute('data-code-marker') ?? '';
  return text.startsWith(sign) ? text : sign + text;
}

/** A list of files is lines with links. */
function listing(document: DomDocument, pre: DomElement): boolean {
  const links = [...pre.querySelectorAll('a[href]')].filter(
    (link) => !/^(?:#|\?|javascript:)/.test(link.getAttribute('href')!),
  );
  if (links.length < 2 || pre.querySelector('code, span') !== null) return false;
  const lines = (pre.textContent ?? '').split('\n').length;
  if (links.length * 2 < lines) return false;
  const list = document.createElement('p');
  for (let node = pre.firstChild; node; ) {
    const next: DomNode | null = node.nextSibling;
    const parts = node.nodeType === TEXT_NODE ? (node.textContent ?? '').split('\n') : [];
    if (parts.length > 0)
      list.append(...parts.flatMap((part, index) => (index > 0 ? [document.createElement('br'), part] : [part])));
    else if (node.nodeType === ELEMENT_NODE && (node as DomElement).localName !== 'hr') list.append(node);
    node = next;
  }
  pre.replaceWith(list);
  return true;
}

/** The lines of `source` in the place of `around`. */
function rewrite(document: DomDocument, source: DomElement, around: DomElement): void {
  const language = languageOf(source);
  for (const number of source.querySelectorAll(GUTTER))
    if (!number.matches('pre, code') && !number.contains(source)) number.remove();
  const lines = linesOf(source).replaceAll('\u00A0', ' ').replace(/^\n+/, '').trimEnd();
  const quiet = language === '' && lines.startsWith('>>> ') ? 'python' : language;
  if (lines.trim() === '') around.remove();
  else around.replaceWith(block(document, lines, quiet));
}

function block(document: DomDocument, text: string, language: string): DomElement {
  const code = element(document, 'code', text);
  if (language !== '') code.setAttribute('class', `language-${language}`);
  return element(document, 'pre', code);
}

/** What a block element begins is a line of its own, and so is each span called a line where no characters end them. */
function linesOf(root: DomElement): string {
  const out: string[] = [];
  const spans = !(root.textContent ?? '').trim().includes('\n') && root.querySelectorAll('br').length === 0;
  const isLine = (at: DomElement): boolean =>
    BLOCK.test(at.localName) ||
    (spans &&
      at.localName === 'span' &&
      /(?:^|\s)(?:line|code-line|view-line)(?:\s|$)/.test(at.getAttribute('class') ?? ''));
  const breakLine = (): void => {
    if (out.length > 0 && !out.at(-1)!.endsWith('\n')) out.push('\n');
  };
  const visit = (node: DomNode): void => {
    if (node.nodeType === TEXT_NODE) {
      const text = node.textContent ?? '';
      if (text !== '') out.push(text);
    } else if (node.nodeType === ELEMENT_NODE) {
      const line = node !== root && isLine(node as DomElement);
      const before = out.length;
      if (line) breakLine();
      if ((node as DomElement).localName === 'br') out.push('\n');
      for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
      if (line && out.length === before) out.push('\n');
      else if (line) breakLine();
    }
  };
  visit(root);
  return out.join('');
}

/** The name a page gives the language of a block: on it, inside it, or around it. */
function languageOf(source: DomElement): string {
  const inside = source.querySelector('code');
  for (const at of [inside, ...above(source)]) {
    const named = at && nameOn(at);
    if (named !== undefined && named !== null) return named;
  }
  const label = labelBefore(source);
  return label ? (NAMES[textOf(label).toLowerCase()] ?? textOf(label).toLowerCase()) : '';
}

/** The line above a block may say what language it is in. */
function labelBefore(source: DomElement): DomElement | null {
  let at = source.previousSibling;
  for (let step = 0; at && step < MAX_DEPTH; step++, at = at.previousSibling) {
    if (at.nodeType !== ELEMENT_NODE) continue;
    const near = at as DomElement;
    return near.matches(LABEL) ? near : near.querySelector(LABEL);
  }
  return null;
}

function* above(from: DomElement): Generator<DomElement> {
  let at: DomElement | null = from;
  for (let step = 0; at?.nodeType === ELEMENT_NODE && step < MAX_DEPTH; step++) {
    yield at;
    at = at.parentNode;
  }
  const highlighter = from.closest('.syntaxhighlighter');
  if (highlighter) yield highlighter;
}

function nameOn(at: DomElement): string | undefined {
  const classes = at.getAttribute('class') ?? '';
  const written =
    at.getAttribute('data-lang') ??
    at.getAttribute('data-language') ??
    /^syntaxhighlighter\s+([\w-]+)/.exec(classes)?.[1] ??
    (/^rust(?:\s|$)/.test(classes) ? 'rust' : IN_CLASS.exec(classes)?.[1]);
  const name = written?.toLowerCase();
  if (name === undefined || NO_LANGUAGE.test(name) || !/^[\w+#.-]{1,30}$/.test(name)) return undefined;
  return NAMES[name] ?? name;
}
