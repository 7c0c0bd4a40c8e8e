/** Checks that only this user and root can change code: every folder above it, and everything below it. */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { liesUnder } from './inside.ts';
import { ownUser } from './own-user.ts';
import { isMissing, onDisk } from './storage-error.ts';

const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;
/** More is no plugin, but a folder of somebody's whole work. */
const MAX_FILES = 50_000;
const AT_ONCE = 64;

/**
 * `real`: absolute, symbolic links resolved. What is wrong with it, as a sentence; undefined when nothing is. Links
 * that lead out of
 * the folder are wrong: what they name was not looked at. Where users have no numbers (Windows) only links are judged.
 */
export async function findOtherWriter(real: string): Promise<string | undefined> {
  for (let path = dirname(real); ; path = dirname(path)) {
    const stats = await onDisk('look at', path, () => lstat(path));
    // In a sticky folder nobody replaces what somebody else put there.
    const problem = problemOf(path, stats, { sticky: true });
    if (problem !== undefined) return problem;
    if (path === dirname(path)) break;
  }
  const stats = await onDisk('look at', real, () => lstat(real));
  const problem = problemOf(real, stats);
  return problem ?? (stats.isDirectory() ? below(real) : undefined);
}

async function below(root: string): Promise<string | undefined> {
  const folders = [root];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await onDisk('list', folder, () => readdir(folder!, { withFileTypes: true }));
    seen += entries.length;
    if (seen > MAX_FILES) return `${root} contains more than ${MAX_FILES} files. Use the folder of the plugin only.`;
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const problems = await Promise.all(
        entries.slice(from, from + AT_ONCE).map((entry) => check(entry, folder!, root)),
      );
      const problem = problems.find((one) => one !== undefined);
      if (problem !== undefined) return problem;
    }
    folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder!, name)));
  }
  return undefined;
}

async function check(entry: Dirent, folder: string, root: string): Promise<string | undefined> {
  const path = join(folder, entry.name);
  try {
    if (!entry.isSymbolicLink()) return problemOf(path, await lstat(path));
    return (await liesUnder(await realpath(path), [root]))
      ? undefined
      : `${path} is a link to a target outside the folder of the plugin. Move the target into the folder.`;
  } catch (error) {
    // It is gone meanwhile, or a link to nothing.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function problemOf(path: string, { uid, mode }: Stats, { sticky = false } = {}): string | undefined {
  const own = ownUser();
  if (own === undefined) return undefined;
  if (uid !== own.uid && uid !== 0)
    return `${path} belongs to another user (${uid}), who can change it. Change the owner with chown, or copy it.`;
  if ((mode & WRITABLE_BY_ALL) === 0 || (sticky && (mode & STICKY) !== 0)) return undefined;
  return `${path} is writable by everybody. Run chmod o-w on it.`;
}
