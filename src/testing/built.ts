/** Finds the program that tests start as a process: the build, if it is up to date with the sources. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');
const { builtTree } = (await import(pathToFileURL(join(ROOT, 'scripts/test-build.mjs')).href)) as {
  builtTree(): string | undefined;
};

/** Asked once: this process has loaded its own modules of the sources as they were then. */
const tree = builtTree();

/**
 * The absolute path to start. `source`: from the checkout, as in `src/main.ts`, or a folder as in `test/crash/plugin`.
 * The sources themselves where nobody built them as they are now: that takes longer and is the same.
 */
export function built(source: string): string {
  const path = tree && join(tree, source.replace(/\.ts$/, '.js'));
  return path && existsSync(path) ? path : join(ROOT, source);
}
