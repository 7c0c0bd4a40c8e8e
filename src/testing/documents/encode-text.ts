/** Encodes text in any charset this runtime can decode, by inverting the decoder. */

/** Bytes of `text`; throws for a character the set does not have. */
export function encodeText(text: string, charset: string): Uint8Array {
  if (charset === 'utf-16le' || charset === 'utf-16be')
    return charset === 'utf-16le' ? Buffer.from(text, 'utf16le') : Buffer.from(text, 'utf16le').swap16();
  if (charset.startsWith('utf-32')) return utf32(text, charset === 'utf-32le');
  const table = reversed(charset);
  return Uint8Array.from(
    Array.from(text).flatMap((char) => {
      const bytes = table.get(char);
      if (!bytes) throw new Error(`${charset} has no ${char}`);
      return bytes;
    }),
  );
}

function utf32(text: string, littleEndian: boolean): Uint8Array {
  const points = Array.from(text, (char) => char.codePointAt(0)!);
  const view = new DataView(new ArrayBuffer(points.length * 4));
  points.forEach((point, index) => view.setUint32(index * 4, point, littleEndian));
  return new Uint8Array(view.buffer);
}

function reversed(charset: string): Map<string, number[]> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, number[]>();
  const add = (bytes: number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (Array.from(text).length === 1 && text !== '\uFFFD' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add([byte]);
  if (/^(windows|iso|koi8|macintosh)/.test(charset)) return table;
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail]);
  return table;
}
