/** Finds the CLI files of features by name. */
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listDir, statIfExists } from '../platform/files.ts';

const FEATURES = join(import.meta.dirname, '..', 'features');

/**
 * `cli`: command lines, `audit`: rules of `security audit`, `doctor`: what `doctor` looks at, `node`: what `node run`
 * offers.
 */
type FileName = 'cli' | 'audit' | 'doctor' | 'node';

/** The modules called `name` of all features, in the order of the features' names. */
export async function featureFiles<T>(
  name: FileName,
  root: string = FEATURES,
): Promise<readonly { readonly feature: string; readonly module: T }[]> {
  const folders = (await listDir(root)).filter(({ kind }) => kind === 'directory');
  const found = await Promise.all(
    folders.map(async ({ name: feature }) =>
      (await statIfExists(pathOf(root, feature, name))) === undefined
        ? []
        : [{ feature, module: await featureFile<T>(feature, name, root) }],
    ),
  );
  return found.flat();
}

/** That of one feature, which has it. */
export const featureFile = async <T>(feature: string, name: FileName, root: string = FEATURES): Promise<T> =>
  (await import(pathToFileURL(pathOf(root, feature, name)).href)) as T;

const pathOf = (root: string, feature: string, name: FileName): string =>
  join(root, feature, `${name}${extname(import.meta.filename)}`);
