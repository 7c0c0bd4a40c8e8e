/** A fresh, private, empty folder for one piece of work; gone with everything in it when the work is done. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDir } from './files.ts';
import { onDisk } from './storage-error.ts';

export interface ScratchFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

/** `await using folder = await scratchFolder('link', tempDir);` Throws `AppError('storage')`. `under` is created when missing. */
export async function scratchFolder(name: string, under: string): Promise<ScratchFolder> {
  await ensureDir(under);
  const prefix = join(under, `${name}-`);
  const path = await onDisk('create a folder like', prefix, () => mkdtemp(prefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
