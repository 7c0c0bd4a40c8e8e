/** Normalizes characters that editors and models write differently: quotes, dashes, spaces. Pure. */

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...[...'\u2018\u2019\u201A\u201B'].map((char) => [char, "'"] as const),
  ...[...'\u201C\u201D\u201E\u201F'].map((char) => [char, '"'] as const),
  ...[...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((char) => [char, '-'] as const),
  ...[...'\u00A0\u2002\u2003\u2009\u202F\u3000'].map((char) => [char, ' '] as const),
]);
const ANY = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g');

/** One UTF-16 unit in, one out: offsets stay what they are. */
export const plainChar = (char: string): string => PLAIN.get(char) ?? char;

/** Typographic dashes, quotes, spaces and the like as the characters keyboards have. */
export const plainText = (text: string): string => text.replace(ANY, plainChar);
