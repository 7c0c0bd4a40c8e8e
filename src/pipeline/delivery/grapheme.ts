/** Finds positions where text can be cut without splitting a grapheme. */

/** Looks this far around a cut; longer clusters are cut between code points. */
const NEAR = 64;

/** The last such place in `(from, to]`; `to` itself when there is none. Linear in `NEAR`. */
export function wholeCharacters(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length;
  if (plain(text.charCodeAt(to - 1)) && plain(text.charCodeAt(to))) return to;
  const begin = segmentStart(text, Math.max(from, to - NEAR), to);
  let last = 0;
  for (const { index } of segmenter().segment(text.slice(begin, to + NEAR))) {
    if (begin + index > to) break;
    last = index;
  }
  if (begin + last > from) return begin + last;
  return lowSurrogate(text.charCodeAt(to)) && to - 1 > from ? to - 1 : to;
}

/** The runtime keeps its tables from the first on; they take 5 ms of a start that cuts nothing. */
const segmenter = (): Intl.Segmenter => new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** ASCII and other letters that join with nothing. */
const plain = (code: number): boolean => code < 0x300 && code !== 0x0d && code !== 0x0a;
const lowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Segments are counted from a character that begins one for certain, where there is such a one. */
function segmentStart(text: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) if (plain(text.charCodeAt(at)) && text.charCodeAt(at) < 0x80) return at;
  return lowSurrogate(text.charCodeAt(from)) && from + 1 < to ? from + 1 : from;
}
