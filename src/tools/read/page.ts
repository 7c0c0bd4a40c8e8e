/** Cuts one page of lines out of a text. Pure. */

export const MAX_LINES = 2000;
export const MAX_BYTES = 50 * 1024;

export type Page =
  /** `lines`: how many are shown; `text` ends with how to go on when there is more. */
  | { readonly ok: true; readonly text: string; readonly lines: number; readonly totalLines: number }
  | { readonly ok: false; readonly error: string };

export function pageOf(text: string, { offset = 1, limit = MAX_LINES }: { offset?: number | undefined; limit?: number | undefined }): Page {
  if (text === '') return { ok: true, text: '(the file is empty)', lines: 0, totalLines: 0 };
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const first = Math.max(1, Math.trunc(offset));
  if (first > all.length) return { ok: false, error: `offset ${first} is past the end; the file has ${all.length} lines.` };
  const wanted = all.slice(first - 1, first - 1 + Math.min(MAX_LINES, Math.max(1, Math.trunc(limit)))).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const lines = fitting(wanted);
  if (lines === 0) return { ok: true, text: longLine(wanted[0]!, first, all.length), lines: 1, totalLines: all.length };
  const last = first + lines - 1;
  const footer = last < all.length ? `\n\n[Lines ${first}-${last} of ${all.length}. Use offset=${last + 1} to continue.]` : '';
  return { ok: true, text: wanted.slice(0, lines).join('\n') + footer, lines, totalLines: all.length };
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
  const head = Buffer.from(line).subarray(0, MAX_BYTES).toString('utf8').replace(/\uFFFD+$/, '');
  const next = number < total ? ` Use offset=${number + 1} to continue with the next line.` : '';
  return `${head}\n\n[Line ${number} of ${total} is ${Math.ceil(Buffer.byteLength(line) / 1024)} KB long; only its first ${MAX_BYTES / 1024} KB are shown.${next}]`;
}
