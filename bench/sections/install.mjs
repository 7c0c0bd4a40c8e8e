/** What an installation takes: its packages without Node itself, and the product's own files. It measures no time. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../processes.mjs';

const MIB = 1024 * 1024;
/** In which a system counts what a file takes of the disk. */
const BLOCK_BYTES = 512;
/** The runtime, which who has it need not install. */
const NODE = /^node_modules\/node-(?:linux|win)-/;

export async function install({ report }) {
  const packages = installedPackages();
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).files;
  const libraries = packages.reduce((sum, path) => sum + bytesOf(join(ROOT, path)), 0) / MIB;
  const product = own.reduce((sum, path) => sum + bytesOf(join(ROOT, path)), 0) / MIB;
  report.add('packages of an installation without Node', '', [packages.length], { atMost: 200 });
  report.add('  their files and those of the product', 'MiB', [libraries + product], { atMost: 190 });
  report.add('  those of the product', 'MiB', [product]);
}

/** Those of the lock file that are no development tools and that this platform has. */
function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && !NODE.test(path))
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path, 'package.json')));
}

/** A package inside another is one of its own. */
function bytesOf(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return BLOCK_BYTES * stat.blocks;
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
