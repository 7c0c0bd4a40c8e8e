/** Reads and writes text files in their own encoding. */
import { byteOrderMark, decodeBytes } from './decode-bytes.ts';

/** A text file that can be written back in the encoding it had. */
export interface DecodedText {
  readonly text: string;
  /** As `TextDecoder` spells it, or `utf-32le`, `utf-32be`. */
  readonly encoding: string;
  /** A byte order mark was there; it is not part of `text`. */
  readonly bom: boolean;
}

/** Undefined for binary content. What is written and fits no code page is shown as `windows-1252`. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const decoded = decodeBytes(bytes, { otherwise: 'windows-1252' });
  return decoded && { text: decoded.text, encoding: decoded.charset, bom: byteOrderMark(bytes) !== undefined };
}

/** The bytes of a text in the encoding it was read with; undefined for encodings that are only read. */
export function encodeText({ text, encoding, bom }: DecodedText): Buffer | undefined {
  const marked = bom ? `\uFEFF${text}` : text;
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(marked, 'utf8');
    case 'utf-16le':
      return Buffer.from(marked, 'utf16le');
    case 'utf-16be':
      return Buffer.from(marked, 'utf16le').swap16();
    default:
      return undefined;
  }
}
