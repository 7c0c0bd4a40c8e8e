/**
 * Builds the product for the processes that tests start: joined from the sources in two seconds, so that each of some
 * three hundred starts reads tens of files and strips no types. The folder name contains a hash of the sources, so that
 * tests never find an outdated build.
 */
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './progress.mjs';
import { fingerprint } from './stamps.mjs';

const BUILDS = join(root, 'node_modules/.cache/tests/built');
/** What tests start beside the product itself: programs with the product inside, and what such a product loads. */
const PROGRAMS = ['test/crash/child.ts', 'test/crash/plugin/index.ts', 'src/testing/process-keeper-child.ts'];
/** What the product finds relative to its own place. */
const BESIDE = ['bin', 'data', 'dist', 'docs', 'package.json'];
/** Builds of sources as they were a little ago: a run that began with them may still be using one. */
const KEPT = 3;

/** Where the build of the sources as they are now lies, if it was made. */
export function builtTree() {
  const folder = join(BUILDS, fingerprint('tests'));
  return existsSync(folder) ? folder : undefined;
}

/** Makes that build, unless it is there. */
export async function buildForTests() {
  if (builtTree()) return;
  const { joinModules } = await import('./join-modules.mjs');
  const folder = join(BUILDS, fingerprint('tests'));
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  await joinModules(root, staging, {
    product: 'src/',
    ending: '.ts',
    programs: globSync(PROGRAMS, { cwd: root }),
    sourcemap: true,
  });
  for (const name of BESIDE) symlinkSync(join(root, name), join(staging, name));
  if (existsSync(folder)) rmSync(staging, { recursive: true });
  else renameSync(staging, folder);
  forgetOld();
}

function forgetOld() {
  const madeAt = (name) => statSync(join(BUILDS, name)).mtimeMs;
  const old = readdirSync(BUILDS)
    .toSorted((a, b) => madeAt(b) - madeAt(a))
    .slice(KEPT);
  for (const name of old) rmSync(join(BUILDS, name), { recursive: true, force: true });
}
