/**
 * Cuts texts to length without splitting a character. Lengths are UTF-16 code units, like `String.length`; a character
 * is a code point, so that a sequence that is displayed as one symbol may be split. Nothing throws.
 */

/** Replaces the rest of a text that was cut; one character. */
const ELLIPSIS = '…';

/** `at`, or one less where that is between the two halves of a surrogate pair. */
export function characterStart(text: string, at: number): number {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)) ? at - 1 : at;
}

/** The first `units` of the text, one less where a pair would be cut in two; none for `units` of zero and less. */
export const head = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, characterStart(text, Math.max(0, units)));

/**
 * At most `max` units, the ellipsis among them: what fits comes back as it is, of the rest the beginning and `…`.
 * Empty for a `max` of zero and less.
 */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : max < 1 ? '' : `${head(text, max - 1)}${ELLIPSIS}`;

/** For limits that do not count the ellipsis: a text of more than `units` becomes its first `units` and `…`. */
export const excerpt = (text: string, units: number): string =>
  text.length <= units ? text : `${head(text, units)}${ELLIPSIS}`;

/** Like `excerpt`, with the length of what was cut: `Once upon a… (1200 characters)`. */
export const sizedExcerpt = (text: string, units: number): string =>
  text.length <= units ? text : `${head(text, units)}${ELLIPSIS} (${text.length} characters)`;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
