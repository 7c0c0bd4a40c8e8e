/** Finds the features: every folder of `src/features/` with an `index.ts`. */
import { basename } from 'node:path';
import { AppError } from '../core/errors.ts';
import type { Feature } from '../host/feature.ts';
import { ownFolders, type OwnFolders } from './own-folders.ts';

/** In the order of their names. One that is none rejects with `AppError('invalid')`: our own folders are right. */
export async function findFeatures(folders: OwnFolders = ownFolders()): Promise<readonly Feature[]> {
  const found = await folders.matching('features/*');
  return Promise.all(found.toSorted().map((folder) => load(folders, folder)));
}

async function load(folders: OwnFolders, folder: string): Promise<Feature> {
  const feature = (await folders.load(folder)) as Partial<Feature> | undefined;
  const name = basename(folder);
  if (feature?.id !== name || typeof feature.create !== 'function')
    throw new AppError('invalid', `The default export of ${folder} is not a feature with the id "${name}".`);
  return feature as Feature;
}
