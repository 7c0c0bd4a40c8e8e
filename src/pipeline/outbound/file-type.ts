/** Detects the type of a file to send: from its bytes, then its name. */
/** Bytes of the beginning that tell it. */
export const TELLING_BYTES = 64 * 1024;

/** `mime`: what somebody says it is. The reader of types is loaded with the first file. */
export async function typeOfFile(
  head: Uint8Array,
  { name = '', mime = '' }: { readonly name?: string | undefined; readonly mime?: string | undefined },
): Promise<string> {
  const [{ sniff }, { decideType }] = await Promise.all([
    import('../../documents/type/sniff.ts'),
    import('../understanding/attachment-type.ts'),
  ]);
  return decideType(await sniff(head, { name, mime }), { name, mime }).mime;
}
