/** Reads width and height from a picture's first bytes, without decoding: PNG, GIF, BMP, JPEG, WebP. */

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Undefined when the bytes are none of these formats or end too early. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { magic, at = 0, least, read } of FORMATS) {
    if (view.length >= least && view.subarray(at, at + magic.length).equals(Buffer.from(magic, 'latin1')))
      return read(view);
  }
  return undefined;
}

interface Format {
  readonly magic: string;
  readonly at?: number;
  /** Bytes `read` may touch without asking. */
  readonly least: number;
  readonly read: (view: Buffer) => PictureSize | undefined;
}

const FORMATS: readonly Format[] = [
  // PNG (W3C PNG 3, 11.2.1): IHDR is the first chunk.
  {
    magic: '\x89PNG\r\n\x1A\n',
    least: 24,
    read: (view) => ({ width: view.readUInt32BE(16), height: view.readUInt32BE(20) }),
  },
  // GIF89a specification, 18: logical screen.
  { magic: 'GIF8', least: 10, read: (view) => ({ width: view.readUInt16LE(6), height: view.readUInt16LE(8) }) },
  // BITMAPINFOHEADER; a negative height is a picture stored from the top.
  {
    magic: 'BM',
    least: 26,
    read: (view) => ({ width: Math.abs(view.readInt32LE(18)), height: Math.abs(view.readInt32LE(22)) }),
  },
  { magic: '\xFF\xD8\xFF', least: 4, read: jpegSize },
  { magic: 'WEBP', at: 8, least: 30, read: webpSize },
];

/** ITU T.81, B.2.2: the frame header is behind any number of other segments. */
function jpegSize(view: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 <= view.length && view[at] === 0xff; ) {
    const marker = view[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
    // 0xff may be repeated as a filler.
    at += marker === 0xff ? 1 : 2 + view.readUInt16BE(at + 2);
  }
  return undefined;
}

/** RFC 9649, 2.4–2.7: the simple lossy, lossless and extended layouts. */
function webpSize(view: Buffer): PictureSize | undefined {
  const layout = view.toString('latin1', 12, 16);
  if (layout === 'VP8 ') return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff };
  if (layout === 'VP8X') return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 };
  if (layout !== 'VP8L') return undefined;
  const bits = view.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
