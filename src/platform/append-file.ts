/** An append-only file kept open: add, make durable, read the end; the base of transcripts and logs. */
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncData } from './disk-sync.ts';
import { ensureDir } from './files.ts';
import { isMissing, onDisk, storageError } from './storage-error.ts';
import { whenFree } from './when-free.ts';

/** A file that only grows, e.g. a transcript or a log. */
export interface AppendFile extends AsyncDisposable {
  readonly path: string;
  /** Adds text at the end. With `sync` it is on disk when this resolves. */
  append(text: string, options?: { sync?: boolean }): Promise<void>;
  sync(): Promise<void>;
  /** Bytes now. */
  size(): Promise<number>;
  /** Cuts the file to `bytes`, to drop a torn last line. */
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens for appending, creating the file (0600) and its directory when missing. */
export async function openAppend(path: string, { mode = 0o600 }: { mode?: number } = {}): Promise<AppendFile> {
  const handle = await openOrCreate(path, mode);
  const run = <T>(action: string, operation: () => Promise<T>): Promise<T> => onDisk(action, path, operation);
  const close = (): Promise<void> => run('close', () => handle.close());
  return {
    path,
    append: (text, { sync = false } = {}) =>
      run('append to', async () => {
        await handle.appendFile(text);
        if (sync) await syncData(handle);
      }),
    sync: () => run('sync', () => syncData(handle)),
    size: () => run('look at', async () => (await handle.stat()).size),
    truncate: (bytes) => run('cut', () => handle.truncate(bytes)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The end of a file, as far as it was read. */
export interface Tail {
  readonly text: string;
  /** Byte offset of the first character of `text`. */
  readonly start: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** The last `bytes` of a file, from the first whole line on; undefined when the file does not exist. */
export async function readTail(path: string, bytes: number): Promise<Tail | undefined> {
  const size = await sizeIfExists(path);
  return size === undefined
    ? undefined
    : readSlice(path, { from: Math.max(0, size - bytes), to: size, wholeLines: true });
}

/**
 * The part of a file from `from` to `to` (default: its end); with `wholeLines` a cut first line is left out. Missing
 * file: undefined.
 */
export async function readSlice(
  path: string,
  range: { from: number; to?: number; wholeLines?: boolean },
): Promise<Tail | undefined> {
  let handle: FileHandle;
  try {
    handle = await whenFree(() => open(path, 'r'));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError('read', path, error);
  }
  return onDisk('read', path, async () => {
    try {
      const { size } = await handle.stat();
      // One byte earlier tells whether the slice begins at a line start.
      const lead = range.wholeLines && range.from > 0 ? 1 : 0;
      const from = Math.min(range.from, size) - lead;
      const buffer = Buffer.alloc(Math.max(0, Math.min(range.to ?? size, size) - from));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
      const skip = lead === 0 ? 0 : afterNewline(buffer.subarray(0, bytesRead));
      return { text: buffer.toString('utf8', skip, bytesRead), start: from + skip, size };
    } finally {
      await handle.close();
    }
  });
}

function afterNewline(bytes: Buffer): number {
  const newline = bytes.indexOf(0x0a);
  return newline === -1 ? bytes.length : newline + 1;
}

async function openOrCreate(path: string, mode: number): Promise<FileHandle> {
  try {
    return await whenFree(() => open(path, 'a', mode));
  } catch (error) {
    if (!isMissing(error)) throw storageError('open', path, error);
  }
  await ensureDir(dirname(path));
  return onDisk('open', path, () => whenFree(() => open(path, 'a', mode)));
}

async function sizeIfExists(path: string): Promise<number | undefined> {
  const slice = await readSlice(path, { from: 0, to: 0 });
  return slice?.size;
}
