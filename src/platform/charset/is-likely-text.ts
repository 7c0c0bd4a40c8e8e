/** Whether decoded text is plausible: words use one script, with the usual positions of capitals and punctuation. */

/** Control characters, what could not be decoded, and lines of frames, which stand around words but not in prose. */
const NEVER = /[\u0080-\u009F\uFFFD]/;
const FRAMES_IN_WORDS = /\p{L}[\u2500-\u259F]|[\u2500-\u259F]\p{L}/u;
/** Signs do not stand between letters; `·` and the apostrophes do. */
const SIGN_IN_WORD = /\p{L}[“”„‚¡-©«-±´¶¸¹»-¿×÷†‡•…‰‹›€™˘-˝¬∆◊√∞≈≠≤≥]\p{L}/u;
/** `wOrd`, `KÜln`. */
const ODD_CAPITAL = /\p{Ll}\p{Lu}\p{Ll}|\p{L}(?![A-Z])\p{Lu}\p{Ll}/u;
/** Marks stand on letters. */
const LONE_MARK = /(?<![\p{L}\p{M}])\p{M}/u;
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
];

/** Whether somebody could have written this: no control characters, no marks and letters where no language has them. */
export function isLikelyText(text: string): boolean {
  if (NEVER.test(text) || FRAMES_IN_WORDS.test(text) || SIGN_IN_WORD.test(text) || LONE_MARK.test(text)) return false;
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).every(
    (word) =>
      /^[\x00-\x7F]*$/.test(word) ||
      (!ODD_CAPITAL.test(word) && SCRIPTS.filter((script) => script.test(word)).length < 2),
  );
}
