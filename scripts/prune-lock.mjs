/**
 * Removes optional platform packages that the registry does not have from package-lock.json; run it after `npm
 * install`. npm does not install them but keeps requesting them, and `npm ci` then rejects the lock file that npm
 * itself wrote.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './progress.mjs';

const path = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const locked = new Set(Object.keys(lock.packages).map((key) => key.split('node_modules/').at(-1)));

let pruned = 0;
for (const [key, entry] of Object.entries(lock.packages)) {
  if (key === '') continue;
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (locked.has(name)) continue;
    delete entry.optionalDependencies[name];
    pruned += 1;
  }
  if (Object.keys(entry.optionalDependencies ?? {}).length === 0) delete entry.optionalDependencies;
}

if (pruned > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${pruned} unobtainable optional packages taken out of package-lock.json.`);
