/** Makes a text from outside inert and keeps it within its limit, although marks make it longer. Pure. */
import { head } from '../../core/cut.ts';
import { neutralise } from '../../core/neutralise.ts';

/** Characters marks may take beyond the limit: enough for any honest text. */
const ROOM_FOR_MARKS = 2000;

/**
 * Cut first, so that little has to be looked at, and once more for a text that is nothing but what has to be marked.
 */
export const inertText = (text: string, maxChars: number): string =>
  cutAt(neutralise(cutAt(text.replace(/\r\n?/g, '\n').trim(), maxChars)), maxChars + ROOM_FOR_MARKS);

function cutAt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${head(text, maxChars).trimEnd()}\n[cut: ${text.length} characters, ${maxChars} shown]`;
}
