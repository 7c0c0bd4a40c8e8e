/** Records what was installed and built, so that an unchanged checkout starts immediately. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './progress.mjs';

const STAMP = join(root, 'node_modules/.clawdbot-stamp');

/** Each product: what it is made from, and a file that exists when it was made. */
const PRODUCTS = {
  dependencies: { from: ['package-lock.json'], made: 'node_modules/.package-lock.json', by: 'content' },
  gateway: { from: ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'], made: 'dist/main.js' },
  tests: { from: ['src', 'test', 'scripts/join-modules.mjs', 'package-lock.json'] },
  ui: { from: ['ui', 'src/protocol', 'src/core', 'src/features', 'package-lock.json'], made: 'dist/ui/index.html' },
};

/** True when `product` exists and was made from what lies here now. */
export function isFresh(product) {
  if (!existsSync(join(root, PRODUCTS[product].made))) return false;
  return readStamp()[product] === fingerprint(product) || (product === 'dependencies' && adoptInstall());
}

/** Records that `product` was made just now. */
export function stamp(product, print = fingerprint(product)) {
  writeFileSync(STAMP, JSON.stringify({ ...readStamp(), [product]: print }));
}

/** Names, sizes and times of the files a product is made from, as one hash; of small inputs the content. */
export function fingerprint(product) {
  const { from, by } = PRODUCTS[product];
  const hash = createHash('sha256');
  for (const path of from.flatMap(filesUnder)) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(by === 'content' ? readFileSync(join(root, path)) : `${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Tests, and pages of words. */
const NOT_SHIPPED = /(\.test\.ts|^fake[^/]*\.ts|^harness\.ts|\.md)$/;

function filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && !NOT_SHIPPED.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`]));
}

function readStamp() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : {};
}

/** Accepts an install somebody made by hand when it holds every locked version this machine can use. */
function adoptInstall() {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(join(root, PRODUCTS.dependencies.made), 'utf8')).packages;
  const complete = Object.entries(locked).every(
    ([path, { version, optional }]) => !path || installed[path]?.version === version || (optional && !installed[path]),
  );
  if (complete) stamp('dependencies');
  return complete;
}
