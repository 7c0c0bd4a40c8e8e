/** Renders a table for platforms without tables: as a list, or aligned in monospace. */
import type { MarkdownDialect } from './dialect.ts';
import { inline, words } from './inline.ts';
import type { Node } from './tree.ts';

type Cell = readonly Node[];

const rowsOf = (table: Node): readonly (readonly Cell[])[] =>
  table.children
    .flatMap((part) => part.children)
    .map((row) => row.children.map((cell) => cell.children[0]?.children ?? []));

/** One entry for each row: its first cell, and below it every other cell with its column's name. */
export function tableAsList(table: Node, dialect: MarkdownDialect): readonly string[] {
  const [head = [], ...rows] = rowsOf(table);
  return rows.flatMap((row) => {
    const [first = [], ...rest] = row;
    const cells = rest.map((cell, index) => labelled(inline(head[index + 1] ?? [], dialect), inline(cell, dialect)));
    const title = inline(first, dialect, ['bold']);
    const marked = title === '' ? '' : dialect.bold[0] + title + dialect.bold[1];
    if (cells.length === 1) return [dialect.bullet + labelled(marked, inline(rest[0]!, dialect))];
    return [dialect.bullet + marked, ...cells.map((cell) => `  ${cell}`)];
  });
}

const labelled = (label: string, value: string): string => (label === '' ? value : `${label}: ${value}`);

/** Columns padded with spaces, a line under the head; the text of a code block. */
export function tableAsText(table: Node): string {
  const rows = rowsOf(table).map((row) => row.map((cell) => words(cell).replace(/\s+/g, ' ').trim()));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => width(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    widths
      .map((wide, column) => padded(row[column] ?? '', wide))
      .join(' | ')
      .trimEnd();
  const [head = [], ...body] = rows;
  return [line(head), widths.map((wide) => '-'.repeat(wide)).join('-|-'), ...body.map(line)].join('\n');
}

/** Ideographs and emoji take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const width = (text: string): number =>
  [...text].reduce((sum, char) => sum + (/\p{M}|\u200d|\ufe0f/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
const padded = (text: string, wide: number): string => text + ' '.repeat(Math.max(0, wide - width(text)));
