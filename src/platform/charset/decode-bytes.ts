/** Decodes text of unknown encoding: by its byte order mark, then its structure, then its letters. */
import { guessCodePage } from './code-page.ts';
import { unmarkedUnicode } from './unmarked-unicode.ts';

/** Bytes as text, and in which charset they were written. */
export interface Decoded {
  readonly text: string;
  /** Label as `TextDecoder` spells it, or `utf-32le`, `utf-32be`. */
  readonly charset: string;
}

/** What is known of the bytes besides themselves. */
export interface DecodeOptions {
  /** Believed where the bytes allow it and do not say better themselves. */
  readonly declared?: string | undefined;
  /** Taken for text in which no code page makes sense; absent: such bytes are no text. */
  readonly otherwise?: string;
  /** Distinguishes code pages; absent: a quick check of the letters of the most common ones. */
  readonly old?: OldCharsets | undefined;
}

/** Charsets from before Unicode. */
export interface OldCharsets {
  guess(bytes: Uint8Array): string | undefined;
  /** The name of one that `TextDecoder` does not have, when this reads it. */
  reads(label: string): string | undefined;
  /** Leniently. */
  decode(charset: string, bytes: Uint8Array): string;
}

const COMMONEST: OldCharsets = {
  guess: guessCodePage,
  reads: () => undefined,
  decode: (charset, bytes) => new TextDecoder(charset).decode(bytes),
};

/** Bytes that are checked to detect a charset. */
const PROBE = 64 * 1024;

/** Undefined: the bytes are no text. */
export function decodeBytes(bytes: Uint8Array, options: DecodeOptions = {}): Decoded | undefined {
  const charset = detectCharset(bytes, options);
  const { old = COMMONEST } = options;
  if (charset !== 'utf-8') return charset === undefined ? undefined : { text: decodeAs(charset, bytes, old), charset };
  const text = decodeAs('utf-8', bytes, old);
  // Seven-bit at the beginning and something else later: the later part decides.
  const wrong =
    text.indexOf('\uFFFD') < 0 || decodes('utf-8', bytes, false) ? -1 : bytes.findIndex((byte) => byte > 0x7f);
  const later = wrong < PROBE / 2 ? 'utf-8' : detectCharset(bytes.subarray(wrong - 512), { old });
  return later === undefined || later === 'utf-8'
    ? { text, charset: 'utf-8' }
    : { text: decodeAs(later, bytes, old), charset: later };
}

/** The charset the beginning of a file shows. */
export function detectCharset(
  bytes: Uint8Array,
  { declared, otherwise, old = COMMONEST }: DecodeOptions = {},
): string | undefined {
  const marked = byteOrderMark(bytes);
  if (marked) return marked;
  const probe = bytes.subarray(0, PROBE);
  const wide = unmarkedUnicode(probe);
  if (wide) return wide;
  if (hasTooManyControls(probe)) return undefined;
  const label = knownLabel(declared) ?? (declared === undefined ? undefined : old.reads(declared));
  if (shiftsIntoJapanese(probe)) return 'iso-2022-jp';
  const cut = probe.length < bytes.length;
  if (decodes('utf-8', probe, cut)) return 'utf-8';
  if (label && !label.startsWith('utf-') && (label.startsWith('cp') || decodes(label, probe, cut))) return label;
  return isDamagedUtf8(probe) ? 'utf-8' : (old.guess(probe) ?? otherwise);
}

/** Decodes leniently; a byte order mark is not part of the text. */
function decodeAs(charset: string, bytes: Uint8Array, old: OldCharsets): string {
  return charset.startsWith('utf-32') ? decodeUtf32(bytes, charset === 'utf-32le') : old.decode(charset, bytes);
}

/** ISO-2022-JP is seven-bit: only its escape sequences (`ESC $ B`, `ESC $ @`) tell it from plain text. */
function shiftsIntoJapanese(probe: Uint8Array): boolean {
  for (let at = probe.indexOf(0x1b); at >= 0; at = probe.indexOf(0x1b, at + 1)) {
    if (probe[at + 1] === 0x24 && (probe[at + 2] === 0x40 || probe[at + 2] === 0x42)) return true;
  }
  return false;
}

/** The charset a byte order mark names. `FF FE 00 00` is UTF-32: UTF-16 text does not begin with a zero character. */
export function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length >= 4 ? 'utf-32le' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'utf-32be' : undefined;
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, littleEndian);
    if (at > 0 || point !== 0xfeff) parts.push(String.fromCodePoint(point <= 0x10ffff ? point : 0xfffd));
  }
  return parts.join('');
}

/** Printed text has none; a few escape sequences and form feeds are borne. */
function hasTooManyControls(probe: Uint8Array): boolean {
  let controls = 0;
  for (const byte of probe) if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) controls++;
  return probe.includes(0) || controls > probe.length * 0.01;
}

/** Bytes that may be text of a charset from before Unicode, whichever. */
export const isEightBitText = (bytes: Uint8Array): boolean => !hasTooManyControls(bytes.subarray(0, PROBE));

/** `cut`: there is more, a sequence may end behind `bytes`. */
function decodes(charset: string, bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** Ten good sequences for each broken one: a fault on the way, not another charset. */
function isDamagedUtf8(probe: Uint8Array): boolean {
  let good = 0;
  let bad = 0;
  for (const char of new TextDecoder().decode(probe)) {
    if (char === '\uFFFD') bad++;
    else if (char > '\x7f') good++;
  }
  return good >= 10 && bad * 10 <= good;
}

function knownLabel(declared: string | undefined): string | undefined {
  if (declared === undefined) return undefined;
  try {
    return new TextDecoder(declared.trim()).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
