/** Whether a text fits the pattern of its field, without letting a pattern hold up the page. */

const MAX_PATTERN_CHARS = 200;
const MAX_TEXT_CHARS = 200;
/** Repetition of what repeats or offers a choice: the time to refuse a text may double with each character. */
const RUNAWAY = /\([^()]*[+*{|?][^()]*\)[+*{]|\\[1-9]|\)\)[+*{]/;
const MAX_REPEATS = 3;

/** True as well for patterns that are no use, or too expensive. */
export function fitsPattern(text: string, pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern === '' || text.length > MAX_TEXT_CHARS) return true;
  if (pattern.length > MAX_PATTERN_CHARS || RUNAWAY.test(pattern)) return true;
  if ((pattern.match(/[+*]|\{\d*,\d*\}/g) ?? []).length > MAX_REPEATS) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}
