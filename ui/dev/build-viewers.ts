/** Builds the pages that features show outside the Control UI: `src/features/<id>/viewer/` → `dist/ui/viewers/<id>/`. */
import { copyFileSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One script each, without modules: a page without an origin loads it with no question asked. */
export async function buildViewers(): Promise<void> {
  for (const main of globSync('src/features/*/viewer/main.ts', { cwd: root })) {
    const folder = dirname(main);
    const out = join(root, 'dist/ui/viewers', basename(dirname(folder)));
    mkdirSync(out, { recursive: true });
    await bundle(join(root, main), join(out, 'viewer.js'));
    // A page that is installed, or is told something while it sleeps, has a second script for the browser itself.
    const worker = join(root, folder, 'worker.ts');
    if (existsSync(worker)) await bundle(worker, join(out, 'worker.js'));
    copyFileSync(join(root, folder, 'viewer.css'), join(out, 'viewer.css'));
  }
}

const bundle = (input: string, file: string): Promise<unknown> =>
  build({ input, output: { file, format: 'iife', minify: true }, logLevel: 'warn' });
