/** The change of an edit as a unified diff of one hunk, for people to look at. Pure. */

const AROUND = 3;

export function hunk(
  before: string,
  { start, end, inserted }: { start: number; end: number; inserted: string },
): { readonly firstLine: number; readonly diff: string } {
  const lineStart = before.lastIndexOf('\n', start - 1) + 1;
  const nextBreak = before.indexOf('\n', Math.max(lineStart, end - (end > start && before[end - 1] === '\n' ? 1 : 0)));
  const lineEnd = nextBreak === -1 ? before.length : nextBreak;
  const firstLine = before.slice(0, lineStart).split('\n').length;
  const removed = split(before.slice(lineStart, lineEnd));
  const added = split(
    (before.slice(lineStart, start) + inserted + before.slice(end, Math.max(end, lineEnd))).replace(/\n$/, ''),
  );
  const ahead = split(before.slice(0, Math.max(0, lineStart - 1))).slice(lineStart === 0 ? Infinity : -AROUND);
  const behind = nextBreak === -1 ? [] : split(before.slice(nextBreak + 1)).slice(0, AROUND);
  const from = firstLine - ahead.length;
  const header =
    `@@ -${from},${ahead.length + removed.length + behind.length} ` +
    `+${from},${ahead.length + added.length + behind.length} @@`;
  const mark =
    (sign: string) =>
    (line: string): string =>
      sign + line;
  return {
    firstLine,
    diff: [
      header,
      ...ahead.map(mark(' ')),
      ...removed.map(mark('-')),
      ...added.map(mark('+')),
      ...behind.map(mark(' ')),
    ].join('\n'),
  };
}

const split = (text: string): string[] => text.split(/\r?\n/);
