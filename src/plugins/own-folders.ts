/** Finds the product's own features and plugins: folders with an `index`, as the build listed them or on the disk. */
import { extname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listDir, statIfExists } from '../platform/files.ts';
import { BUNDLED } from './bundled.ts';

export interface OwnFolders {
  /** Below the root, by name; a star stands for any one folder: `channels/*`. */
  matching(pattern: string): Promise<readonly string[]>;
  /** The default export of the index of one that was found. */
  load(folder: string): Promise<unknown>;
  /** Of the build: what stands in them was compiled and tested with the contracts. */
  readonly checked: boolean;
}

/** `.ts` from source, `.js` where another root than the build's own is looked at. */
const INDEX = `index${extname(import.meta.filename)}`;
const SOURCE = join(import.meta.dirname, '..');

export const ownFolders = (root: string = SOURCE): OwnFolders =>
  BUNDLED !== undefined && root === SOURCE ? bundled(BUNDLED) : onDisk(root);

function bundled(known: Readonly<Record<string, unknown>>): OwnFolders {
  return {
    checked: true,
    matching: async (pattern) => {
      const wanted = pattern.split('/');
      return Object.keys(known).filter((folder) => {
        const words = folder.split('/');
        return words.length === wanted.length && wanted.every((word, at) => word === '*' || word === words[at]);
      });
    },
    load: async (folder) => known[folder],
  };
}

function onDisk(root: string): OwnFolders {
  return {
    checked: false,
    async matching(pattern) {
      let found: readonly string[] = [''];
      for (const word of pattern.split('/'))
        found = (await Promise.all(found.map((parent) => below(root, parent, word)))).flat();
      const whole = found.map(async (folder) =>
        (await statIfExists(join(root, folder, INDEX))) === undefined ? [] : [folder],
      );
      return (await Promise.all(whole)).flat();
    },
    async load(folder) {
      const module = (await import(pathToFileURL(join(root, folder, INDEX)).href)) as { default?: unknown };
      return module.default;
    },
  };
}

async function below(root: string, parent: string, word: string): Promise<readonly string[]> {
  if (word !== '*') return [posix.join(parent, word)];
  const entries = await listDir(join(root, parent));
  return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => posix.join(parent, name));
}
