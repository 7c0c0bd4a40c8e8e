/** A stored file with the facts that retention needs. */

/** One file. */
export interface StoredFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Bytes of all of them. */
export const totalBytes = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Those last written before a moment, and the oldest of the others as far as they exceed the budget. */
export function expired(
  files: readonly StoredFile[],
  { before, maxBytes = Infinity }: { readonly before: number; readonly maxBytes?: number },
): readonly StoredFile[] {
  const newestFirst = files.toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  let total = 0;
  const firstOut = newestFirst.findIndex(({ bytes, modifiedAt }) => modifiedAt < before || (total += bytes) > maxBytes);
  return firstOut < 0 ? [] : newestFirst.slice(firstOut);
}
