/**
 * Reads response bodies piece by piece up to a limit. The limit counts decompressed bytes, so that a small compressed
 * response cannot fill the memory.
 */

/** The first bytes, at most `maxBytes` of them. `whole` is false where there were more; the source is closed then. */
export async function readAtMost(
  pieces: AsyncIterable<Uint8Array> | null | undefined,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly whole: boolean }> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces ?? []) {
    kept.push(piece);
    size += piece.byteLength;
    if (size > maxBytes) break; // leaving the loop closes the source
  }
  return { bytes: Buffer.concat(kept, Math.min(size, maxBytes)), whole: size <= maxBytes };
}

/** What this needs of a `Response`, be it Node's own or a library's. */
export interface BodyCarrier {
  readonly headers: { get(name: string): string | null };
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<unknown> }) | null;
}

/** The limit of a body, and the error for one over it. */
export interface BodyLimit {
  readonly maxBytes: number;
  /** The error of a body over the limit; `bytes`: how many were announced, undefined where they were counted. */
  tooLarge(bytes: number | undefined): Error;
}

/**
 * The whole body. Rejects with `tooLarge` as soon as the limit is passed, or the size announced for it is over the
 * limit; the connection is closed then. What the connection fails with comes as it is.
 */
export async function readBody({ headers, body }: BodyCarrier, { maxBytes, tooLarge }: BodyLimit): Promise<Buffer> {
  const announced = Number(headers.get('content-length') ?? 0);
  if (announced > maxBytes) {
    await body?.cancel();
    throw tooLarge(announced);
  }
  const { bytes, whole } = await readAtMost(body, maxBytes);
  if (!whole) throw tooLarge(undefined);
  return bytes;
}
