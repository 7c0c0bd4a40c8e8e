/** Which files the tools of a turn may read and write, out of the turn's context. */
import type { ToolContext } from '../core/tool.ts';
import { resolvePath, type Reach } from '../platform/inside.ts';
import { readReachable } from '../platform/read-inside.ts';

/** What of the context decides it. */
export type FileContext = Pick<ToolContext, 'workspace' | 'readableRoots' | 'confined' | 'sandboxed' | 'deniedPaths' | 'home' | 'workspaceShownAs'>;

/**
 * The real path of a file to be read, every symbolic link followed. Use this value and no other. Rejects with `AppError`: `denied` when it
 * lies outside the workspace and the folders that may be read, unless the turn is free to leave them; `invalid` for what is no path.
 */
export const resolvePathToRead = (path: string, ctx: FileContext): Promise<string> => resolvePath(path, reachToRead(ctx));

/** The real path of a file to be written; like `resolvePathToRead`, in the workspace alone. */
export const resolvePathToWrite = (path: string, ctx: FileContext): Promise<string> => resolvePath(path, reachOf(ctx, []));

/** The whole file, opened so that it is the one that was checked. Rejects like `resolvePathToRead`, and with `not_found`, `invalid` for what is no plain file, `too_large`. */
export const readWhole = (path: string, ctx: FileContext, maxBytes: number): Promise<Buffer> => readReachable(path, reachToRead(ctx), maxBytes);

const reachToRead = (ctx: FileContext): Reach => reachOf(ctx, ctx.readableRoots ?? []);

/** A sandbox has no way out, whatever the policy for the machine is. */
function reachOf({ workspace, confined = true, sandboxed = false, deniedPaths, home, workspaceShownAs }: FileContext, further: readonly string[]): Reach {
  const reach = { base: workspace, roots: confined || sandboxed ? [workspace, ...further] : undefined, denied: deniedPaths };
  return sandboxed ? { ...reach, shownAs: workspaceShownAs } : { ...reach, home };
}
