/**
 * Runs the tests in two processes of the right Node, one half each, with the reasons of skipped ones at the end of each.
 *   npm test                                     everything
 *   npm test -- src/cli/cli.test.ts              some files
 *   npm test -- --test-name-pattern='second'     any option of `node --test`
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, root, script } from './progress.mjs';

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'ui/src/**/*.test.ts'];

/** Whole gateways and killed processes, which wait more than they work: one of two processes, so that neither core stands idle. */
const WHOLE_GATEWAYS = /^test\/(?!e2e\/ui-)/;

/** Milliseconds after which a test that neither passed nor failed has failed. */
const TEST_TIMEOUT = 180_000;

await script(async () => {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('-'));
  const named = args.filter((arg) => !arg.startsWith('-'));
  const files = globSync(named.length > 0 ? named : EVERYTHING, { cwd: root, exclude: (path) => path.includes('node_modules') }).sort();
  if (files.length === 0) throw new Problem(`No test file matches ${named.join(' ')}`);
  const halves = Object.values(Object.groupBy(files, (file) => String(WHOLE_GATEWAYS.test(file))));
  const [first, second] = halves.map((half) => runTests(half, options));
  process.exitCode = Math.max(await shown(first), second ? await shown(second) : 0);
});

/** Starts at once; what it says is kept until somebody wants to see it. */
function runTests(files, options) {
  const reporters = ['spec', join(root, 'scripts/skips-reporter.mjs')];
  const child = spawn(
    process.execPath,
    [
      '--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${TEST_TIMEOUT}`, '--disable-warning=ExperimentalWarning',
      ...reporters.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']),
      ...options, ...files,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const said = [];
  let say = (text) => void said.push(text);
  child.stdout.on('data', (text) => say(text));
  return {
    show() {
      for (const text of said.splice(0)) process.stdout.write(text);
      say = (text) => void process.stdout.write(text);
    },
    code: new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1))),
  };
}

async function shown({ show, code }) {
  show();
  return code;
}
