/** What a file system holds and has left, in bytes and in files. */
import { statfs } from 'node:fs/promises';
import { isMissing, storageError } from '../../../platform/storage-error.ts';

/** What is left on a file system. */
export interface DiskRoom {
  /** Bytes an ordinary user may still write. */
  readonly freeBytes: number;
  readonly usedFiles: number;
  /** Undefined on file systems that make room for files as they come. */
  readonly freeFiles: number | undefined;
}

/**
 * What the file system at `path` holds and has left; undefined when there is no such path. Throws
 * `AppError('storage')`.
 */
export async function diskRoom(path: string): Promise<DiskRoom | undefined> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(path);
    return { freeBytes: bavail * bsize, usedFiles: files - ffree, freeFiles: files === 0 ? undefined : ffree };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError('measure the disk of', path, error);
  }
}
