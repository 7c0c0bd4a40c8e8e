/** Gets the file access of a turn's tools from the turn's context. */
import { present } from '../core/present.ts';
import type { ToolContext } from '../core/tool.ts';
import type { DirEntry, FileFacts } from '../platform/files.ts';
import { resolvePath, type PathBounds } from '../platform/inside.ts';
import {
  listReachable,
  loadReachable,
  statReachable,
  readReachable,
  type LoadedFile,
} from '../platform/read-inside.ts';

/** What of the context decides it. */
export type FileContext = Pick<
  ToolContext,
  | 'workspace'
  | 'readableRoots'
  | 'confined'
  | 'sandboxed'
  | 'deniedPaths'
  | 'readOnly'
  | 'closed'
  | 'home'
  | 'workspaceShownAs'
>;

/** What a path means, by the handle that was opened; `facts` undefined: nothing is there. */
export interface FileStat {
  readonly path: string;
  readonly facts: FileFacts | undefined;
}

/**
 * The real path of a file to be read, every symbolic link followed. Rejects with `AppError`: `denied` when it lies
 * outside the workspace
 * and the folders that may be read, unless the turn is free to leave them; `invalid` for what is no path. It is a name:
 * to open what it
 * names, use the functions below, with the path as it was written.
 */
export const resolvePathToRead = (path: string, ctx: FileContext): Promise<string> =>
  resolvePath(path, readBounds(ctx));

/** The real path of a file to be written; like `resolvePathToRead`, in the workspace alone. */
export const resolvePathToWrite = (path: string, ctx: FileContext): Promise<string> =>
  resolvePath(path, writeBounds(ctx));

/** What is there, for reading; nothing of it is opened. Rejects like `resolvePathToRead`. */
export const statToRead = (path: string, ctx: FileContext): Promise<FileStat> => statReachable(path, readBounds(ctx));

/** What is there, to be replaced or removed. Rejects like `resolvePathToWrite`. */
export const statToWrite = (path: string, ctx: FileContext): Promise<FileStat> => statReachable(path, writeBounds(ctx));

/**
 * The whole file, by the handle that was checked. Rejects like `resolvePathToRead`, and with `not_found`, `invalid` for
 * what is no plain file, `too_large`.
 */
export const readWhole = (path: string, ctx: FileContext, maxBytes: number): Promise<Buffer> =>
  readReachable(path, readBounds(ctx), maxBytes);

/** The whole file with what it was at that moment, to be written back. Rejects like `readWhole`. */
export const loadToWrite = (path: string, ctx: FileContext, maxBytes: number): Promise<LoadedFile> =>
  loadReachable(path, writeBounds(ctx), maxBytes);

/** What is in a folder, by name. Rejects like `readWhole`. */
export const listFolder = (path: string, ctx: FileContext): Promise<readonly DirEntry[]> =>
  listReachable(path, readBounds(ctx));

const readBounds = (ctx: FileContext): PathBounds => boundsOf(ctx, ctx.readableRoots ?? []);
const writeBounds = (ctx: FileContext): PathBounds => ({
  ...boundsOf(ctx, []),
  readOnly: ctx.readOnly,
  ...present({ kept: ctx.sandboxed ? undefined : REPOSITORIES }),
});

/**
 * Commands that read a repository run unasked where its settings start nothing: they must be the same when git reads
 * them. In a sandbox git starts what it likes.
 */
const REPOSITORIES = {
  names: ['.git'],
  why: 'is part of a git repository and can make git start programs. Change it with a git command instead.',
};

/** A sandbox has no way out, whatever the policy for the machine is. */
function boundsOf(
  { workspace, confined = true, sandboxed = false, deniedPaths, closed, home, workspaceShownAs }: FileContext,
  further: readonly string[],
): PathBounds {
  const kept = confined || sandboxed;
  const bounds = {
    base: workspace,
    roots: kept ? [workspace, ...further] : undefined,
    denied: deniedPaths,
    closed,
    oneNameIn: kept ? [workspace] : undefined,
  };
  return sandboxed ? { ...bounds, shownAs: workspaceShownAs } : { ...bounds, home };
}
