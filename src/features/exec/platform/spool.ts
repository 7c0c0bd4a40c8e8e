/**
 * What a command writes, as a file it appends to by itself. Past a limit the middle goes: the first part and the newest
 * are kept in
 * files of their own, the file is emptied under the command, and offsets go on counting as if nothing had happened.
 */
import { appendFile, open, rename, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, onDisk } from '../../../platform/storage-error.ts';
import { whenOver } from '../../../platform/settled.ts';

/** Where the kept parts lie in all that was written, in bytes. Fresh: everything is still in `out`. */
export interface SpoolLayout {
  readonly headBytes: number;
  readonly recentStart: number;
  readonly recentBytes: number;
  readonly outStart: number;
}

/** The output of a command, as the file it writes to. */
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

/** Nothing was cut yet. */
export const FRESH: SpoolLayout = { headBytes: 0, recentStart: 0, recentBytes: 0, outStart: 0 };
const PIECE = 64 * 1024;

interface Part {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** `maxBytes`: what is kept of the output; `layout`: where an earlier run of the gateway left off. */
export function createSpool(deps: {
  readonly folder: string;
  readonly maxBytes: number;
  readonly layout?: SpoolLayout;
}): Spool {
  return new FileSpool(deps);
}

class FileSpool implements Spool {
  readonly #deps: {
    readonly folder: string;
    readonly maxBytes: number;
    readonly layout?: SpoolLayout;
  };
  readonly #restored;
  readonly #out;
  readonly #share;
  #layout;
  #outBytes = 0;
  #writtenAt: number | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly folder: string;
    readonly maxBytes: number;
    readonly layout?: SpoolLayout;
  }) {
    this.#deps = deps;
    this.#restored = deps.layout ?? FRESH;
    this.#out = join(deps.folder, 'out');
    this.#share = Math.floor(deps.maxBytes / 4);
    this.#layout = this.#restored;
  }

  measure(): Promise<void> {
    return this.#alone(async () => {
      await this.#check();
      if (this.#layout.headBytes + this.#layout.recentBytes + this.#outBytes > this.#deps.maxBytes)
        await this.#shorten();
    });
  }

  end(): number {
    return this.#layout.outStart + this.#outBytes;
  }

  writtenAt(): number | undefined {
    return this.#writtenAt;
  }

  dropped(): number {
    return this.#layout.outStart - this.#layout.headBytes - this.#layout.recentBytes;
  }

  layout(): SpoolLayout {
    return this.#layout;
  }

  kept(from: number, to: number): number {
    return this.#within(from, to).reduce((sum, { start, end }) => sum + Math.min(end, to) - Math.max(start, from), 0);
  }

  before(to: number, bytes: number): number {
    let left = bytes;
    for (const { start, end } of this.#within(0, to).toReversed()) {
      const size = Math.min(end, to) - start;
      if (size >= left) return Math.min(end, to) - left;
      left -= size;
    }
    return 0;
  }

  note(line: string): Promise<void> {
    return onDisk('append to', this.#out, () => appendFile(this.#out, `\n${line}\n`));
  }

  read(from: number, to: number, take: (bytes: Buffer, at: number) => boolean | void): Promise<void> {
    return this.#alone(async () => {
      for (const part of this.#within(from, to)) {
        const range = { from: Math.max(from, part.start) - part.start, to: Math.min(to, part.end) - part.start };
        if (!(await readPart(join(this.#deps.folder, part.file), range, (bytes, at) => take(bytes, part.start + at))))
          return;
      }
    });
  }

  /** Nothing is read while the files change places. */
  #alone<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => onDisk('read', this.#out, run));
    this.#last = whenOver(turn);
    return turn;
  }

  async #check(): Promise<void> {
    const found = await ifThere(() => stat(this.#out));
    if (!found) return;
    this.#outBytes = found.size;
    this.#writtenAt = found.mtimeMs;
  }

  /** Between copying and emptying the command may write: that is dropped too, and counted. */
  async #shorten(): Promise<void> {
    const first = this.#layout.headBytes === 0;
    if (first) await copyPart(this.#out, { from: 0, to: this.#share }, join(this.#deps.folder, 'head'));
    const recent = join(this.#deps.folder, 'recent.next');
    await copyPart(this.#out, { from: this.#outBytes - this.#share, to: this.#outBytes }, recent);
    const recentStart = this.#layout.outStart + this.#outBytes - this.#share;
    await this.#check();
    await truncate(this.#out, 0);
    await rename(recent, join(this.#deps.folder, 'recent'));
    this.#layout = {
      headBytes: first ? this.#share : this.#layout.headBytes,
      recentStart,
      recentBytes: this.#share,
      outStart: this.#layout.outStart + this.#outBytes,
    };
    this.#outBytes = 0;
  }

  #parts(): readonly Part[] {
    return [
      { file: 'head', start: 0, end: this.#layout.headBytes },
      { file: 'recent', start: this.#layout.recentStart, end: this.#layout.recentStart + this.#layout.recentBytes },
      { file: 'out', start: this.#layout.outStart, end: this.#layout.outStart + this.#outBytes },
    ];
  }

  #within(from: number, to: number): readonly Part[] {
    return this.#parts().filter(({ start, end }) => start < to && end > from && end > start);
  }
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
