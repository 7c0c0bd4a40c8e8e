/**
 * Checks whether an open database's files are still those at its path, because rows in deleted or truncated files are
 * lost.
 */
import { statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './storage-error.ts';

/**
 * `moved`: the open files are whole, but not at their path any more. `shortened`: a file lost its end in place.
 * `unreachable`: the folder is gone or cannot be looked into, so nothing can be put into it either.
 */
export interface Vanished {
  readonly kind: 'moved' | 'shortened' | 'unreachable';
  readonly why: string;
}

/** Notices when the files of an open database are not where they were. */
export interface SqliteWatch {
  /** Undefined: all is as it should be. Some microseconds; never waits for the disk. */
  check(): Vanished | undefined;
  /** The same of the log alone, for right before a commit, which writes nothing else. */
  checkLog(): Vanished | undefined;
  /** Between `true` and `false` the log may lose its end: it is emptied on purpose. */
  emptying(going: boolean): void;
}

interface Seen {
  readonly id: string;
  bytes: number;
}

interface Watched {
  readonly at: string;
  readonly seen: Seen;
  readonly mayShrink: boolean;
}

/** `path` was just opened. */
export function watchSqlite(path: string): SqliteWatch {
  const files = [path, `${path}-wal`].map((at) => ({ at, seen: seenAt(statSync(at)), mayShrink: false }));
  const log = files[1]!;

  function check(among: readonly Watched[]): Vanished | undefined {
    for (const { at, seen, mayShrink } of among) {
      const found = statOf(at);
      if (typeof found === 'string')
        return found === 'ENOENT' && isFolder(dirname(path))
          ? { kind: 'moved', why: `${at} was deleted or moved away` }
          : { kind: 'unreachable', why: `${at} is no longer accessible (${found})` };
      const { id, bytes } = seenAt(found);
      if (id !== seen.id) return { kind: 'moved', why: `${at} was replaced by another file` };
      if (bytes < seen.bytes && !mayShrink)
        return { kind: 'shortened', why: `${at} was shortened from ${seen.bytes} to ${bytes} bytes` };
      seen.bytes = bytes;
    }
    return undefined;
  }

  return {
    check: () => check(files),
    checkLog: () => check([log]),
    emptying(going) {
      log.mayShrink = going;
      log.seen.bytes = 0;
    },
  };
}

const seenAt = ({ dev, ino, size }: Stats): Seen => ({ id: `${dev}:${ino}`, bytes: size });

/** The system's error code, if the state cannot be read. */
function statOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return errnoOf(error) ?? String(error);
  }
}

function isFolder(path: string): boolean {
  const found = statOf(path);
  return typeof found !== 'string' && found.isDirectory();
}
