/**
 * Makes what is published: src/ → dist/ with tsc and Rolldown, ui/ → dist/ui with Vite. A failed build leaves the old
 * dist/ as it
 * was.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { phase, Problem, root, run, tail } from './progress.mjs';
import { fingerprint, stamp } from './stamps.mjs';

const dist = join(root, 'dist');
/** On the same file system as `dist`, ignored by git, emptied by `npm ci`. */
const staging = join(root, 'node_modules/.clawdbot-build');

const makers = {
  gateway: { label: 'Compiling the gateway', make: compileGateway },
  ui: { label: 'Building the Control UI', make: buildUi },
};

export const products = Object.keys(makers);

/**
 * `node` is the binary the compilers run on. The stamp is of the sources as they were before, so an edit meanwhile is
 * noticed.
 */
export async function make(product, node) {
  const { label, make: compile } = makers[product];
  const before = fingerprint(product);
  await phase(label, () => compile((args) => must(node, args)));
  stamp(product, before);
}

async function compileGateway(must) {
  rmSync(staging, { recursive: true, force: true });
  const [compiled, joined] = [join(staging, 'compiled'), join(staging, 'joined')];
  await must([join(root, 'node_modules/ts7/lib/tsc.js'), '-p', 'tsconfig.build.json', '--outDir', compiled]);
  await must([join(root, 'scripts/join-modules.mjs'), compiled, joined]);
  await must([join(root, 'scripts/command-table.mjs'), joined]);
  mkdirSync(dist, { recursive: true });
  // Everything but the UI is replaced, so that a removed source leaves nothing behind for a loader to find.
  for (const name of readdirSync(dist)) if (name !== 'ui') rmSync(join(dist, name), { recursive: true });
  for (const name of readdirSync(joined)) renameSync(join(joined, name), join(dist, name));
  rmSync(staging, { recursive: true });
}

function buildUi(must) {
  return must([join(root, 'node_modules/vite/bin/vite.js'), 'build', 'ui', '--logLevel', 'warn']);
}

async function must(node, args) {
  const { code, output } = await run(node, args);
  if (code !== 0) throw new Problem(`It does not compile:\n${tail(output, 60)}`);
}
