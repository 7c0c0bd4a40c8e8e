/** Detects binary lines in output, and replaces a run of them with one remark. */

export const BINARY_REMARK = '[binary output, not shown]';

/**
 * A line needs this many signs, and three in ten characters, to begin a run; a few broken characters are still text.
 */
const MIN_SIGNS = 4;
/** In the middle of binary data short lines without a sign are accidents, unless they read like words. */
const MIN_TEXT = 8;
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N} ._:,/-]*$/u;

export interface BinaryWatch {
  /** In the middle of a run. */
  binary(): boolean;
  /**
   * `signs`: zero bytes, invalid bytes and odd controls among the `seen` characters. Undefined: the line is left out,
   * with its line break.
   */
  shown(text: string, signs: number, seen: number): string | undefined;
}

export function createBinaryWatch(): BinaryWatch {
  let binary = false;
  return {
    binary: () => binary,
    shown(text, signs, seen) {
      const before = binary;
      binary = before
        ? signs > 0 || (text.length < MIN_TEXT && !WORDS.test(text))
        : signs >= MIN_SIGNS && signs * 10 > seen * 3;
      // Between pieces of text a zero byte ends a record (`find -print0`).
      if (!binary) return signs > 0 ? text.replaceAll('\0', '\n') : text;
      return before ? undefined : BINARY_REMARK;
    },
  };
}
