/** Draws QR codes: as PNG for browsers and apps, and as characters for terminals. */
import { crc32, deflateSync } from 'node:zlib';

/** Light modules around the code, as readers need them. */
const BORDER = 4;
const PIXELS_PER_MODULE = 6;

/** A `data:` URL of a PNG with one bit per pixel. */
export async function qrPicture(text: string): Promise<string> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { border: BORDER, ecc: 'M' });
  const width = size * PIXELS_PER_MODULE;
  const row = (dark: readonly boolean[]): Buffer => {
    const bytes = Buffer.alloc(1 + Math.ceil(width / 8)); // the first byte names the filter: none
    for (let x = 0; x < width; x++)
      if (!dark[Math.floor(x / PIXELS_PER_MODULE)]) bytes[1 + (x >> 3)]! |= 0x80 >> (x & 7);
    return bytes;
  };
  const rows = data.flatMap((modules) => Array.from({ length: PIXELS_PER_MODULE }, () => row(modules)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set([1, 0, 0, 0, 0], 8); // one bit per pixel, greyscale
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Two rows of the code in one line, dark on light whatever the colours of the terminal. */
export async function qrLines(text: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  return renderUnicodeCompact(text, { border: 2, ecc: 'L' });
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
