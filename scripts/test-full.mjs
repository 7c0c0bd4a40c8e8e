/**
 * The long tests: every case of the crash matrices, many power cuts, the soak, a thousand clients.
 *   npm run test:full                  all of them; when they pass, the code they passed with is remembered
 *   npm run test:full -- --if-changed  the crash matrices, if what they test is not what they last passed with
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, script } from './progress.mjs';

const TESTED = ['src/journal', 'src/pipeline', 'src/sessions'];
const PASSED = join(root, 'test/full/passed-with.json');

await script(async () => {
  const onlyIfChanged = process.argv.includes('--if-changed');
  const tested = trees();
  if (onlyIfChanged && JSON.stringify(tested) === JSON.stringify(passedWith())) {
    console.log(
      `skipped: the full crash matrices passed with ${TESTED.join(', ')} as they are (test/full/passed-with.json).`,
    );
    return;
  }
  const files = ['test/crash/*.test.ts', ...(onlyIfChanged ? [] : ['test/full/*.ts'])];
  process.exitCode = await run(files);
  if (process.exitCode !== 0 || onlyIfChanged) return;
  if (isClean()) writeFileSync(PASSED, `${JSON.stringify(tested, undefined, 2)}\n`);
  else console.log('Not remembered as passed: there are changes that are not committed.');
});

/** Folder → the git tree of what is committed in it. */
function trees() {
  return Object.fromEntries(TESTED.map((folder) => [folder, git('rev-parse', `HEAD:${folder}`)]));
}

function passedWith() {
  try {
    return JSON.parse(readFileSync(PASSED, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
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
