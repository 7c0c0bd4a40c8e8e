/** Detects text that is meaningless because its font has no Unicode map. */

/** Of the characters; a formula or an icon here and there is borne. */
const MAX_MEANINGLESS = 0.2;

export function isGarbage(text: string): boolean {
  const meaningless = text.match(/[\p{Co}\p{Cn}\uFFFD\0-\x08\x0E-\x1F\x7F-\x9F]/gu)?.length ?? 0;
  const all = text.match(/\S/gu)?.length ?? 0;
  return meaningless > all * MAX_MEANINGLESS;
}
