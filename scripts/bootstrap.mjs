/**
 * Makes a fresh clone ready to `start` or to `test`, on any Node from 18 on, and is done at once when it already is.
 *   node scripts/bootstrap.mjs start   dependencies, the right Node, dist/ and dist/ui
 *   node scripts/bootstrap.mjs test    dependencies, the right Node, dist/ui, and the system packages the tests use
 */
import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { bundledNode, majorOf, NEEDED_MAJOR, noRuntimeMessage, runningIsEnough } from '../bin/runtime.mjs';
import { phase, Problem, root, run, script, tail } from './progress.mjs';
import { isFresh, stamp } from './stamps.mjs';

/** What npm prints, and what it means for somebody who only wanted to start. */
const NPM_PROBLEMS = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/i,
    'the npm registry cannot be reached. Check the network, `npm config get registry` and any proxy, then ' +
      'run the same command again.',
  ],
  [/ENOSPC/, 'the disk is full. It needs about 600 MB; free some space and run the same command again.'],
  [/EACCES|EPERM|EROFS/, 'this user may not write here. Check who owns the checkout and ~/.npm.'],
  [/E404|ETARGET/, 'the registry lacks a locked version (named below).'],
  [/EUSAGE|in sync/, 'package.json and package-lock.json disagree. Run `npm install` once and commit the lock file.'],
  [/spawn npm ENOENT|npm: not found/, 'npm is not on PATH. Install it (it comes with Node).'],
];

await script(async () => {
  const purpose = process.argv[2];
  if (purpose !== 'start' && purpose !== 'test') throw new Problem('Usage: node scripts/bootstrap.mjs start|test');
  if (!isFresh('dependencies')) await phase('Installing the locked dependencies (npm ci)', installDependencies);
  const node = await rightNode();
  const needed = purpose === 'start' ? ['gateway', 'ui'] : ['ui'];
  const stale = needed.filter((product) => !isFresh(product));
  if (stale.length > 0) {
    const { make } = await import('./compile.mjs');
    for (const product of stale) await make(product, node);
  }
  if (purpose === 'test') await (await import('./system-packages.mjs')).ensureSystemPackages();
});

async function installDependencies() {
  const { code, output } = await run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], {
    env: { ...process.env, PATH: pathWithoutCheckout() },
    shell: process.platform === 'win32',
  });
  const meaning = NPM_PROBLEMS.find(([pattern]) => pattern.test(output))?.[1] ?? 'its last lines are:';
  if (code !== 0) throw new Problem(`npm ci failed: ${meaning}\n${tail(output)}`);
  stamp('dependencies');
}

/** npm ci removes node_modules, and with it the Node that `npm run` put first on PATH; npm must run on another one. */
function pathWithoutCheckout() {
  const own = join(root, 'node_modules', '.bin');
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== own)
    .join(delimiter);
}

/** The Node that `npm start` will use, proven by running it. */
async function rightNode() {
  if (runningIsEnough()) return process.execPath;
  const node = bundledNode();
  if (!node) throw new Problem(noRuntimeMessage());
  const { code, output } = await run(node, ['--version']);
  if (code === 0 && majorOf(output) >= NEEDED_MAJOR) return node;
  // npm puts this link before the system's Node, so a binary that cannot run would hide one that can.
  rmSync(join(root, 'node_modules/.bin/node'), { force: true });
  throw new Problem(
    `The Node that came along does not run on this machine (${output.trim()}).\nInstall Node ${NEEDED_MAJOR} ` +
      'or newer and run the same command again.',
  );
}
