/** A new, private, empty folder for one operation. It is removed afterwards, or later if a crash prevented that. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDir, listDir, statIfExists } from './files.ts';
import { onDisk } from './storage-error.ts';

/** A folder that is removed, with all in it, when it is disposed of. */
export interface ScratchFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

const PREFIX = 'scratch-';
/** No work takes that long; what is older was left behind. */
const STALE_MS = 24 * 3600_000;

/**
 * `await using folder = await scratchFolder('link', tempDir);` Throws `AppError('storage')`. `under` is created when
 * missing.
 */
export async function scratchFolder(name: string, under: string): Promise<ScratchFolder> {
  await ensureDir(under);
  const prefix = join(under, `${PREFIX}${name}-`);
  const path = await onDisk('create a folder like', prefix, () => mkdtemp(prefix));
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

/** Removes the folders of work that was cut short, private files in them. `now`: milliseconds since the epoch. */
export async function sweepScratchFolders(under: string, now: number): Promise<void> {
  for (const { name } of (await listDir(under)).filter((entry) => entry.name.startsWith(PREFIX))) {
    const facts = await statIfExists(join(under, name));
    if (facts?.kind === 'directory' && facts.modifiedAt < now - STALE_MS) await remove(join(under, name));
  }
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
