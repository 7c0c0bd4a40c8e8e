/** Resolves a path somebody else wrote to the one real path it names, and only when that lies inside a folder we trust. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../core/errors.ts';
import { isMissing, storageError } from './storage-error.ts';

/**
 * The real path: every symbolic link followed, the part that does not exist yet appended. Use this value and no other: it is the one
 * that was checked. Relative paths start at the first root. Rejects with `AppError('denied')` outside the roots, `invalid` for what is no path.
 */
export async function resolveInside(path: string, roots: readonly [string, ...string[]]): Promise<string> {
  if (!path.trim() || path.includes('\0')) throw new AppError('invalid', 'The path is empty or not a path.');
  if (/^~(\/|$)/.test(path)) throw new AppError('invalid', `${path}: "~" is not expanded here. Write the path relative to the workspace, or absolute.`);
  const real = await realPathOf(resolve(roots[0], path), path);
  for (const root of roots) if (contains(await realPathOf(resolve(root), root), real)) return real;
  throw new AppError('denied', `${path} is outside the workspace (${roots[0]}). Only files inside it can be used.`);
}

const contains = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** A link that leads nowhere is refused: what it names would come into being at a place nobody checked. */
async function realPathOf(absolute: string, asWritten: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw storageError('resolve', asWritten, error);
  }
  if (await isThere(absolute, asWritten)) throw new AppError('denied', `${asWritten} goes through a symbolic link that leads nowhere.`);
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(parent, asWritten), basename(absolute));
}

async function isThere(path: string, asWritten: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw storageError('resolve', asWritten, error);
  }
}
