/**
 * What a command writes, as a file it appends to by itself. Past a limit the middle goes: the first part and the newest
 * are kept in
 * files of their own, the file is emptied under the command, and offsets go on counting as if nothing had happened.
 */
import { appendFile, open, rename, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, onDisk } from '../storage-error.ts';

/** Where the kept parts lie in all that was written, in bytes. Fresh: everything is still in `out`. */
export interface SpoolLayout {
  readonly headBytes: number;
  readonly recentStart: number;
  readonly recentBytes: number;
  readonly outStart: number;
}

export interface Spool {
  /** Looks at the file and shortens it when it is too long. */
  measure(): Promise<void>;
  /** Bytes written altogether, as last measured. */
  end(): number;
  /** Milliseconds since the epoch of the last write; undefined before the first look. */
  writtenAt(): number | undefined;
  /** Bytes that are in no file any more. */
  dropped(): number;
  layout(): SpoolLayout;
  /** Bytes kept between two offsets. */
  kept(from: number, to: number): number;
  /** The offset with so many kept bytes between it and `to`; the first one when there are fewer. */
  before(to: number, bytes: number): number;
  /** Adds a line of ours behind what the command wrote. */
  note(line: string): Promise<void>;
  /**
   * Hands over what is kept between two offsets, at most 64 KiB at a time with the event loop free in between, until
   * told `false`.
   */
  read(from: number, to: number, take: (bytes: Buffer, at: number) => boolean | void): Promise<void>;
}

export const FRESH: SpoolLayout = { headBytes: 0, recentStart: 0, recentBytes: 0, outStart: 0 };
const PIECE = 64 * 1024;

interface Part {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export function createSpool({
  folder,
  maxBytes,
  layout: restored = FRESH,
}: {
  readonly folder: string;
  readonly maxBytes: number;
  readonly layout?: SpoolLayout;
}): Spool {
  const out = join(folder, 'out');
  const share = Math.floor(maxBytes / 4);
  let layout = restored;
  let outBytes = 0;
  let writtenAt: number | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Nothing is read while the files change places. */
  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => onDisk('read', out, run));
    last = turn.catch(() => undefined);
    return turn;
  };

  const look = async (): Promise<void> => {
    const found = await ifThere(() => stat(out));
    if (!found) return;
    outBytes = found.size;
    writtenAt = found.mtimeMs;
  };

  /** Between copying and emptying the command may write: that is dropped too, and counted. */
  async function shorten(): Promise<void> {
    const first = layout.headBytes === 0;
    if (first) await copyPart(out, { from: 0, to: share }, join(folder, 'head'));
    const recent = join(folder, 'recent.next');
    await copyPart(out, { from: outBytes - share, to: outBytes }, recent);
    const recentStart = layout.outStart + outBytes - share;
    await look();
    await truncate(out, 0);
    await rename(recent, join(folder, 'recent'));
    layout = {
      headBytes: first ? share : layout.headBytes,
      recentStart,
      recentBytes: share,
      outStart: layout.outStart + outBytes,
    };
    outBytes = 0;
  }

  const parts = (): readonly Part[] => [
    { file: 'head', start: 0, end: layout.headBytes },
    { file: 'recent', start: layout.recentStart, end: layout.recentStart + layout.recentBytes },
    { file: 'out', start: layout.outStart, end: layout.outStart + outBytes },
  ];
  const within = (from: number, to: number): readonly Part[] =>
    parts().filter(({ start, end }) => start < to && end > from && end > start);

  return {
    measure: () =>
      alone(async () => {
        await look();
        if (layout.headBytes + layout.recentBytes + outBytes > maxBytes) await shorten();
      }),
    end: () => layout.outStart + outBytes,
    writtenAt: () => writtenAt,
    dropped: () => layout.outStart - layout.headBytes - layout.recentBytes,
    layout: () => layout,
    kept: (from, to) =>
      within(from, to).reduce((sum, { start, end }) => sum + Math.min(end, to) - Math.max(start, from), 0),
    before(to, bytes) {
      let left = bytes;
      for (const { start, end } of within(0, to).toReversed()) {
        const size = Math.min(end, to) - start;
        if (size >= left) return Math.min(end, to) - left;
        left -= size;
      }
      return 0;
    },
    note: (line) => onDisk('append to', out, () => appendFile(out, `\n${line}\n`)),
    read: (from, to, take) =>
      alone(async () => {
        for (const part of within(from, to)) {
          const range = { from: Math.max(from, part.start) - part.start, to: Math.min(to, part.end) - part.start };
          if (!(await readPart(join(folder, part.file), range, (bytes, at) => take(bytes, part.start + at)))) return;
        }
      }),
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** False when told to stop. */
async function readPart(
  path: string,
  { from, to }: Range,
  take: (bytes: Buffer, at: number) => boolean | void,
): Promise<boolean> {
  const handle = await ifThere(() => open(path, 'r'));
  if (!handle) return true;
  await using file: FileHandle = handle;
  for (let at = from; at < to; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(PIECE, to - at)), 0, undefined, at);
    if (bytesRead === 0) return true;
    if (take(buffer.subarray(0, bytesRead), at) === false) return false;
    at += bytesRead;
  }
  return true;
}

async function copyPart(path: string, range: Range, to: string): Promise<void> {
  await using target = await open(to, 'w', 0o600);
  await using source = await open(path, 'r');
  for (let at = range.from; at < range.to; ) {
    const { bytesRead, buffer } = await source.read(
      Buffer.allocUnsafe(Math.min(PIECE * 4, range.to - at)),
      0,
      undefined,
      at,
    );
    if (bytesRead === 0) return;
    await target.write(buffer, 0, bytesRead);
    at += bytesRead;
  }
}

async function ifThere<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
