/** Converts tables to grids: spanning cells are repeated, and layout tables are flattened. */
import { element, shortText, textOf, unwrap, type DomDocument, type DomElement } from './dom.ts';

const MAX_COLUMNS = 100;
/** Cells added in all, and characters said again in each. */
const MAX_ADDED = 5000;
const MAX_REPEATED = 200;
const FEW_ROWS = 500;
/** Attribute of a table whose first row is its head. */
export const HEADED = 'data-headed';

export function writeTables(document: DomDocument): void {
  const budget = { cells: MAX_ADDED };
  for (const table of [...document.querySelectorAll('table')].reverse()) {
    if (placesThings(table)) takeApart(document, table);
    else {
      for (const caption of table.querySelectorAll('caption')) {
        const text = textOf(caption);
        caption.remove();
        if (text !== '') table.before(element(document, 'p', text));
      }
      labelEmpty(table);
      if (hasHead(table)) table.setAttribute(HEADED, '');
      expand(document, table, budget);
    }
  }
}

/**
 * A table with tables, headings or articles in its cells is no table to read row by row; inner ones are looked at
 * first.
 */
function placesThings(table: DomElement): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  if (table.querySelector('table, h1, h2, h3, article, section, form, pre, .comment') !== null) return true;
  const rows = rowsOf(table);
  return rows.length === 1 && [...rows[0]!.children].length === 1;
}

function takeApart(document: DomDocument, table: DomElement): void {
  for (const cell of table.querySelectorAll('td, th'))
    if (cell.closest('table') === table) cell.replaceWith(divOf(document, cell));
  for (const part of table.querySelectorAll('tbody, thead, tfoot, tr, caption, colgroup'))
    if (part.closest('table') === table) unwrap(part);
  unwrap(table);
}

function divOf(document: DomDocument, cell: DomElement): DomElement {
  const div = document.createElement('div');
  for (const name of ['class', 'id', 'style'])
    if (cell.hasAttribute(name)) div.setAttribute(name, cell.getAttribute(name)!);
  for (let node = cell.firstChild; node; node = cell.firstChild) div.append(node);
  return div;
}

/** A sign drawn as a picture is what it is called. */
function labelEmpty(table: DomElement): void {
  for (const sign of table.querySelectorAll('[aria-label]')) {
    const cell = sign.closest('td, th');
    if (cell && shortText(cell, 0) === '') sign.replaceWith(sign.getAttribute('aria-label')!.slice(0, 40));
  }
}

function expand(document: DomDocument, table: DomElement, budget: { cells: number }): void {
  const rows = rowsOf(table);
  if (rows.length > FEW_ROWS || table.querySelector('[rowspan], [colspan]') === null) return;
  const carried: ({ text: string; rows: number; name: string } | undefined)[] = [];
  for (const row of rows) {
    const cells = [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');
    let column = 0;
    const copy = (name: string, text: string, before: DomElement | undefined): void => {
      if (budget.cells-- <= 0) return;
      const made = element(document, name, text);
      if (before) before.before(made);
      else row.append(made);
    };
    const carry = (before: DomElement | undefined): void => {
      for (let above = carried[column]; above && above.rows > 0 && column < MAX_COLUMNS; above = carried[column]) {
        copy(above.name, above.text, before);
        carried[column++] = { ...above, rows: above.rows - 1 };
      }
    };
    for (const [index, cell] of cells.entries()) {
      carry(cell);
      const text = shortText(cell, MAX_REPEATED) ?? '';
      const [wide, tall] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')];
      for (let at = 0; at < wide && column < MAX_COLUMNS; at++, column++) {
        carried[column] = { text, rows: tall - 1, name: cell.localName };
        if (at > 0) copy(cell.localName, text, cells[index + 1]);
      }
    }
    carry(undefined);
  }
}

const spanOf = (cell: DomElement, name: string): number =>
  Math.min(
    Math.max(Math.trunc(Number(cell.getAttribute(name) ?? 1)) || 1, 1),
    name === 'colspan' ? MAX_COLUMNS : FEW_ROWS,
  );
const rowsOf = (table: DomElement): DomElement[] =>
  [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);

const hasHead = (table: DomElement): boolean => {
  const [first] = rowsOf(table);
  return (
    first !== undefined &&
    (first.parentNode?.localName === 'thead' || [...first.children].every(({ localName }) => localName === 'th'))
  );
};

/** The rows of a grid in Markdown; the first is the head if the page says so, else the head is empty. */
export const tableRules = {
  cell: (text: string): string =>
    ` ${text
      .trim()
      .replaceAll(/\s*\n\s*/g, '<br>')
      .replaceAll(/(?<!\\)\|/g, '\\|')} |`,
  row: (text: string): string => (text === '' ? '' : `|${text}\n`),
  table(text: string, headed: boolean): string {
    const lines = text.split('\n').filter((line) => line.startsWith('|'));
    const columns = (line: string): number => (line.match(/(?<!\\)\|/g)?.length ?? 1) - 1;
    if (lines.length === 0) return text;
    const width = Math.max(...lines.slice(0, FEW_ROWS).map(columns));
    const full = lines.map((line) => `${line}${'  |'.repeat(Math.max(0, width - columns(line)))}`);
    const rule = `|${' --- |'.repeat(width)}`;
    return `\n\n${(headed ? [full[0]!, rule, ...full.slice(1)] : [`|${'  |'.repeat(width)}`, rule, ...full]).join('\n')}\n\n`;
  },
};
