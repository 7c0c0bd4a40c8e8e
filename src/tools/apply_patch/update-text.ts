/** Applies the hunks of one file to its text and shows the change as a unified diff. Pure. */
import { joinLines, splitLines, usualEnding, type FileLine } from './file-lines.ts';
import type { Hunk } from './patch.ts';
import { placeHunk, readableLines } from './place-hunk.ts';

export interface UpdatedText {
  readonly text: string;
  readonly diff: string;
  /** A place was found by leaving differences in spaces, quotes or dashes out of account. */
  readonly loose: boolean;
}

/** Unchanged lines stay as the file has them, also where the patch spells them differently. Throws `PatchProblem`. */
export function updateText(text: string, hunks: readonly Hunk[], path: string): UpdatedText {
  const before = splitLines(text);
  const file = readableLines(before.map((line) => line.text));
  const ending = usualEnding(before);
  const after: FileLine[] = [];
  // Hundreds of thousands of lines are more than a call takes.
  const keep = (lines: readonly FileLine[]): void => {
    for (const line of lines) after.push(line);
  };
  const diff: string[] = [];
  let from = 0;
  let loose = false;
  for (const hunk of hunks) {
    const place = placeHunk(file, hunk, { path, from });
    keep(before.slice(from, place.at));
    const change = applied(hunk, { before, at: place.at, ending });
    diff.push(
      `@@ -${place.at + 1},${change.end - place.at} +${after.length + 1},${change.lines.length} @@`,
      change.diff.join('\n'),
    );
    keep(change.lines);
    from = change.end;
    loose ||= place.loose;
  }
  keep(before.slice(from));
  return { text: joinLines(after, before), diff: diff.join('\n'), loose };
}

/** `end`: the line of the file behind the hunk. */
function applied(
  { changes }: Hunk,
  { before, at, ending }: { before: readonly FileLine[]; at: number; ending: string },
): { readonly lines: readonly FileLine[]; readonly end: number; readonly diff: readonly string[] } {
  const lines: FileLine[] = [];
  const diff: string[] = [];
  let end = at;
  for (const { sign, text } of changes) {
    const line = sign === '+' ? { text, ending } : before[end++]!;
    if (sign !== '-') lines.push(line);
    diff.push(sign + line.text);
  }
  return { lines, end, diff };
}
