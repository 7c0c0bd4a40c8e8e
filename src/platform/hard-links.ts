/** Whether a file has a hard link among protected files, whose content it would then expose. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, storageError } from './storage-error.ts';

/** Looked at at once; more would fill the queue everybody's file work waits in. */
const AT_ONCE = 32;

/**
 * `places`: files, with the copies kept beside them, and folders with all in them. Only worth asking for a file of
 * several names.
 */
export async function hasLinkAmong(
  file: Pick<Stats, 'ino' | 'dev'>,
  places: readonly string[],
  isCopyOf: (file: string, path: string) => boolean,
): Promise<boolean> {
  const isIt = async (path: string): Promise<boolean> => {
    const found = await statIfThere(path);
    return found?.ino === file.ino && found.dev === file.dev;
  };
  for (const place of places)
    for (const batch of batches(await filesOf(place, isCopyOf)))
      if ((await Promise.all(batch.map(isIt))).includes(true)) return true;
  return false;
}

async function filesOf(place: string, isCopyOf: (file: string, path: string) => boolean): Promise<readonly string[]> {
  const found = await statIfThere(place);
  if (found?.isDirectory())
    return (await list(place, true))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const folder = dirname(place);
  const beside = (await list(folder, false))
    .map((entry) => join(folder, entry.name))
    .filter((path) => isCopyOf(place, path));
  return [join(folder, basename(place)), ...beside];
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) yield items.slice(at, at + AT_ONCE);
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError('look at', 'a file of the gateway', error);
  }
}

async function list(folder: string, recursive: boolean) {
  try {
    return await readdir(folder, { withFileTypes: true, recursive });
  } catch (error) {
    if (isMissing(error)) return [];
    throw storageError('list', 'a folder of the gateway', error);
  }
}
