/** Opens a file at an untrusted path and checks the opened handle, because the path may name another file by then. */
import { readdir, type FileHandle } from 'node:fs/promises';
import { AppError } from '../core/errors.ts';
import { factsOf, kindOf, type DirEntry, type FileFacts } from './files.ts';
import { holdPath, type HeldPath } from './held-path.ts';
import { checkHeld, resolvePath, type PathBounds } from './inside.ts';
import { storageError } from './storage-error.ts';
import { whenFree } from './when-free.ts';

/** A file below a root, links resolved. */
export interface InsideFile {
  /** The real path. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Its first bytes, at most as many as asked for. */
  readonly head: Buffer;
}

/** A file, and what it was when these bytes were read. */
export interface LoadedFile {
  readonly path: string;
  readonly facts: FileFacts;
  readonly data: Buffer;
}

type Roots = readonly [string, ...string[]];

const within = (roots: Roots): PathBounds => ({ base: roots[0], roots });

/**
 * What the file is, without reading all of it. Rejects with `AppError`: `denied` outside the roots, `not_found`,
 * `invalid` when it is no plain file.
 */
export function statInside(path: string, roots: Roots, headBytes: number): Promise<InsideFile> {
  return withFile(path, within(roots), async (handle, real, { size }) => ({
    path: real,
    size,
    head: await readUpTo(handle, Math.min(size, headBytes)),
  }));
}

/** `bytes` of it from `offset` on, fewer where it ends before, and its size. Rejects like `statInside`. */
export const readPart = (
  path: string,
  bounds: PathBounds,
  { offset, bytes }: { readonly offset: number; readonly bytes: number },
): Promise<{ readonly data: Buffer; readonly size: number }> =>
  withFile(path, bounds, async (handle, _real, { size }) => ({
    data: await readUpTo(handle, Math.max(0, Math.min(bytes, size - offset)), offset),
    size,
  }));

/** The whole file. Rejects like `statInside`, and with `too_large` over `maxBytes`. */
export const readInside = (path: string, roots: Roots, maxBytes: number): Promise<Buffer> =>
  readReachable(path, within(roots), maxBytes);

/** The whole file, wherever it may lie. Rejects like `readInside`. */
export const readReachable = async (path: string, bounds: PathBounds, maxBytes: number): Promise<Buffer> =>
  (await loadReachable(path, bounds, maxBytes)).data;

/** The same with what is known of the file, out of the same handle. */
export function loadReachable(path: string, bounds: PathBounds, maxBytes: number): Promise<LoadedFile> {
  return withFile(path, bounds, async (handle, real, facts) => {
    if (facts.size > maxBytes)
      throw new AppError('too_large', `The file has ${facts.size} bytes; the limit is ${maxBytes}.`);
    return { path: real, facts, data: await readUpTo(handle, facts.size) };
  });
}

/**
 * What is there, nothing of it opened. Rejects with `denied` for what is out of reach; `facts` undefined: there is
 * nothing.
 */
export async function statReachable(
  path: string,
  bounds: PathBounds,
): Promise<{ readonly path: string; readonly facts: FileFacts | undefined }> {
  const real = await resolvePath(path, bounds);
  await using held = await holdReachable(real, path, bounds);
  return { path: held?.path ?? real, facts: held && factsOf(held.stats) };
}

/** What is in a folder, by name. Rejects like `statInside`. */
export async function listReachable(path: string, bounds: PathBounds): Promise<readonly DirEntry[]> {
  await using held = await holdReachable(await resolvePath(path, bounds), path, bounds);
  if (!held) throw new AppError('not_found', `${path} does not exist.`);
  if (!held.stats.isDirectory()) throw new AppError('invalid', `${path} is not a folder.`);
  const entries = await entriesOf(held.byHandle, path);
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function entriesOf(folder: string, asWritten: string) {
  try {
    return await whenFree(() => readdir(folder, { withFileTypes: true }));
  } catch (error) {
    throw storageError('list', asWritten, error);
  }
}

async function withFile<T>(
  path: string,
  bounds: PathBounds,
  use: (handle: FileHandle, real: string, facts: FileFacts) => Promise<T>,
): Promise<T> {
  await using held = await holdReachable(await resolvePath(path, bounds), path, bounds);
  if (!held) throw new AppError('not_found', 'The file does not exist.');
  if (!held.stats.isFile()) throw new AppError('invalid', 'It is not a regular file.');
  await using handle = await held.open();
  return await use(handle, held.path, factsOf(await handle.stat()));
}

/** Undefined when there is nothing. */
async function holdReachable(real: string, asWritten: string, bounds: PathBounds): Promise<HeldPath | undefined> {
  const held = await holdPath(real, asWritten);
  try {
    if (held) await checkHeld(held, { checked: real, asWritten }, bounds);
    return held;
  } catch (error) {
    await held?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** A file that grew since it was measured is read as far as it was measured. */
async function readUpTo(handle: FileHandle, bytes: number, from = 0): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
