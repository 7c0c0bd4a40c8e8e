/** Stores V8's compiled code next to the product's files, so that a start compiles nothing. */
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;

/** `root`: the folder the product is installed in. Without a folder for it a start takes longer, and nothing else. */
export function useCompileCache(root: string): void {
  const folder = compileCacheFolder(root);
  if (folder !== undefined) enableCompileCache(folder);
}

/**
 * Whoever can write the cache runs code in the gateway. So it lies where the code lies, and is used only if it belongs
 * to the owner of the code and nobody else may write it.
 */
export function compileCacheFolder(root: string): string | undefined {
  const folder = join(root, '.compile-cache');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const [code, cache] = [statSync(root), lstatSync(folder)];
    return cache.isDirectory() && cache.uid === code.uid && (cache.mode & WRITABLE_BY_OTHERS) === 0
      ? folder
      : undefined;
  } catch (error) {
    if (UNUSABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** An installation this user may not write, a full disk, a file in the folder's place. */
const UNUSABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT']);
