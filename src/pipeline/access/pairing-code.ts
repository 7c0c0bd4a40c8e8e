/** Pairing codes: short enough to read aloud, with too many combinations to guess. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 symbols without 0, O, 1 and I, which people take for one another. */
const SYMBOLS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** 40 random bits; `taken` codes are not given again. */
export function newCode(taken: readonly string[], random: (size: number) => Uint8Array = randomBytes): string {
  for (;;) {
    const code = [...random(LENGTH)].map((byte) => SYMBOLS[byte % SYMBOLS.length]).join('');
    if (!taken.includes(code)) return code;
  }
}

/** The one whose code was given; looks at all of them, so that the time taken tells nothing. */
export function byCode<T extends { readonly code: string }>(all: readonly T[], input: string): T | undefined {
  const wanted = padded(input.trim().toUpperCase());
  return all.filter(({ code }) => timingSafeEqual(padded(code), wanted))[0];
}

const padded = (code: string): Buffer => {
  const bytes = Buffer.alloc(64);
  bytes.write(code, 'utf8');
  return bytes;
};
