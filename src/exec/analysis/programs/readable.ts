/** Whether the files a program names may be read without asking: only inside the folders that are open to the assistant. */
import { quoted } from '../reading/command-text.ts';
import { pathAt, type Place } from './place.ts';

const MOST_FILES = 64;

/** Why not, one clause; undefined: all may. A file that does not exist is judged by its folder. */
export async function unreadable(files: readonly string[], place: Place, onlyFiles = false): Promise<string | undefined> {
  if (files.length > MOST_FILES) return `it names more than ${MOST_FILES} files`;
  const roots = (await Promise.all(place.world.readableRoots.map((root) => place.world.look(root)))).flatMap((root) => root?.real ?? []);
  for (const file of files) {
    const why = file === '-' ? undefined : await trouble(file, { place, roots, onlyFiles });
    if (why !== undefined) return why;
  }
  return undefined;
}

interface Reader { readonly place: Place; readonly roots: readonly string[]; readonly onlyFiles: boolean }

async function trouble(file: string, { place, roots, onlyFiles }: Reader): Promise<string | undefined> {
  const path = pathAt(file, place);
  if (path === undefined) return `which file ${quoted(file)} is depends on the commands before it`;
  const found = await place.world.look(path);
  if (found?.kind === 'other' && found.real !== '/dev/null') return `${quoted(file)} is no ordinary file`;
  if (onlyFiles && found?.kind === 'directory') return `${quoted(file)} is a folder, whose links would be followed`;
  const real = found?.real ?? (await folderOf(path, place));
  return real !== undefined && (real === '/dev/null' || roots.some((root) => real === root || real.startsWith(root === '/' ? root : `${root}/`))) ? undefined : `${quoted(file)} is outside the folders that may be read without asking`;
}

async function folderOf(path: string, { world }: Place): Promise<string | undefined> {
  const [, folder = '', name = ''] = /^(.*)\/([^/]+)\/*$/.exec(path) ?? [];
  if (name === '' || name === '.' || name === '..') return undefined;
  const found = await world.look(folder || '/');
  return found?.kind === 'directory' ? found.real : undefined;
}
