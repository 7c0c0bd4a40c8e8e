/**
 * Finds UTF-16 and UTF-32 without a byte order mark, in both byte orders, for any script; binary content does not pass.
 */

type Wide = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

const PROBE = 4096;

/** UTF-16 or UTF-32 without a byte order mark, detected by its zero bytes; undefined for everything else. */
export function unmarkedUnicode(bytes: Uint8Array): Wide | undefined {
  const probe = bytes.subarray(0, PROBE);
  if (probe.length < 4 || !hasByteNoEightBitTextHas(probe)) return undefined;
  return utf32(probe, bytes.length) ?? utf16(probe, bytes.length);
}

/** Sixteen-bit text of any length has them: the space, the line break, 一, 。 and a good part of all other characters. */
function hasByteNoEightBitTextHas(probe: Uint8Array): boolean {
  return probe.some((byte) => byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
}

function utf32(probe: Uint8Array, length: number): Wide | undefined {
  if (length % 4 !== 0) return undefined;
  const view = new DataView(probe.buffer, probe.byteOffset, probe.byteLength);
  const points = (littleEndian: boolean): number[] =>
    Array.from({ length: probe.length >> 2 }, (_, at) => view.getUint32(at * 4, littleEndian));
  const isText = (decoded: number[]): boolean =>
    decoded.every(isWritten) && plausibility(String.fromCodePoint(...decoded)) >= ENOUGH;
  return isText(points(true)) ? 'utf-32le' : isText(points(false)) ? 'utf-32be' : undefined;
}

const isWritten = (point: number): boolean =>
  (point >= 32 || (point >= 9 && point <= 13)) &&
  point <= 0x10ffff &&
  (point < 0xd800 || point > 0xf8ff) &&
  !(point >= 0x7f && point < 0xa0);

function utf16(probe: Uint8Array, length: number): Wide | undefined {
  if (length % 2 !== 0) return undefined;
  const little = plausibility(new TextDecoder('utf-16le').decode(probe));
  const big = plausibility(new TextDecoder('utf-16be').decode(probe));
  if (Math.max(little, big) < ENOUGH) return undefined;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

const ENOUGH = 0.7;
/** What text in any language is full of. */
const USUAL = /[\t\n\r\x20-\x7e\u3000-\u3002\uFF0C\uFF1A\uFF1F\uFF01]/;
/** Never in text: controls, halves of pairs, private use, unassigned. */
const NEVER = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\uFFFD]/u;
const SCRIPTS = [
  /[\u00A0-\u024F\u2010-\u2044\u20A0-\u20BF]/,
  /[\u0370-\u03FF]/,
  /[\u0400-\u052F]/,
  /[\u0590-\u05FF]/,
  /[\u0600-\u06FF]/,
  /[\u0900-\u0DFF]/,
  /[\u0E00-\u0EFF]/,
  /[\u3001-\u30FF\u4E00-\u9FFF\uFF01-\uFFEF]/,
  /[\uAC00-\uD7A3]/,
  /\p{Emoji}/u,
];

/** 1 for plain text, about 0.8 for one script, below `ENOUGH` for anything that is not written in one. */
function plausibility(text: string): number {
  const inScript = SCRIPTS.map(() => 0);
  let usual = 0;
  let bad = 0;
  let count = 0;
  for (const char of text) {
    count++;
    if (USUAL.test(char)) usual++;
    else if (NEVER.test(char)) bad++;
    else {
      const script = SCRIPTS.findIndex((pattern) => pattern.test(char));
      if (script >= 0) inScript[script]!++;
    }
  }
  return (usual + 0.8 * Math.max(...inScript) - 10 * bad) / count;
}
