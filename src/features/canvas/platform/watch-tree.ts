/** Watches a folder and its subfolders for changes; the folder may be created later. */
import { watch, type FSWatcher } from 'node:fs';
import { sep } from 'node:path';
import { storageError } from '../../../platform/storage-error.ts';

/** Names that change without a page being another one: hidden files, and what package managers write. */
const ignored = (name: string): boolean =>
  name.split(sep).some((part) => part.startsWith('.') || part === 'node_modules');

/** Rejects with `AppError('storage')` when it cannot be watched; later trouble goes to `onError`. */
export function watchTree(
  folder: string,
  { onChange, onError }: { readonly onChange: () => void; readonly onError: (error: Error) => void },
): Disposable {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false, recursive: true }, (_event, name) => {
      if (name === null || !ignored(name)) onChange();
    });
  } catch (error) {
    throw storageError('watch', folder, error);
  }
  watcher.on('error', onError);
  return { [Symbol.dispose]: () => watcher.close() };
}
