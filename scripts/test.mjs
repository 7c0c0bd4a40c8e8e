/**
 * Runs the tests with the right Node and says at the end which failed, which were skipped and why, and what took long.
 *   npm test                                     everything, in several processes
 *   npm test -- src/cli/cli.test.ts              some files, in one process, each test with its name
 *   npm test -- --test-name-pattern='second'     any option of `node --test`, in one process
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, root, script } from './progress.mjs';
import { buildForTests } from './test-build.mjs';
import { runEverything } from './test-batches.mjs';
import { temporaryFolders } from './temporary-folder.mjs';
import { nodeTestArgs, testEnv } from './test-process.mjs';

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'ui/src/**/*.test.ts'];

await script(async () => {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('-'));
  const named = args.filter((arg) => !arg.startsWith('-'));
  const files = globSync(named.length > 0 ? named : EVERYTHING, {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).sort();
  if (files.length === 0) throw new Problem(`No test file matches ${named.join(' ')}`);
  await buildForTests();
  process.exitCode = await (args.length > 0 ? runNamed(files, options) : runEverything(files));
});

function runNamed(files, options) {
  const temporary = temporaryFolders().make(files);
  const child = spawn(
    process.execPath,
    nodeTestArgs({ spec: 'stdout', [join(root, 'scripts/skips-reporter.mjs')]: 'stdout' }, options, files),
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: testEnv(temporary) },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
