/** A text as lines that keep how they end, so that what is not touched stays as it is. Pure. */

export interface FileLine {
  readonly text: string;
  /** Empty behind the last line of a file without a final line break. */
  readonly ending: string;
}

export function splitLines(text: string): readonly FileLine[] {
  const lines: FileLine[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const windows = found > start && text[found - 1] === '\r';
    lines.push({
      text: text.slice(start, windows ? end - 1 : end),
      ending: found === -1 ? '' : windows ? '\r\n' : '\n',
    });
    start = end + 1;
  }
  return lines;
}

/** How most lines end. */
export function usualEnding(lines: readonly FileLine[]): string {
  const windows = lines.filter(({ ending }) => ending === '\r\n').length;
  return windows > lines.length / 2 ? '\r\n' : '\n';
}

/**
 * A file that had no final line break gets none; lines that came to stand before others get one. `before`: as it was.
 */
export function joinLines(lines: readonly FileLine[], before: readonly FileLine[]): string {
  const ending = usualEnding(before);
  const open = before.length > 0 && before.at(-1)!.ending === '';
  return lines
    .map(
      (line, index) =>
        line.text + (index < lines.length - 1 ? line.ending || ending : open ? '' : line.ending || ending),
    )
    .join('');
}
