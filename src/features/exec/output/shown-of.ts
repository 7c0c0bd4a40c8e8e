/** How much of long output a model sees: a part of the beginning and of the end. Pure. */

/** Characters of head and tail, together `outputMaxChars`. */
export function shownOf({ outputMaxChars }: { readonly outputMaxChars: number }): {
  readonly headChars: number;
  readonly tailChars: number;
} {
  const headChars = Math.floor((outputMaxChars * 4) / 15);
  return { headChars, tailChars: outputMaxChars - headChars };
}
