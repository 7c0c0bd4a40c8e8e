/** Outside text as a terminal may show it: nothing in it moves the cursor, colours, renames or answers. Pure. */
import { head } from '../core/cut.ts';

/**
 * All controls but the line feed and the tab, and what reorders a line. A lone escape is enough: what follows it is
 * harmless then, also when a stream cuts a sequence in two.
 */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Each control is written out as `⟨U+001B⟩`; carriage returns go, for they end lines of some systems. */
export const terminalText = (text: string): string =>
  text.replaceAll('\r', '').replace(CONTROLS, (char) => `⟨U+${hex(char)}⟩`);

/** The same on one line, at most `max` characters. */
export function terminalLine(text: string, max = Infinity): string {
  const line = terminalText(text).replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${head(line, max - 1)}…`;
}

const hex = (char: string): string => char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
