/** Matches names against patterns with `*`, without regular expressions, so that no pattern can be slow. Pure. */

/** Whether the whole text is the pattern, each run of `*` standing for anything or nothing. */
export function fitsStars(pattern: string, text: string): boolean {
  const parts = pattern.split(/\*+/);
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
