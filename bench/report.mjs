/** Collects the results and prints them as one table. */
import { show, spread } from './statistics.mjs';

/**
 * `add(what, unit, values, target)`: one value per repetition; `target` is `{ atMost }` or `{ atLeast }` for the
 * median.
 */
export function createReport() {
  const rows = [];
  return {
    rows,
    add(what, unit, values, target = {}) {
      const known = values.filter((value) => !Number.isNaN(value));
      const row = { what, unit, ...target };
      rows.push(
        known.length === 0
          ? { ...row, missing: 'needs /proc' }
          : { ...row, ...spread(known), ...resultAgainst(spread(known).median, target) },
      );
    },
  };
}

export function printTable(rows) {
  const cells = [['what', 'median (min–max)', 'target', 'result'], ...rows.map(asCells)];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = cells.map(line);
  console.log([head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n'));
}

function asCells({ what, unit, median, min, max, missing, atMost, atLeast, ok }) {
  const target = atMost !== undefined ? `≤ ${atMost} ${unit}` : atLeast !== undefined ? `≥ ${atLeast} ${unit}` : '';
  return [
    what,
    missing ?? `${show(median)} ${unit} (${show(min)}–${show(max)})`,
    target,
    ok === undefined ? '' : ok ? 'met' : 'MISSED',
  ];
}

const resultAgainst = (median, { atMost, atLeast }) =>
  atMost === undefined && atLeast === undefined
    ? {}
    : { ok: median <= (atMost ?? Infinity) && median >= (atLeast ?? -Infinity) };
