/** Prints what the first page loads, compressed, and fails above the budget: `node ui/dev/bundle-size.ts`. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BUILT_UI } from './fake-gateway.ts';

const BUDGET = 60_000;

/** The entries and everything they import statically. */
export function firstLoad(uiDir: string = BUILT_UI): { readonly files: readonly string[]; readonly bytes: number } {
  const page = readFileSync(join(uiDir, 'index.html'), 'utf8');
  const entries = [
    ...page.matchAll(/<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="\.\/([^"]+)"/g),
  ];
  if (entries.length === 0) throw new Error(`no entry script in ${uiDir}/index.html`);
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, target] of readFileSync(join(uiDir, file), 'utf8').matchAll(/(?:from|import)\s*"(\.\/[^"]+\.js)"/g))
      visit(join(dirname(file), target!));
  };
  for (const [, entry] of entries) visit(entry!);
  return {
    files: [...files],
    bytes: [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(uiDir, file))).length, 0),
  };
}

if (import.meta.main) {
  const { files, bytes } = firstLoad();
  console.log(`${bytes} bytes gzip in ${files.length} files (budget ${BUDGET})`);
  process.exitCode = bytes > BUDGET ? 1 : 0;
}
