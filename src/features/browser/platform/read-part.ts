/** Reads parts of a file. */
import { open } from 'node:fs/promises';
import { errnoOf } from '../../../platform/storage-error.ts';

/** Fewer bytes at the end of the file; undefined: the file does not exist. */
export async function readPart(
  path: string,
  { offset, bytes }: { readonly offset: number; readonly bytes: number },
): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return undefined;
  }
}
