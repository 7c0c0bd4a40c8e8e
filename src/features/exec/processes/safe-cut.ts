/** Where incomplete bytes can be cut without splitting a character, a control sequence or a line end. Pure. */

/** A longer unfinished sequence is none. */
const LONGEST = 256;
const ESC = 0x1b,
  CR = 0x0d;
const UNFINISHED = /^\x1b(?:|[ -/]+|\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?)$/;

/** How many of the bytes are whole; never more than a few hundred fewer than there are. */
export function safeCut(bytes: Uint8Array): number {
  const sequence = unfinishedSequence(bytes);
  if (sequence !== undefined) return sequence;
  const end = bytes.length - unfinishedCharacter(bytes);
  return bytes[end - 1] === CR ? end - 1 : end;
}

function unfinishedSequence(bytes: Uint8Array): number | undefined {
  const from = Math.max(0, bytes.length - LONGEST);
  for (let at = bytes.length - 1; at >= from; at--) {
    if (bytes[at] !== ESC) continue;
    if (UNFINISHED.test(Buffer.from(bytes.subarray(at)).toString('latin1'))) return stringStart(bytes, at, from);
  }
  return undefined;
}

/** The ESC at the very end may be half of what ends a string. */
function stringStart(bytes: Uint8Array, at: number, from: number): number {
  for (let earlier = at - 1; earlier >= from; earlier--) {
    if (bytes[earlier] === ESC)
      return UNFINISHED.test(Buffer.from(bytes.subarray(earlier)).toString('latin1')) ? earlier : at;
  }
  return at;
}

/** Bytes of a UTF-8 character at the end whose rest is missing. */
function unfinishedCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
