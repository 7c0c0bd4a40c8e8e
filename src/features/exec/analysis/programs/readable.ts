/** Checks that the files of a program call are in folders that may be read without approval. */
import { isCopyOf } from '../../../../platform/inside.ts';
import type { AnalysisContext } from '../analysis.ts';
import { quoted } from '../reading/command-text.ts';
import { pathAt, type Place } from './place.ts';

const MAX_FILES = 64;

export const rootsOf = (context: AnalysisContext): Promise<readonly string[]> =>
  realPaths(context.readableRoots, context);

async function realPaths(paths: readonly string[], context: AnalysisContext): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => context.inspect(path)));
  return found.flatMap((one) => one?.real ?? []);
}

/** `path`, `roots`: real. */
export const inside = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(root === '/' ? root : `${root}/`));

/** Why not, one clause; undefined: all may. A file that does not exist is judged by its folder. */
export async function unreadable(
  files: readonly string[],
  place: Place,
  onlyFiles = false,
): Promise<string | undefined> {
  if (files.length > MAX_FILES) return `it names more than ${MAX_FILES} files`;
  const [roots, closed] = await Promise.all([
    rootsOf(place.context),
    realPaths(place.context.closedPaths, place.context),
  ]);
  for (const file of files) {
    const why = file === '-' ? undefined : await trouble(file, { place, roots, closed, onlyFiles });
    if (why !== undefined) return why;
  }
  return undefined;
}

/** For words that are files to some programs of that name only: those that lead to something. */
export async function unreadableNow(words: readonly string[], place: Place): Promise<string | undefined> {
  const found = await Promise.all(
    words.map(async (word) => {
      const path = pathAt(word, place);
      return path === undefined ? !word.startsWith('-') : (await place.context.inspect(path)) !== undefined;
    }),
  );
  return unreadable(
    words.filter((_word, index) => found[index]),
    place,
  );
}

interface Reader {
  readonly place: Place;
  readonly roots: readonly string[];
  readonly closed: readonly string[];
  readonly onlyFiles: boolean;
}

async function trouble(file: string, { place, roots, closed, onlyFiles }: Reader): Promise<string | undefined> {
  const path = pathAt(file, place);
  if (path === undefined) return `the file that ${quoted(file)} refers to depends on earlier commands`;
  const found = await place.context.inspect(path);
  if (found?.kind === 'other' && found.real !== '/dev/null') return `${quoted(file)} is not a regular file`;
  if (onlyFiles && found?.kind === 'directory') return `${quoted(file)} is a folder, and links in it would be followed`;
  const real = found?.real ?? (await folderOf(path, place));
  if (real !== undefined && closed.some((one) => inside(real, [one]) || inside(one, [real]) || isCopyOf(one, real)))
    return `${quoted(file)} is, or contains, a file of the gateway`;
  return real !== undefined && (real === '/dev/null' || inside(real, roots))
    ? undefined
    : `${quoted(file)} is outside the folders that may be read without approval`;
}

async function folderOf(path: string, { context }: Place): Promise<string | undefined> {
  const [, folder = '', name = ''] = /^(.*)\/([^/]+)\/*$/.exec(path) ?? [];
  if (name === '' || name === '.' || name === '..') return undefined;
  const found = await context.inspect(folder || '/');
  return found?.kind === 'directory' ? found.real : undefined;
}
