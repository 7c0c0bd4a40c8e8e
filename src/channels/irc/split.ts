/** Splits text into lines that fit an IRC message, at word ends and never inside a character. Pure. */

/** `bytes`: of the text of one line, as the server passes it on. */
export function splitText(text: string, bytes: number): readonly string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => cutLine(line, bytes));
}

function cutLine(line: string, bytes: number): readonly string[] {
  const parts: string[] = [];
  let rest = line;
  while (Buffer.byteLength(rest) > bytes) {
    const fits = fittingChars(rest, bytes);
    const space = rest.lastIndexOf(' ', fits - 1);
    // The space stays at the end of its line: nothing is lost where lines are put together again.
    const at = space > fits / 2 ? space + 1 : fits;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return rest === '' ? parts : [...parts, rest];
}

/** How much of the text fits, in code units: whole graphemes as far as one of them fits at all. */
function fittingChars(text: string, bytes: number): number {
  const state = { bytes: 0, chars: 0 };
  for (const { segment } of graphemes.segment(text)) {
    const more = Buffer.byteLength(segment);
    if (state.bytes + more > bytes) break;
    state.bytes += more;
    state.chars += segment.length;
  }
  return state.chars > 0 ? state.chars : firstCodePoints(text, bytes);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A pile of marks that fits into no line is cut between its characters. */
function firstCodePoints(text: string, bytes: number): number {
  const state = { bytes: 0, chars: 0 };
  for (const char of text) {
    state.bytes += Buffer.byteLength(char);
    if (state.bytes > bytes && state.chars > 0) break;
    state.chars += char.length;
  }
  return state.chars;
}
