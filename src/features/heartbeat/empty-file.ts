/** Whether HEARTBEAT.md contains any task. Pure. */

/**
 * Only blank lines, headings, comments, list items without text, rules and an empty frame of fences: there is nothing
 * to look after.
 */
export function hasNoTasks(markdown: string): boolean {
  return withoutComments(markdown.replace(/^\uFEFF/, ''))
    .split(/\r\n?|\n/)
    .every(isIdle);
}

/**
 * A heading needs its blank: `#tag` is text. Each pattern is tried on one line, and none repeats what its neighbour may
 * take.
 */
const isIdle = (line: string): boolean => {
  const text = line.trim();
  return (
    text === '' ||
    /^#{1,6}(?:\s|$)/.test(text) ||
    /^(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]?\])?$/.test(text) ||
    /^\[[ xX]?\]$/.test(text) ||
    /^(?:-{3,}|\*{3,}|_{3,}|`{3,}|~{3,})$/.test(text)
  );
};

/** A comment nobody closed goes to the end, as a browser has it. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', from)) {
    parts.push(text.slice(from, start));
    const end = text.indexOf('-->', start + 4);
    if (end === -1) return parts.join('');
    from = end + 3;
  }
  return parts.join('') + text.slice(from);
}
