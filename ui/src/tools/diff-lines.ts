/** Parses the hunks of a unified diff into numbered lines. Pure. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
  /** The line number in the new file; in the old file for removed lines. */
  readonly line?: number;
}

export function diffLines(diff: string): readonly DiffLine[] {
  let before = 1;
  let after = 1;
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line): DiffLine[] => {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
      if (hunk) {
        before = Number(hunk[1]);
        after = Number(hunk[2]);
        return [{ kind: 'hunk', text: hunk[3]!.trim() }];
      }
      if (line.startsWith('+')) return [{ kind: 'added', text: line.slice(1), line: after++ }];
      if (line.startsWith('-')) return [{ kind: 'removed', text: line.slice(1), line: before++ }];
      if (line.startsWith('\\ ')) return [];
      before++;
      return [{ kind: 'same', text: line.slice(1), line: after++ }];
    });
}

/** `+3 −1`, for the headline of the card. */
export function diffSize(diffs: readonly { readonly diff: string }[]): string {
  const lines = diffs.flatMap(({ diff }) => diffLines(diff));
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return lines.length === 0 ? '' : `+${count('added')} −${count('removed')}`;
}
