#!/usr/bin/env node
/** The installed `link-understand`: answers `--version` by itself, then runs under a Node that is new enough. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  console.log(JSON.parse(readFileSync(at('package.json'), 'utf8')).version);
} else {
  const built = at('dist/link-understand/main.js');
  const main = existsSync(built) ? built : at('src/link-understand/main.ts');
  const { runningIsEnough, runUnderBundledNode } = await import('./runtime.mjs');
  if (runningIsEnough()) {
    process.argv[1] = main;
    await import(pathToFileURL(main).href);
  } else await runUnderBundledNode('link-understand', [main, ...args]);
}
