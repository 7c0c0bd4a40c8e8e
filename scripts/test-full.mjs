/**
 * The long tests: every case of the crash matrices, all command lines, hostile texts of a megabyte, many power cuts,
 * long races, the soak, a thousand clients.
 *   npm run test:full                  all of them; when they pass, the code they passed with is remembered
 *   npm run test:full -- --if-changed  the crash matrices and the command lines, each if what it tests is not what it
 *                                      last passed with
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, script } from './progress.mjs';

/** What runs again when something in these folders changed. */
const GROUPS = [
  {
    what: 'the full crash matrices',
    tested: ['src/journal', 'src/pipeline', 'src/sessions', 'src/features/cron', 'src/features/exchange'],
    files: ['test/crash/*.test.ts'],
  },
  {
    what: 'all command lines',
    tested: ['src/features/exec/analysis'],
    files: ['test/security/commands/{traced,git}.test.ts'],
  },
];
/** Only in `npm run test:full` as a whole. */
const LONG = [
  'test/security/{parsers,regexes}/*.test.ts',
  'src/documents/{hostile,html/html-to-markdown}.test.ts',
  'src/features/cron/{schedule/transitions,scheduler/step-scheduler-property}.test.ts',
  'test/e2e/soak.test.ts',
  'test/security/files/races.test.ts',
  'src/features/browser/**/{kill-matrix,gateway-kills,tasks,odd-pages}.test.ts',
  'test/full/*.ts',
];
const TESTED = GROUPS.flatMap(({ tested }) => tested);
const PASSED = join(root, 'test/full/passed-with.json');

await script(async () => {
  const onlyIfChanged = process.argv.includes('--if-changed');
  const [trees, passed] = [committedTrees(), passedWith()];
  const due = GROUPS.filter(
    ({ tested }) => !onlyIfChanged || tested.some((folder) => trees[folder] !== passed[folder]),
  );
  for (const { what, tested } of GROUPS.filter((group) => !due.includes(group)))
    console.log(`skipped: ${what} passed with ${tested.join(', ')} as they are (test/full/passed-with.json).`);
  if (due.length === 0) return;
  process.exitCode = await run([...due.flatMap(({ files }) => files), ...(onlyIfChanged ? [] : LONG)]);
  if (process.exitCode !== 0 || onlyIfChanged) return;
  if (isClean()) writeFileSync(PASSED, `${JSON.stringify(trees, undefined, 2)}\n`);
  else console.log('Not remembered as passed: there are changes that are not committed.');
});

/** Folder → the git tree of what is committed in it. */
function committedTrees() {
  return Object.fromEntries(TESTED.map((folder) => [folder, git('rev-parse', `HEAD:${folder}`)]));
}

function passedWith() {
  try {
    return JSON.parse(readFileSync(PASSED, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return {};
  }
}

function isClean() {
  return git('status', '--porcelain', '--', ...TESTED) === '';
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function run(files) {
  const child = spawn(process.execPath, [join(root, 'scripts/test.mjs'), ...files], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_MATRICES: 'full' },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
