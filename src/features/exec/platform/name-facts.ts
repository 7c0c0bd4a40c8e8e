/** What a name in a folder is itself: links are not followed. And making a name that is not there yet. */
import { lstat, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { holdFolder } from '../../../platform/held-folder.ts';
import { errnoOf, isMissing, storageError } from '../../../platform/storage-error.ts';

/** What stands at a name, links not followed. */
export interface NameFacts {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** `device:inode`, exact where numbers would round. */
  readonly id: string;
  /** How many names the file has. */
  readonly names: number;
}

/** Undefined when there is nothing. Throws `AppError('storage')`. */
export async function nameFacts(path: string): Promise<NameFacts | undefined> {
  try {
    const found = await lstat(path, { bigint: true });
    const kind = found.isFile()
      ? 'file'
      : found.isDirectory()
        ? 'directory'
        : found.isSymbolicLink()
          ? 'link'
          : 'other';
    return { kind, id: `${found.dev}:${found.ino}`, names: Number(found.nlink) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError('look at', path, error);
  }
}

/**
 * `path`: real but for its last part, where nothing may be; what is there by now stays. Belongs to whom its folder
 * does. Throws `AppError`.
 */
export async function makeFile(path: string, text: string): Promise<void> {
  await using folder = await holdFolder(dirname(path), { shown: dirname(path) });
  try {
    await using file = await open(join(folder.path, basename(path)), 'wx', 0o644);
    if (folder.owner) await file.chown(folder.owner.uid, folder.owner.gid);
    await file.writeFile(text);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw storageError('create', path, error);
  }
}
