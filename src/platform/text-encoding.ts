/** Text files as they really are: UTF-8 with or without a mark, UTF-16, and the old Windows code page; everything else is binary. */

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
  /** A byte order mark was there; it is not part of `text`. */
  readonly bom: boolean;
}

/** Bytes looked at to tell text from binary. */
const PROBE = 8192;

/** Undefined for binary content. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const marked = markOf(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked, bom: true };
  const probe = bytes.subarray(0, PROBE);
  if (probe.includes(0)) {
    const wide = unmarkedUtf16(probe);
    return wide && { text: new TextDecoder(wide).decode(bytes), encoding: wide, bom: false };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', bom: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return looksWritten(probe) ? { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252', bom: false } : undefined;
  }
}

/** The bytes of a text in the encoding it was read with. `windows-1252` cannot be written. */
export function encodeText({ text, encoding, bom }: { text: string; encoding: Exclude<TextEncoding, 'windows-1252'>; bom: boolean }): Uint8Array {
  const marked = bom ? `\uFEFF${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

function markOf(bytes: Uint8Array): Exclude<TextEncoding, 'windows-1252'> | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Western text in UTF-16 has a zero in nearly every other byte, always on the same side. */
function unmarkedUtf16(probe: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (probe.length < 4) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of probe.entries()) if (byte === 0) zeros[index % 2]!++;
  const half = probe.length / 2;
  if (zeros[1]! > half * 0.7 && zeros[0]! < half * 0.05) return 'utf-16le';
  return zeros[0]! > half * 0.7 && zeros[1]! < half * 0.05 ? 'utf-16be' : undefined;
}

/** Few control characters: a person wrote it. */
function looksWritten(probe: Uint8Array): boolean {
  let controls = 0;
  for (const byte of probe) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) controls++;
  return controls <= probe.length * 0.01;
}
