/** Finds the CLI files of features by name. */
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listDir, statIfExists } from '../platform/files.ts';

const FEATURES = join(import.meta.dirname, '..', 'features');

/**
 * The modules called `name` of all features, in the order of the features' names. `cli`: command lines, `audit`: rules
 * of `security audit`, `doctor`: what `doctor` looks at.
 */
export async function featureFiles<T>(
  name: 'cli' | 'audit' | 'doctor',
  root: string = FEATURES,
): Promise<readonly T[]> {
  const folders = (await listDir(root)).filter(({ kind }) => kind === 'directory');
  const paths = folders.map((folder) => join(root, folder.name, `${name}${extname(import.meta.filename)}`));
  const found = await Promise.all(
    paths.map(async (path) =>
      (await statIfExists(path)) === undefined ? [] : [(await import(pathToFileURL(path).href)) as T],
    ),
  );
  return found.flat();
}
