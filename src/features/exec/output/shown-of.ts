/** How much of long output a model is shown: the beginning says what it was, the end how it went. Pure. */

/** Characters of head and tail, together `outputMaxChars`. */
export function shownOf({ outputMaxChars }: { readonly outputMaxChars: number }): {
  readonly headChars: number;
  readonly tailChars: number;
} {
  const headChars = Math.floor((outputMaxChars * 4) / 15);
  return { headChars, tailChars: outputMaxChars - headChars };
}
