/** Reads the pixel size of a picture from its first bytes, because a browser would have to decode it. Pure. */

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Above this number of pixels a picture needs 200 MB of memory, whatever its file size. */
const MAX_PIXELS = 50_000_000;

export const isTooLarge = ({ width, height }: PictureSize): boolean => width * height > MAX_PIXELS;

/** Undefined: unknown format. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (text: string, at = 0): boolean =>
    bytes.length >= at + text.length && [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0));
  if (starts('\u0089PNG') && bytes.length >= 24) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (starts('GIF8') && bytes.length >= 10) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (starts('RIFF') && starts('WEBP', 8)) return webpSize(view, starts);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(view) : undefined;
}

function webpSize(view: DataView, starts: (text: string, at: number) => boolean): PictureSize | undefined {
  if (view.byteLength < 30) return undefined;
  const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
  if (starts('VP8X', 12)) return { width: three(24) + 1, height: three(27) + 1 };
  if (starts('VP8 ', 12))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  const bits = view.getUint32(21, true);
  return starts('VP8L', 12) ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined;
}

/** Skips segments until the frame header. */
function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const kind = view.getUint8(at + 1);
    if (kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc)
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += kind === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
