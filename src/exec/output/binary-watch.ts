/** Tells lines of binary data from text, and has one remark stand for a run of them. */

export const BINARY_REMARK = '[binary output, not shown]';

/** A line needs this many signs, and one in five characters, to begin a run; a few broken characters are still text. */
const MIN_SIGNS = 8;
/** A line this short in the middle of binary data is an accident. */
const MIN_TEXT = 2;

export interface BinaryWatch {
  /** In the middle of a run. */
  binary(): boolean;
  /** `signs`: zero bytes, invalid bytes and odd controls among the `seen` characters. Undefined: the line is left out, with its line break. */
  shown(text: string, signs: number, seen: number): string | undefined;
}

export function createBinaryWatch(): BinaryWatch {
  let binary = false;
  return {
    binary: () => binary,
    shown(text, signs, seen) {
      const before = binary;
      binary = before ? signs > 0 || text.length < MIN_TEXT : signs >= MIN_SIGNS && signs * 5 > seen;
      if (!binary) return text;
      return before ? undefined : BINARY_REMARK;
    },
  };
}
