/** Checks a text against the pattern of its field, with a time limit, so that a pattern cannot block the page. */

const MAX_PATTERN_CHARS = 200;
const MAX_TEXT_CHARS = 200;
const MAX_REPEATS = 3;
const REPEATS: ReadonlySet<string> = new Set('+*{');

/** True as well for patterns that are no use, or too expensive. */
export function fitsPattern(text: string, pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern === '' || text.length > MAX_TEXT_CHARS) return true;
  if (pattern.length > MAX_PATTERN_CHARS || runsAway(pattern)) return true;
  if ([...pattern].filter((sign) => REPEATS.has(sign)).length > MAX_REPEATS) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}

/**
 * Repetition of what repeats or offers a choice, or a reference to what was matched: the time to refuse a text may
 * double with each character.
 */
function runsAway(pattern: string): boolean {
  const open: boolean[] = [];
  let closed = false;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at]!;
    if (closed && REPEATS.has(sign)) return true;
    closed = false;
    if (sign === '\\') {
      if (/[1-9k]/.test(pattern[++at] ?? '')) return true;
    } else if (sign === '(') open.push(false);
    else if (sign === ')') {
      closed = open.pop() ?? false;
      if (closed && open.length > 0) open[open.length - 1] = true;
    } else if ((REPEATS.has(sign) || sign === '|' || sign === '?') && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}
