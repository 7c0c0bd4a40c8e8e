/** Opens and holds the file at a path, so that the checked file is the used one even if the path changes. */
import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { AppError } from '../core/errors.ts';
import { errnoOf, isMissing, storageError } from './storage-error.ts';
import { whenFree } from './when-free.ts';

/** A file or folder that is open, so that nobody can put another in its place between a check and its use. */
export interface HeldPath extends AsyncDisposable {
  /** Its own path, as the system tells it of the handle. */
  readonly path: string;
  /** Never of a symbolic link. */
  readonly stats: Stats;
  /** Names the very thing for further calls, while it is held. */
  readonly byHandle: string;
  /**
   * For reading; only what `stats` calls a plain file: opening a device or a pipe may do something. The caller closes
   * it.
   */
  open(): Promise<FileHandle>;
}

/** Linux: names a thing without opening it. Node has no name for it. */
const O_PATH = 0o10000000;

/**
 * `real`: absolute, without symbolic links when it was checked. Undefined when there is nothing. Rejects with
 * `AppError`: `denied` for what
 * has become a link, `storage`. `asWritten` is for errors.
 */
export async function holdPath(real: string, asWritten: string): Promise<HeldPath | undefined> {
  try {
    return await (process.platform === 'linux' ? holdByHandle(real, asWritten) : holdByName(real, asWritten));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (errnoOf(error) === 'ELOOP') throw changed(asWritten, error);
    throw storageError('open', asWritten, error);
  }
}

async function holdByHandle(real: string, asWritten: string): Promise<HeldPath> {
  const handle = await whenFree(() => open(real, O_PATH | constants.O_NOFOLLOW));
  try {
    const byHandle = `/proc/self/fd/${handle.fd}`;
    const [stats, path] = await Promise.all([handle.stat(), readlink(byHandle)]);
    if (stats.isSymbolicLink() || stats.nlink === 0) throw changed(asWritten);
    const reopen = (): Promise<FileHandle> => whenFree(() => open(byHandle, constants.O_RDONLY | constants.O_NONBLOCK));
    return {
      path,
      stats,
      byHandle,
      open: () => readable(asWritten, reopen),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** For systems that cannot give the path of a handle: the name is checked again and must mean the same file. */
async function holdByName(real: string, asWritten: string): Promise<HeldPath> {
  const stats = await lstat(real);
  const path = await realpath(real);
  if (stats.isSymbolicLink()) throw changed(asWritten);
  const opened = async (): Promise<FileHandle> => {
    const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const [now, named] = await Promise.all([handle.stat(), lstat(path)]);
    if ([now, named].every(({ ino, dev }) => ino === stats.ino && dev === stats.dev)) return handle;
    await handle.close();
    throw changed(asWritten);
  };
  return {
    path,
    stats,
    byHandle: path,
    open: () => readable(asWritten, opened),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function readable(asWritten: string, opened: () => Promise<FileHandle>): Promise<FileHandle> {
  try {
    return await opened();
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'ELOOP') throw changed(asWritten, error);
    if (['EACCES', 'EPERM', 'ENXIO', 'EISDIR'].includes(errnoOf(error) ?? ''))
      throw new AppError('invalid', 'Permission denied.', { cause: error });
    throw storageError('read', asWritten, error);
  }
}

const changed = (asWritten: string, cause?: unknown): AppError =>
  new AppError('denied', `${asWritten} was moved while it was being opened.`, { cause });
