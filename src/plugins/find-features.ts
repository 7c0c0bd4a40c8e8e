/** Finds the features of this product: every folder of `src/features/` with an `index.ts` is one. */
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../core/errors.ts';
import type { Feature } from '../host/feature.ts';
import { listDir, statIfExists } from '../platform/files.ts';

/** `index.ts` from source, `index.js` from dist. */
const INDEX = `index${extname(import.meta.filename)}`;
const FEATURES = join(import.meta.dirname, '..', 'features');

/** In the order of their names. One that is none rejects with `AppError('invalid')`: our own folders are right. */
export async function findFeatures(root: string = FEATURES): Promise<readonly Feature[]> {
  const names = (await listDir(root)).filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  const found = await Promise.all(names.toSorted().map((name) => load(root, name)));
  return found.flat();
}

async function load(root: string, name: string): Promise<readonly Feature[]> {
  const path = join(root, name, INDEX);
  if (!(await statIfExists(path))) return [];
  const { default: feature } = (await import(pathToFileURL(path).href)) as { default?: Partial<Feature> };
  if (feature?.id !== name || typeof feature.create !== 'function')
    throw new AppError('invalid', `The default export of features/${name} is not a feature with the id "${name}".`);
  return [feature as Feature];
}
