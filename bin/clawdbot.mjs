#!/usr/bin/env node
/** The installed command: answers `--version` by itself, then runs the product under a Node that is new enough. */
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledNode, noRuntimeMessage, runningIsEnough } from './runtime.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  console.log(JSON.parse(readFileSync(at('package.json'), 'utf8')).version);
} else {
  const main = existsSync(at('dist/main.js')) ? at('dist/main.js') : at('src/main.ts');
  if (runningIsEnough()) {
    process.argv[1] = main;
    await import(pathToFileURL(main).href);
  } else await runUnderBundledNode(main);
}

/** Stands between the shell and the right Node: terminal, signals and exit code pass through unchanged. */
async function runUnderBundledNode(main) {
  const node = bundledNode();
  if (!node) {
    console.error(noRuntimeMessage());
    process.exit(1);
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [main, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the child by itself when both share a terminal; a second one would mean "quit now".
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    console.error(`clawdbot: ${node} does not run here: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
