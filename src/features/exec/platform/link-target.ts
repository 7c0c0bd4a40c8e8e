/** Where a symbolic link leads, as it is written. */
import { readlink } from 'node:fs/promises';
import { errnoOf, isMissing, storageError } from '../../../platform/storage-error.ts';

/** Undefined for what is no link, or not there. Throws `AppError('storage')`. */
export async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'EINVAL') return undefined;
    throw storageError('read the link', path, error);
  }
}
