/** Cuts one page of lines out of a text. Pure. */

export const MAX_LINES = 2000;
export const MAX_BYTES = 50 * 1024;

export type Page =
  /** `lines`: how many are shown; `text` ends with how to go on when there is more. */
  | { readonly ok: true; readonly text: string; readonly lines: number; readonly totalLines: number }
  | { readonly ok: false; readonly error: string };

export function pageOf(
  text: string,
  { offset = 1, limit = MAX_LINES }: { offset?: number | undefined; limit?: number | undefined },
): Page {
  if (text === '') return { ok: true, text: '(the file is empty)', lines: 0, totalLines: 0 };
  const first = Math.max(1, Math.trunc(offset));
  const { lines: wanted, totalLines } = linesFrom(text, first, Math.min(MAX_LINES, Math.max(1, Math.trunc(limit))));
  if (first > totalLines)
    return { ok: false, error: `offset ${first} is past the end; the file has ${totalLines} lines.` };
  const lines = fitting(wanted);
  if (lines === 0) return { ok: true, text: longLine(wanted[0]!, first, totalLines), lines: 1, totalLines };
  const last = first + lines - 1;
  const footer =
    last < totalLines ? `\n\n[Lines ${first}-${last} of ${totalLines}. Use offset=${last + 1} to continue.]` : '';
  return { ok: true, text: wanted.slice(0, lines).join('\n') + footer, lines, totalLines };
}

/** Walks over the line breaks without making a string of every line: a log may have a million. */
function linesFrom(
  text: string,
  first: number,
  count: number,
): { readonly lines: readonly string[]; readonly totalLines: number } {
  const lines: string[] = [];
  let totalLines = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    totalLines++;
    if (totalLines >= first && lines.length < count)
      lines.push(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end));
    start = end + 1;
  }
  return { lines, totalLines };
}

/** How many lines fit the byte limit. */
function fitting(lines: readonly string[]): number {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) return index;
  }
  return lines.length;
}

function longLine(line: string, number: number, total: number): string {
  const head = Buffer.from(line)
    .subarray(0, MAX_BYTES)
    .toString('utf8')
    .replace(/(?<!\uFFFD)\uFFFD+$/, '');
  const next = number < total ? ` Use offset=${number + 1} to continue with the next line.` : '';
  return (
    `${head}\n\n[Line ${number} of ${total} is ${Math.ceil(Buffer.byteLength(line) / 1024)} KB long; only its ` +
    `first ${MAX_BYTES / 1024} KB are shown.${next}]`
  );
}
