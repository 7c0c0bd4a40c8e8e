/** Extracts a range of lines from a log. Pure. */

/** Lines shown when nobody says how many. */
export const DEFAULT_LINES = 200;

export interface LogWindow {
  readonly output: string;
  /** 0-based; of an empty window: where it would begin. */
  readonly firstLine: number;
  readonly lines: number;
  readonly totalLines: number;
}

/**
 * `offset` (0-based) with `limit`: that window; `limit` alone: the last lines; `offset` alone: to the end; neither: the
 * last 200.
 * Negative numbers count as 0; a line break at the very end begins no line; CRLF becomes LF.
 */
export function logWindow(
  text: string,
  { offset, limit }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
): LogWindow {
  const plain = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  const totalLines = countLines(plain);
  const from = whole(offset);
  const count = whole(limit) ?? (from === undefined ? DEFAULT_LINES : totalLines);
  const firstLine = from === undefined ? Math.max(0, totalLines - count) : Math.min(from, totalLines);
  const lines = Math.min(count, totalLines - firstLine);
  return { output: lines === 0 ? '' : slice(plain, firstLine, lines), firstLine, lines, totalLines };
}

const whole = (value: number | undefined): number | undefined =>
  value === undefined || Number.isNaN(value) ? undefined : Math.max(0, Math.trunc(value));

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** Walks over the line breaks without making a string of every line. */
function slice(text: string, first: number, lines: number): string {
  const start = skip(text, 0, first);
  const end = skip(text, start, lines);
  return text.slice(start, text[end - 1] === '\n' ? end - 1 : end);
}

/** The index behind so many lines from `at` on. */
function skip(text: string, at: number, lines: number): number {
  let index = at;
  for (let left = lines; left > 0 && index < text.length; left--) {
    const found = text.indexOf('\n', index);
    index = found < 0 ? text.length : found + 1;
  }
  return index;
}
