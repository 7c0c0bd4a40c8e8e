/**
 * Reads the command lines in `lines/*.txt`, one per row as typed; `⏎` is a line feed, and rows that begin with `# ` and
 * have none are comments.
 */
import { readFileSync } from 'node:fs';

export function linesOf(name: string): readonly string[] {
  const rows = readFileSync(new URL(`lines/${name}.txt`, import.meta.url), 'utf8').split('\n');
  return rows
    .filter((row) => row !== '' && (!row.startsWith('# ') || row.includes('⏎')))
    .map((row) => row.replaceAll('⏎', '\n'));
}

/** `@work@` and `@home@` become the folders they stand for. */
export const placed = (
  line: string,
  { workspace, home }: { readonly workspace: string; readonly home: string },
): string => line.replaceAll('@work@', workspace).replaceAll('@secret@', `${home}/secret`).replaceAll('@home@', home);
