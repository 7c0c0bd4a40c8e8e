/** Finds the column delimiter of tabular text; finds none in prose or source code. */

export type Delimiter = ',' | ';' | '\t' | '|';

const CANDIDATES: readonly Delimiter[] = ['\t', ';', ',', '|'];
const MAX_ROWS = 20;
/** A sentence has longer pieces between its commas than a table has cells. */
const LONG_CELL = 60;

/** Undefined unless at least two rows have the same number of columns, two or more, and all others do as well. */
export function guessDelimiter(sample: string): Delimiter | undefined {
  const rows = sample
    .slice(0, 65_536)
    .split(/\r\n|\n|\r/)
    .filter((row) => row.trim() !== '')
    .slice(0, MAX_ROWS + 1);
  // The last row of a sample may be cut.
  const whole = rows.length > MAX_ROWS ? rows.slice(0, MAX_ROWS) : rows;
  if (whole.length < 2 || isLikelyCode(whole)) return undefined;
  const fitting = CANDIDATES.map((delimiter) => ({ delimiter, columns: columnsOf(whole, delimiter) })).filter(
    ({ columns }) => columns > 1,
  );
  return fitting.sort((a, b) => b.columns - a.columns)[0]?.delimiter;
}

/** The number all rows share, 0 when they do not. */
function columnsOf(rows: readonly string[], delimiter: Delimiter): number {
  const counts = rows.map((row) => split(row, delimiter));
  const columns = counts[0]!.length;
  const even = counts.every((cells) => cells.length === columns);
  const isProse = delimiter !== '\t' && counts.flat().some((cell) => cell.length > LONG_CELL && !cell.startsWith('"'));
  return even && !isProse ? columns : 0;
}

function split(row: string, delimiter: Delimiter): readonly string[] {
  const unquoted = row.replace(/"[^"]*(?:""[^"]*)*"/g, (quoted) => quoted.replaceAll(delimiter, ' '));
  return unquoted.split(delimiter);
}

/** Every line ends like a statement, opens a block, or is a comment. */
const isLikelyCode = (rows: readonly string[]): boolean =>
  rows.some(
    (row) =>
      /^\s*(import|export|const|let|var|function|def|class|return|#include|from .+ import|\/\/|\/\*)\b/.test(row) ||
      /[{}]\s*$/.test(row),
  ) || rows.every((row) => /;\s*$/.test(row));
