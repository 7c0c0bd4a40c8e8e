/** Reads and writes files: private, replaced atomically. A missing file is no error, a failing disk is one. */
import { constants, createReadStream, createWriteStream, type Dirent, type Stats } from 'node:fs';
import { appendFile, chmod, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncAll } from './disk-sync.ts';
import { shortId } from './ids.ts';
import { errnoOf, isMissing, onDisk, storageError } from './storage-error.ts';
import { whenFree } from './when-free.ts';

/** What is known of a file without opening it. */
export interface FileFacts {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Permission bits only. */
  readonly mode: number;
  /** Differs when the path names another file than before. */
  readonly inode: number;
}

/** A name in a folder. */
export interface DirEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
}

/** What a file is to hold; in parts where the whole would take much memory. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/** How a file is written. */
export interface WriteOptions {
  /** Permission bits; default 0600. */
  readonly mode?: number;
  /** Survive a power cut; default true. */
  readonly sync?: boolean;
}

/** The whole file as UTF-8, undefined when there is none. */
export function readTextIfExists(path: string): Promise<string | undefined> {
  return ifExists('read', path, () => whenFree(() => readFile(path, 'utf8')));
}

const PART_BYTES = 64 * 1024;

/**
 * Gives the file to `take` in parts of at most 64 KiB, each in a turn of the event loop of its own; false when there is
 * none. A part is valid during the call.
 */
export async function readInParts(path: string, take: (part: Buffer) => void): Promise<boolean> {
  const found = await ifExists('read', path, async () => {
    const handle = await whenFree(() => open(path, 'r'));
    try {
      // One buffer for all: a new one for each part of a large file leaves the process larger than before.
      const buffer = Buffer.allocUnsafeSlow(PART_BYTES);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, null);
        if (bytesRead === 0) return true;
        take(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  });
  return found === true;
}

/** The whole file as bytes, undefined when there is none. */
export function readBytesIfExists(path: string): Promise<Buffer | undefined> {
  return ifExists('read', path, () => whenFree(() => readFile(path)));
}

/** Follows links; undefined when nothing is there. Rejects with `AppError('storage')`. */
export function statIfExists(path: string): Promise<FileFacts | undefined> {
  return ifExists('look at', path, async () => factsOf(await stat(path)));
}

/** The facts we use, from those of Node. */
export const factsOf = (found: Stats): FileFacts => ({
  kind: kindOf(found),
  size: found.size,
  modifiedAt: found.mtimeMs,
  mode: found.mode & 0o777,
  inode: found.ino,
});

/** The path with every symbolic link followed, undefined when it does not exist. */
export function realPathIfExists(path: string): Promise<string | undefined> {
  return ifExists('resolve', path, () => realpath(path));
}

/** Entries by name; empty when the directory does not exist. */
export async function listDir(path: string): Promise<readonly DirEntry[]> {
  const entries = await ifExists('list', path, () => whenFree(() => readdir(path, { withFileTypes: true })));
  return dirEntries(entries ?? []);
}

/** What the system lists, by name and as we say it. */
export const dirEntries = (listed: readonly Dirent[]): DirEntry[] =>
  listed.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Makes the directory and its parents, private (0700); existing ones are left alone. What was made is there after a
 * power cut: its name stands in the one above it.
 */
export async function ensureDir(path: string): Promise<void> {
  const first = await onDisk('create the directory', path, () => mkdir(path, { recursive: true, mode: 0o700 }));
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made))
    await syncDir(dirname(made)).catch(unlessClosed);
}

/** A folder others own can be passed through and not be read, let alone be synced. */
function unlessClosed(error: unknown): void {
  if (!['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
}

/**
 * Replaces a file so that a reader, and a crash at any moment, sees the old content or the new, never a part.
 * A symbolic link is followed: the file it points to is replaced. The directory is created when missing.
 * Resolves with the facts of the file that was written, whatever has become of its name since.
 */
export async function writeFileAtomic(
  path: string,
  data: FileContent,
  { mode = 0o600, sync = true }: WriteOptions = {},
): Promise<FileFacts> {
  const target = (await realPathIfExists(path)) ?? path;
  const directory = dirname(target);
  await ensureDir(directory);
  const temporary = join(directory, `.${basename(target)}.${process.pid}.${shortId()}.tmp`);
  return onDisk('write', path, async () => {
    try {
      const written = await writeNew(temporary, { data, mode, sync });
      await rename(temporary, target);
      if (sync) await syncDir(directory);
      return written;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/** Adds one line; the newline is ours. Not synced: a log or a hint, not a promise (see `openAppend`). */
export async function appendLine(path: string, line: string, { mode = 0o600 }: { mode?: number } = {}): Promise<void> {
  await onDisk('append to', path, () => whenFree(() => appendFile(path, `${line}\n`, { mode })));
}

/**
 * Moves a damaged file aside as `<path>.corrupt-<timestamp>` and answers the new path; undefined when it was gone
 * already.
 */
export async function quarantine(path: string, now: number = Date.now()): Promise<string | undefined> {
  const aside = `${path}.corrupt-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}-${shortId()}`;
  return ifExists('set aside', path, async () => {
    await rename(path, aside);
    return aside;
  });
}

/** Within a file system; replaces what is at `to`. Rejects with `AppError('storage')`. */
export async function moveFile(from: string, to: string): Promise<void> {
  await onDisk('move', from, () => rename(from, to));
}

/** False when there was nothing to copy. The copy is private. */
export async function copyIfExists(from: string, to: string): Promise<boolean> {
  const copied = await ifExists('copy', from, async () => {
    await copyBytes(from, to, 0o600);
    return true;
  });
  return copied ?? false;
}

/** Read and written, for the system call behind `copyFile` never ends when the file gets shorter meanwhile. */
export async function copyBytes(from: string, to: string, mode: number): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { mode }));
  await chmod(to, mode); // one that was there keeps its own otherwise
}

/** Changes the permission bits of what exists. */
export async function setMode(path: string, mode: number): Promise<void> {
  await onDisk('change the mode of', path, () => chmod(path, mode));
}

/** Removes a file or a whole directory; nothing there is fine. */
export async function removeIfExists(path: string): Promise<void> {
  await onDisk('remove', path, () => rm(path, { recursive: true, force: true }));
}

/** Makes a rename in the directory survive a power cut. */
export async function syncDir(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await whenFree(() => open(path, constants.O_RDONLY));
  try {
    await syncAll(handle);
  } finally {
    await handle.close();
  }
}

interface NewFile extends Required<WriteOptions> {
  readonly data: FileContent;
}

async function writeNew(path: string, { data, mode, sync }: NewFile): Promise<FileFacts> {
  const handle = await whenFree(() => open(path, 'wx', mode));
  try {
    if (typeof data === 'string' || data instanceof Uint8Array) await handle.writeFile(data);
    else for await (const part of data) await handle.writeFile(part); // each where the one before ended
    if (sync) await syncAll(handle);
    return factsOf(await handle.stat());
  } finally {
    await handle.close();
  }
}

async function ifExists<T>(action: string, path: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (errnoOf(error) === 'EISDIR')
      throw storageError(action, path, new Error('it is a directory, not a file', { cause: error }));
    throw storageError(action, path, error);
  }
}

/** Everything that is no file and no folder (links, pipes, devices) is `other`. */
export function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): DirEntry['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}
