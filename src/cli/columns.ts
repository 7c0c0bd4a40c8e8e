/** Plain-text tables for the terminal; no cell can control it. */
import { terminalText } from './terminal-text.ts';

/**
 * Rows of cells, each column as wide as its widest cell; the last one is not padded. Cells hold names and texts of
 * other people: their controls are written out, and a line feed is a space.
 */
export function columns(outside: readonly (readonly string[])[]): string {
  const rows = outside.map((cells) => cells.map((cell) => terminalText(cell).replaceAll('\n', ' ')));
  const widths = rows.reduce<number[]>(
    (wide, row) => row.map((cell, index) => Math.max(wide[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A table with headings, or `empty` when there is nothing to show. */
export const listing = (headings: readonly string[], rows: readonly (readonly string[])[], empty: string): string =>
  rows.length === 0 ? empty : columns([headings.map((heading) => heading.toUpperCase()), ...rows]);
