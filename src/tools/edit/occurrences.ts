/** Where a passage stands in a text, in time that grows with their lengths alone, whatever they say. Pure. */

/** Nobody reads more places. */
const MAX = 20;
/**
 * Up to so many comparisons the built-in search is quicker, and never slow. On long repetitive texts it compares
 * everything with everything.
 */
const FEW = 10_000_000;

/** The first places, overlapping ones too. `wanted` is not empty. */
export function occurrences(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  if (text.length * wanted.length > FEW) return byPrefixes(text, wanted);
  for (let at = text.indexOf(wanted); at !== -1 && found.length < MAX; at = text.indexOf(wanted, at + 1))
    found.push(at);
  return found;
}

/**
 * Knuth, Morris and Pratt: after a mismatch the search goes on with the longest beginning of the passage that is still
 * matched.
 */
function byPrefixes(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  const shorter = prefixesOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length && found.length < MAX; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && (matched === wanted.length || wanted.charCodeAt(matched) !== code))
      matched = shorter[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched++;
    if (matched === wanted.length) found.push(at + 1 - matched);
  }
  return found;
}

/** For each beginning of the passage: how long the longest shorter beginning is that it also ends with. */
function prefixesOf(wanted: string): Uint32Array {
  const shorter = new Uint32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    const code = wanted.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = shorter[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched++;
    shorter[at] = matched;
  }
  return shorter;
}
