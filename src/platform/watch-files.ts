/** Watches files for changes, including files replaced by renaming and files that do not exist yet. */
import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { realPathIfExists } from './files.ts';
import { storageError } from './storage-error.ts';

/**
 * Watches the folders of the files, and of what symbolic links among them point to. `onChange` may be called several
 * times for one change.
 * Rejects with `AppError('storage')` when none of the folders can be watched; later trouble goes to `onError`.
 */
export async function watchFiles(
  paths: readonly string[],
  { onChange, onError }: { onChange: () => void; onError: (error: Error) => void },
): Promise<Disposable> {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const place of new Set([path, (await realPathIfExists(path)) ?? path])) {
      const folder = names.get(dirname(place)) ?? new Set();
      names.set(dirname(place), folder.add(basename(place)));
    }
  }
  const watchers: FSWatcher[] = [];
  let failure: Error | undefined;
  for (const [folder, wanted] of names) {
    try {
      // A name beginning with ".." is how mounted volumes swap a whole folder at once.
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || wanted.has(name) || name.startsWith('..')) onChange();
      });
      watcher.on('error', onError);
      watchers.push(watcher);
    } catch (error) {
      failure = storageError('watch', folder, error);
    }
  }
  if (failure && watchers.length === 0) throw failure;
  if (failure) onError(failure);
  return { [Symbol.dispose]: () => watchers.forEach((watcher) => watcher.close()) };
}
