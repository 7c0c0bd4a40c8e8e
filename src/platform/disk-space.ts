/** Reads the free space of a disk. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, storageError } from './storage-error.ts';

/** Bytes an ordinary user may still write at `path`, or where it would be made. Throws `AppError('storage')`. */
export async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (isMissing(error) && dirname(path) !== path) return freeBytes(dirname(path));
    throw storageError('measure the disk of', path, error);
  }
}
