/** Builds the pages that features show outside the Control UI: `src/features/<id>/viewer/` → `dist/ui/viewers/<id>/`. */
import { copyFileSync, globSync, mkdirSync } from 'node:fs';
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
    await build({
      input: join(root, main),
      output: { file: join(out, 'viewer.js'), format: 'iife', minify: true },
      logLevel: 'warn',
    });
    copyFileSync(join(root, folder, 'viewer.css'), join(out, 'viewer.css'));
  }
}
