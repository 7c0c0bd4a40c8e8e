/** JSON with binary data in the format of the library's own files, so that a login made elsewhere can be used. */

interface Spelled {
  readonly type: 'Buffer';
  readonly data: string | readonly number[];
}

const isSpelled = (value: unknown): value is Spelled =>
  typeof value === 'object' &&
  value !== null &&
  (value as { readonly type?: unknown }).type === 'Buffer' &&
  (typeof (value as Spelled).data === 'string' || Array.isArray((value as Spelled).data));

const spelled = (bytes: Uint8Array | readonly number[]): Spelled => ({
  type: 'Buffer',
  data: Buffer.from(bytes as Uint8Array).toString('base64'),
});

export const toBinaryJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => {
    if (one instanceof Uint8Array) return spelled(one);
    // A `Buffer` turned itself into its numbers before this is called.
    return isSpelled(one) && typeof one.data !== 'string' ? spelled(one.data) : one;
  });

/** Undefined for what is no JSON. */
export function fromBinaryJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, one: unknown) =>
      isSpelled(one) ? (typeof one.data === 'string' ? Buffer.from(one.data, 'base64') : Buffer.from(one.data)) : one,
    ) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
