/**
 * Runs the tests in one process of the right Node, with the reasons of skipped ones at the end.
 *   npm test                                     everything
 *   npm test -- src/cli/cli.test.ts              some files
 *   npm test -- --test-name-pattern='second'     any option of `node --test`
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, root, script } from './progress.mjs';

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'ui/src/**/*.test.ts'];

/** Milliseconds after which a test that neither passed nor failed has failed. */
const TEST_TIMEOUT = 180_000;

await script(async () => {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('-'));
  const named = args.filter((arg) => !arg.startsWith('-'));
  const files = globSync(named.length > 0 ? named : EVERYTHING, { cwd: root, exclude: (path) => path.includes('node_modules') }).sort();
  if (files.length === 0) throw new Problem(`No test file matches ${named.join(' ')}`);
  process.exitCode = await runTests(files, options);
});

function runTests(files, options) {
  const reporters = ['spec', join(root, 'scripts/skips-reporter.mjs')];
  const child = spawn(
    process.execPath,
    [
      '--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${TEST_TIMEOUT}`, '--disable-warning=ExperimentalWarning',
      ...reporters.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']),
      ...options, ...files,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests') } },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
