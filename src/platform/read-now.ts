/** Reads a small file at once, for a command line that has nothing else to do meanwhile. */
import { readFileSync } from 'node:fs';
import { errnoOf, storageError } from './storage-error.ts';

const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** The whole file as UTF-8, undefined when there is none. Throws `AppError('storage')`. */
export function readTextNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (NO_FILE.has(errnoOf(error) ?? '')) return undefined;
    throw storageError('read', path, error);
  }
}
