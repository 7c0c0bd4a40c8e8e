/** Whether only the administrator of this machine could change a file, or put another one in its place. */
import { lstat } from 'node:fs/promises';
import { errnoOf, isMissing, storageError } from '../../../platform/storage-error.ts';

/** Folders a system installs its programs in. Ownership alone tells nothing where everything belongs to root. */
export const SYSTEM_FOLDERS = /^\/(?:bin|sbin|usr|nix\/store|gnu\/store|System|Library\/Apple)(?:\/|$)/;

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const WRITABLE_BY_ALL = 0o002;

/**
 * `path`: absolute, symbolic links resolved. Every folder on the way and the file itself belong to root, and nobody
 * else may write them.
 * What does not exist yet is judged by the folders that do. False where permissions do not tell (Windows) or may not be
 * read.
 */
export async function isAdministered(path: string): Promise<boolean> {
  if (process.platform === 'win32' || !path.startsWith('/')) return false;
  const parts = path.split('/').filter(Boolean);
  for (let count = 0; count <= parts.length; count++) {
    const kind = await inspect(`/${parts.slice(0, count).join('/')}`);
    if (kind !== 'administered') return kind === 'missing' && count > 0;
  }
  return true;
}

async function inspect(path: string): Promise<'administered' | 'open' | 'missing'> {
  try {
    const { uid, mode, isLink } = await lstat(path).then((found) => ({
      uid: found.uid,
      mode: found.mode,
      isLink: found.isSymbolicLink(),
    }));
    if (uid !== 0 || isLink) return 'open';
    // In a sticky folder of a group (`/nix/store`) nobody replaces what root put there.
    const guarded = (mode & WRITABLE_BY_OTHERS) === 0 || ((mode & STICKY) !== 0 && (mode & WRITABLE_BY_ALL) === 0);
    return guarded ? 'administered' : 'open';
  } catch (error) {
    if (isMissing(error)) return 'missing';
    if (errnoOf(error) === 'EACCES') return 'open';
    throw storageError('look at', path, error);
  }
}
