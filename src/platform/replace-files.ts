/** Changes files in one step: all or none, each replaced atomically, in exactly the checked folder. */
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../core/errors.ts';
import { syncAll } from './disk-sync.ts';
import { statIfExists, type FileFacts } from './files.ts';
import { holdFolder, type HeldFolder } from './held-folder.ts';
import { shortId } from './ids.ts';
import { errnoOf, onDisk } from './storage-error.ts';

/** What one file shall contain after a change of several. */
export interface FileChange {
  /** A real path, as `resolvePath` answers it. */
  readonly path: string;
  /** What errors call it; absent: its path. */
  readonly shown?: string;
  /** What it shall contain; absent: it is removed. */
  readonly data?: Uint8Array;
  /** Permission bits; absent: those it had, or 0644 for a new file. */
  readonly mode?: number;
  /** What was there when the change was worked out. */
  readonly before: FileFacts | undefined;
}

type PutAt = (from: string, to: string) => Promise<void>;

interface ReplaceOptions {
  /** Gives a finished file its name; the file system's own unless a test wants it to fail. */
  readonly putAt?: PutAt;
}

/** A change made ready beside its target; nothing has happened to the target yet. */
interface Staged {
  readonly change: FileChange;
  readonly folder: HeldFolder;
  readonly target: string;
  /** The new content; absent when the file goes. */
  readonly fresh?: string;
  /** The old content under a second name, once it has one. */
  old?: string;
  done: boolean;
}

/**
 * Everything is written beside the targets first, then put in place by renaming; when one of those fails the earlier
 * ones are undone.
 * Rejects with `AppError`: `conflict` when a file is no longer what `before` says, `denied` when a folder changed its
 * place, `storage`.
 */
export async function replaceFiles(
  changes: readonly FileChange[],
  { putAt = rename }: ReplaceOptions = {},
): Promise<void> {
  await using held = new AsyncDisposableStack();
  const staged: Staged[] = [];
  try {
    for (const change of changes) staged.push(await stage(change, held));
    for (const one of staged) await stillAsBefore(one);
    await putInPlace(staged, putAt);
  } finally {
    for (const { fresh, old } of staged) for (const path of [fresh, old]) if (path) await rm(path, { force: true });
  }
  for (const { folder } of staged) await folder.sync();
}

async function stage(change: FileChange, held: AsyncDisposableStack): Promise<Staged> {
  const folder = held.use(await holdFolder(dirname(change.path), { shown: dirname(nameOf(change)) }));
  const name = basename(change.path);
  const staged = { change, folder, target: join(folder.path, name), done: false };
  if (!change.data) return staged;
  const fresh = join(folder.path, besides(name));
  await onDisk('write', nameOf(change), () => writeNew(fresh, change, folder));
  return { ...staged, fresh };
}

const nameOf = ({ path, shown }: FileChange): string => shown ?? path;

const besides = (name: string): string => `.${name.slice(0, 200)}.${process.pid}.${shortId()}.tmp`;

async function writeNew(path: string, { data, mode, before }: FileChange, { owner }: HeldFolder): Promise<void> {
  const handle = await open(path, 'wx', mode ?? before?.mode ?? 0o644);
  try {
    if (owner) await handle.chown(owner.uid, owner.gid);
    // A file keeps its permissions whatever the umask is.
    if (before) await handle.chmod(mode ?? before.mode);
    await handle.writeFile(data!);
    await syncAll(handle);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function stillAsBefore({ change, target }: Staged): Promise<void> {
  const { before } = change;
  const path = nameOf(change);
  const now = await statIfExists(target);
  if (before && before.kind !== 'file') throw new AppError('invalid', `${path} is not a file.`);
  const same =
    now === undefined || before === undefined
      ? now === before
      : now.inode === before.inode && now.modifiedAt === before.modifiedAt && now.size === before.size;
  if (!same)
    throw new AppError('conflict', `${path} was changed since it was read; nothing was written. Read it again.`);
}

async function putInPlace(staged: readonly Staged[], putAt: PutAt): Promise<void> {
  const undoable = staged.length > 1;
  try {
    for (const one of staged) {
      await onDisk(one.fresh ? 'write' : 'remove', nameOf(one.change), async () => {
        if (undoable && one.change.before) one.old = await secondName(one);
        if (one.fresh) await putAt(one.fresh, one.target);
        else await rm(one.target, { force: true });
        one.done = true;
      });
    }
  } catch (error) {
    await undo(staged, error);
    throw error;
  }
}

/** The old file stays reachable. Where a file cannot have two names it changes its name for a moment. */
async function secondName({ target, folder, change }: Staged): Promise<string> {
  const old = join(folder.path, besides(basename(change.path)));
  try {
    await link(target, old);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) throw error;
    await rename(target, old);
  }
  return old;
}

async function undo(staged: readonly Staged[], cause: unknown): Promise<void> {
  const stuck: string[] = [];
  for (const one of staged.toReversed()) {
    if (!one.old && !(one.done && !one.change.before)) continue;
    try {
      await (one.old ? rename(one.old, one.target) : rm(one.target, { force: true }));
    } catch (error) {
      stuck.push(
        `${nameOf(one.change)} ` +
          `(${errnoOf(error) ?? 'unknown error'}${one.old ? `, its old content is in ${basename(one.old)} in the same folder` : ''})`,
      );
      // What could not go back is kept.
      delete one.old;
    }
  }
  if (stuck.length > 0)
    throw new AppError(
      'storage',
      `Only part of the files could be changed, and these could not be put back: ${stuck.join('; ')}.`,
      { cause },
    );
}
