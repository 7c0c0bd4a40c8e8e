/**
 * Opens and holds a folder to write into, created if missing, below another held folder; never through a symbolic link.
 */
import { constants } from 'node:fs';
import { chown, lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../core/errors.ts';
import { syncAll } from './disk-sync.ts';
import { ownUser } from './own-user.ts';
import { errnoOf, isMissing, onDisk, storageError } from './storage-error.ts';
import { whenFree } from './when-free.ts';

/** A folder that stays the one that was checked, whatever becomes of its name. */
export interface HeldFolder extends AsyncDisposable {
  /** Names the very folder while it is held; what is in it is named below it. */
  readonly path: string;
  /** Whose new files in it shall be, where this process may give files away and the folder is somebody else's. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** Makes renames in it survive a power cut. */
  sync(): Promise<void>;
}

/** For errors. */
interface NamedAs {
  readonly shown: string;
}

const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * `path`: real, as `resolvePath` answers it. Rejects with `AppError`: `denied` when it is not there any more, but
 * elsewhere; `storage`.
 */
export async function holdFolder(path: string, naming: NamedAs): Promise<HeldFolder> {
  // Windows opens no folders.
  if (process.platform === 'win32') return unheld(path, naming);
  return (await held(path, path, naming)) ?? (await made(path, naming));
}

/** Undefined when there is none. `way`: how it is opened, by its path or below a folder that is held. */
async function held(path: string, opening: string, naming: NamedAs): Promise<HeldFolder | undefined> {
  const handle = await opened(opening, naming);
  if (!handle) return undefined;
  try {
    const byHandle = `/proc/self/fd/${handle.fd}`;
    const linux = process.platform === 'linux';
    if ((linux ? await readlink(byHandle) : await realpath(path)) !== path) throw moved(naming);
    const { uid, gid } = await handle.stat();
    const gives = ownUser()?.uid === 0 && uid !== 0;
    return {
      path: linux ? byHandle : path,
      owner: gives ? { uid, gid } : undefined,
      sync: () => syncAll(handle),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw storageError('open the folder', naming.shown, error);
  }
}

async function opened(path: string, { shown }: NamedAs): Promise<FileHandle | undefined> {
  try {
    return await whenFree(() => open(path, FLAGS));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (errnoOf(error) === 'ELOOP') throw moved({ shown }, error);
    throw storageError('open the folder', shown, error);
  }
}

/** Private (0700). */
async function made(path: string, naming: NamedAs): Promise<HeldFolder> {
  await using parent = await holdFolder(dirname(path), { shown: dirname(naming.shown) });
  const place = join(parent.path, basename(path));
  const isNew = await makeOne(place, naming);
  const folder = await held(path, place, naming);
  if (!folder) throw moved(naming);
  if (!isNew || !parent.owner) return folder;
  await onDisk('give away the folder', naming.shown, () => chown(folder.path, parent.owner!.uid, parent.owner!.gid));
  return { ...folder, owner: parent.owner };
}

/** False when something of the name is there by now. */
async function makeOne(place: string, { shown }: NamedAs): Promise<boolean> {
  try {
    await mkdir(place, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw storageError('create the directory', shown, error);
  }
}

async function unheld(path: string, naming: NamedAs): Promise<HeldFolder> {
  await onDisk('create the directory', naming.shown, () => mkdir(path, { recursive: true }));
  if ((await realpath(path)) !== path || !(await lstat(path)).isDirectory()) throw moved(naming);
  return { path, owner: undefined, sync: async () => {}, [Symbol.asyncDispose]: async () => {} };
}

const moved = ({ shown }: NamedAs, cause?: unknown): AppError =>
  new AppError('denied', `${shown} is not a folder, or was moved while it was being written to.`, { cause });
