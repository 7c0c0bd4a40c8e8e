/**
 * Copies a folder that may change during the copy: entries that vanish are left out, links stay links, and the copy
 * is private and synced to disk.
 */
import { lstat, mkdir, open, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { syncData } from './disk-sync.ts';
import { copyBytes, syncDir } from './files.ts';
import { errnoOf, isMissing, onDisk } from './storage-error.ts';

/** What a copy of a folder came to. */
export interface Copied {
  readonly files: number;
  readonly bytes: number;
  /** Below `from`: what they lead to was not copied through them. */
  readonly links: readonly { readonly at: string; readonly metaRefreshTarget: string }[];
}

/** What to leave out of a copy, and who follows it. */
export interface CopyOptions {
  /** Asked with paths below `from`, with slashes. */
  readonly skip: (below: string) => boolean;
  /** Told after each file. */
  readonly onFile?: (sum: Pick<Copied, 'files' | 'bytes'>) => void;
}

/** Sockets, pipes and devices are never copied. */
export async function copyTree(from: string, to: string, { skip, onFile }: CopyOptions): Promise<Copied> {
  const sum = { files: 0, bytes: 0 };
  const links: Copied['links'][number][] = [];
  const walk = async (below: string): Promise<void> => {
    await onDisk('make', join(to, below), () => mkdir(join(to, below), { recursive: true, mode: 0o700 }));
    for (const { name } of await onDisk('list', join(from, below), () =>
      readdir(join(from, below), { withFileTypes: true }),
    )) {
      const at = below === '' ? name : `${below}/${name}`;
      if (!skip(at)) await onDisk('copy', join(from, at), () => unlessGone(from, at, () => copyOne(at)));
    }
    await onDisk('sync', join(to, below), () => syncDir(join(to, below)));
  };
  async function copyOne(at: string): Promise<void> {
    const [source, target] = [join(from, at), join(to, at)];
    const found = await lstat(source);
    if (found.isDirectory()) return walk(at);
    if (found.isSymbolicLink()) {
      const metaRefreshTarget = await readlink(source);
      links.push({ at, metaRefreshTarget });
      return symlink(metaRefreshTarget, target);
    }
    if (!found.isFile()) return;
    await copyBytes(source, target, (found.mode & 0o700) | 0o600);
    await synced(target);
    await utimes(target, found.atime, found.mtime);
    sum.files += 1;
    sum.bytes += found.size;
    onFile?.(sum);
  }
  await walk('');
  return { ...sum, links };
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await syncData(file);
  } finally {
    await file.close();
  }
}

/** A file that its owner replaced or removed is no fault; a target that is missing is one. */
async function unlessGone(from: string, at: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isMissing(error) || (await stands(join(from, at)))) throw error;
  }
}

async function stands(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}
