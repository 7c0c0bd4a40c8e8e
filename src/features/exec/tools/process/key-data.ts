/** Converts the input of `send-keys` to bytes: literal text, then hex bytes, then keys. Pure. */
import { encodeKeys } from './key-tokens.ts';

export interface KeyData {
  readonly data: Uint8Array;
  readonly warnings: readonly string[];
}

export function keyData({
  literal = '',
  hex = [],
  keys = [],
}: {
  readonly literal?: string | undefined;
  readonly hex?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
}): KeyData {
  const codes = hex
    .flatMap((entry) => entry.trim().split(/[\s,]+/))
    .filter(Boolean)
    .map((entry) => ({ entry, bytes: bytesOf(entry) }));
  const pressed = encodeKeys(keys.filter((key) => key !== ''));
  return {
    data: Buffer.concat([
      Buffer.from(literal),
      ...codes.flatMap(({ bytes }) => bytes ?? []),
      Buffer.from(pressed.data),
    ]),
    warnings: [
      ...codes.flatMap(({ entry, bytes }) => (bytes ? [] : [`"${entry}" is not a hex byte and was skipped.`])),
      ...pressed.warnings,
    ],
  };
}

/** `1b`, `0x1b`, `1b5b41`. */
function bytesOf(entry: string): Buffer | undefined {
  const digits = entry.replace(/^0x/i, '');
  const even = digits.length === 1 ? `0${digits}` : digits;
  return /^(?:[0-9a-f]{2})+$/i.test(even) ? Buffer.from(even, 'hex') : undefined;
}
