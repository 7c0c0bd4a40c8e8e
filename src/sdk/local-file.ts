/** Local files that a channel's own program writes or reads. */
import { join } from 'node:path';
import { AppError } from '../core/errors.ts';
import { expandPath, readEnv } from '../platform/env.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { readInside } from '../platform/read-inside.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

/**
 * A file below one of `roots` (`~` is the home directory), links resolved. Rejects with `denied` outside of them,
 * `not_found`, and `too_large` beyond `maxBytes`.
 */
export async function readLocalFile(path: string, roots: readonly string[], maxBytes: number): Promise<Buffer> {
  const { home } = readEnv();
  const [first, ...rest] = roots.map((root) => expandPath(root, home));
  if (first === undefined) throw new AppError('denied', 'No folder is set that files may be read from.');
  return readInside(expandPath(path, home), [first, ...rest], maxBytes);
}

/** A file for a program to read, in a private folder that goes with it. */
export interface ScratchFile extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

/** `name` keeps its end, and nothing in it leads out of the folder. */
export async function scratchFile(
  stateDir: string,
  { name, data }: { readonly name: string; readonly data: Uint8Array },
): Promise<ScratchFile> {
  const folder = await scratchFolder('send', stateDir);
  const safe =
    name
      .replace(/[/\\\u0000-\u001f]/g, '_')
      .replace(/^\.+/, '_')
      .slice(-120) || 'file';
  const path = join(folder.path, safe);
  await writeFileAtomic(path, data);
  return { path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}
