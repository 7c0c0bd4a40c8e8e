/** Opens a file somebody else named: only a plain file inside folders we trust, and only the very file that was checked. */
import { constants, type Stats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { AppError } from '../core/errors.ts';
import { resolvePath, type Reach } from './inside.ts';
import { errnoOf, isMissing, storageError } from './storage-error.ts';

export interface InsideFile {
  /** The real path. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Its first bytes, at most as many as asked for. */
  readonly head: Buffer;
}

type Roots = readonly [string, ...string[]];

const within = (roots: Roots): Reach => ({ base: roots[0], roots });

/** What the file is, without reading all of it. Rejects with `AppError`: `denied` outside the roots, `not_found`, `invalid` when it is no plain file. */
export function lookInside(path: string, roots: Roots, headBytes: number): Promise<InsideFile> {
  return withFile(path, within(roots), async (handle, real, size) => ({ path: real, size, head: await readUpTo(handle, Math.min(size, headBytes)) }));
}

/** The whole file. Rejects like `lookInside`, and with `too_large` over `maxBytes`. */
export const readInside = (path: string, roots: Roots, maxBytes: number): Promise<Buffer> => readReachable(path, within(roots), maxBytes);

/** The whole file, wherever it may lie. Rejects like `readInside`. */
export function readReachable(path: string, reach: Reach, maxBytes: number): Promise<Buffer> {
  return withFile(path, reach, (handle, _real, size) => {
    if (size > maxBytes) throw new AppError('too_large', `The file has ${size} bytes; ${maxBytes} are allowed.`);
    return readUpTo(handle, size);
  });
}

/** The last part of the path is not followed when it opens, and a folder swapped in the meantime shows in the file's identity. */
async function withFile<T>(path: string, reach: Reach, use: (handle: FileHandle, real: string, size: number) => Promise<T>): Promise<T> {
  const real = await resolvePath(path, reach);
  const handle = await openPlain(real);
  try {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new AppError('invalid', 'It is not a plain file.');
    const named = await statNow(await resolvePath(real, reach));
    if (named?.ino !== opened.ino || named.dev !== opened.dev) throw new AppError('denied', 'The file changed its place while it was opened.');
    return await use(handle, real, opened.size);
  } finally {
    await handle.close();
  }
}

/** Undefined when it is gone by now. */
async function statNow(real: string): Promise<Stats | undefined> {
  try {
    return await lstat(real);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError('look at', real, error);
  }
}

async function openPlain(real: string): Promise<FileHandle> {
  try {
    return await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) throw new AppError('not_found', 'The file does not exist.', { cause: error });
    if (errnoOf(error) === 'ELOOP') throw new AppError('denied', 'The file became a symbolic link while it was opened.', { cause: error });
    if (['EACCES', 'EPERM', 'ENXIO', 'EISDIR'].includes(errnoOf(error) ?? '')) throw new AppError('invalid', 'The file may not be read.', { cause: error });
    throw storageError('read', real, error);
  }
}

/** A file that grew since it was measured is read as far as it was measured. */
async function readUpTo(handle: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
