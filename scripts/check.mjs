/**
 * Every rule of the repository that needs no running product: types, lint, walls, dead code, the shape of the tree.
 * All steps run, one line each; the exit code is 1 when any of them fails.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, secondsSince, tail } from './progress.mjs';

const bin = (path) => join(root, 'node_modules', path);
const tsc = bin('ts7/lib/tsc.js');

const STEPS = [
  { name: 'types of src and test', args: [tsc, '--noEmit', '-p', 'tsconfig.json'] },
  ...(existsSync(join(root, 'ui/tsconfig.json'))
    ? [{ name: 'types of ui', args: [tsc, '--noEmit', '-p', 'ui/tsconfig.json'] }]
    : []),
  {
    name: 'lint',
    args: [
      bin('oxlint/bin/oxlint'),
      '--deny-warnings',
      'src',
      'test',
      'scripts',
      'bin',
      ...['ui/src', 'bench'].filter((path) => existsSync(join(root, path))),
    ],
  },
  { name: 'format', args: [bin('@biomejs/biome/bin/biome'), 'format', '--max-diagnostics=5', '.'] },
  {
    name: 'walls between folders',
    args: [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', 'ui/src', '--output-type', 'err'],
    failsOn: cruisedNothing,
  },
  { name: 'dead code and unused dependencies', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  {
    name: 'shape of the tree, reference pages',
    args: [
      '--test',
      '--test-reporter=dot',
      'test/architecture.test.ts',
      'test/shape/form.test.ts',
      'test/shape/wide-dependencies.test.ts',
      'test/reference.test.ts',
    ],
  },
];

const start = performance.now();
const failures = await inParallel(STEPS, check);
console.log(
  failures.length === 0
    ? `\nAll checks passed (${secondsSince(start)}).`
    : `\nFailed: ${failures.map((step) => step.name).join(', ')} (${secondsSince(start)})`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

/** True when the step passed. */
async function check({ name, args, failsOn }) {
  const began = performance.now();
  const { code, output } = await run(process.execPath, args);
  const problem = code === 0 ? failsOn?.(output) : tail(output, 80);
  console.log(
    `${problem === undefined ? '✓' : '✗'} ${name} ` +
      `(${secondsSince(began)})${problem === undefined ? '' : `\n${problem}`}`,
  );
  return problem === undefined;
}

/** dependency-cruiser passes silently when it cannot parse TypeScript. */
function cruisedNothing(output) {
  const modules = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  return modules > 0 ? undefined : `    dependency-cruiser cruised no module:\n${tail(output)}`;
}

/** Two at a time, as many as the smallest machine has cores; resolves with the items `work` said no to. */
async function inParallel(items, work) {
  const waiting = [...items];
  const failed = [];
  const worker = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) if (!(await work(item))) failed.push(item);
  };
  await Promise.all([worker(), worker()]);
  return failed;
}
