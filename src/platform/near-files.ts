/**
 * Looks at files without a thread where that cannot take long: on the disk the state is on, which each write of the
 * journal looks at as well. A look from a thread costs ten times as much, and a turn takes ten of them.
 */
import { readdirSync, statSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirEntries, factsOf, listDir, statIfExists, type DirEntry, type FileFacts } from './files.ts';
import { isMissing, storageError } from './storage-error.ts';

/** So many paths are known to be near. */
const MAX_KNOWN = 2000;

/** Files, some of which are looked at without a thread. */
export interface NearFiles {
  /** Like `statIfExists`. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** Like `listDir`. */
  list(path: string): Promise<readonly DirEntry[]>;
  /** What the last look found there is near, or there was nothing. */
  isNear(path: string): boolean;
}

/** Where nothing is known to be near. */
export const FAR_FILES: NearFiles = { stat: statIfExists, list: listDir, isNear: () => false };

/** `home`: a folder on the disk that counts as near. */
export function createNearFiles(home: string): NearFiles {
  /** Paths that were there, or where nothing was, at the last look. A mount or a link may take their place. */
  const near = new Set<string>();
  const state: { nearDisk?: number | undefined } = {};

  /** Undefined: it cannot be told, and no disk is near. */
  async function diskOfHome(): Promise<number | undefined> {
    state.nearDisk ??= (await orMissing(stat(home)))?.dev;
    return state.nearDisk;
  }

  async function examine(path: string): Promise<Stats | undefined> {
    const found = near.has(path) ? statSync(path, { throwIfNoEntry: false }) : await orMissing(stat(path));
    if (near.has(path) && (found === undefined || found.dev === state.nearDisk)) return found;
    near.delete(path);
    if (near.size >= MAX_KNOWN) near.clear();
    if (found === undefined || found.dev === (await diskOfHome())) near.add(path);
    return found;
  }

  return {
    isNear: (path) => near.has(path),
    async stat(path) {
      const found = await onlyKnown('look at', path, () => examine(path));
      return found && factsOf(found);
    },
    async list(path) {
      const found = await onlyKnown('list', path, () => examine(path));
      if (!found) return [];
      if (!near.has(path)) return listDir(path);
      return (await onlyKnown('list', path, async () => dirEntries(readdirSync(path, { withFileTypes: true })))) ?? [];
    },
  };
}

const orMissing = (found: Promise<Stats>): Promise<Stats | undefined> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** Undefined where nothing is; what the system says otherwise leaves as `AppError('storage')`. */
async function onlyKnown<T>(action: string, path: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError(action, path, error);
  }
}
