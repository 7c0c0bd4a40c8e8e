/** Escapes characters that are invisible or change the display order, so that a reader sees the whole text. Pure. */

/**
 * Controls, format characters (bidi, zero width, tags), separators, fillers, blanks that are no space, unassigned
 * characters, lone halves.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** `⟨U+001B⟩` for each hidden character; spaces and line feeds stay, and nothing is left out. */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, (char) => (char === ' ' || char === '\n' ? char : codePoint(char)));

/** The same on one line. */
export const visibleLine = (text: string): string => visibleText(text).replaceAll('\n', '⟨U+000A⟩');

const codePoint = (char: string): string => `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
