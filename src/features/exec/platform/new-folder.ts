/** Makes a folder that was not there before. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ensureDir } from '../../../platform/files.ts';
import { errnoOf, isMissing, storageError } from '../../../platform/storage-error.ts';

/** Private (0700). False when something of that name exists. Throws `AppError('storage')`. */
export async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    if (!isMissing(error)) throw storageError('create the directory', path, error);
  }
  await ensureDir(dirname(path));
  return makeFolder(path);
}
