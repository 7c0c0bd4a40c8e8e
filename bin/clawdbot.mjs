#!/usr/bin/env node
/** The installed command: answers `--version` by itself, then runs the product under a Node that is new enough. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runningIsEnough, runUnderBundledNode } from './runtime.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  console.log(JSON.parse(readFileSync(at('package.json'), 'utf8')).version);
} else {
  const main = existsSync(at('dist/main.js')) ? at('dist/main.js') : at('src/main.ts');
  if (runningIsEnough()) {
    process.argv[1] = main;
    await import(pathToFileURL(main).href);
  } else await runUnderBundledNode('clawdbot', [main, ...args]);
}
