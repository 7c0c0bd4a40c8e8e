/** Tells the pictures models can see by their first bytes; a file's name proves nothing. */

export function imageMime(bytes: Uint8Array): 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | undefined {
  const at = (offset: number, ascii: string): boolean => [...ascii].every((char, index) => bytes[offset + index] === char.charCodeAt(0));
  if (bytes[0] === 0x89 && at(1, 'PNG\r\n')) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'image/gif';
  return at(0, 'RIFF') && at(8, 'WEBP') ? 'image/webp' : undefined;
}
