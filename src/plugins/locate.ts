/** From an entry of `plugins.load.paths` to the file to import. */
import { createRequire } from 'node:module';
import { basename, isAbsolute, join } from 'node:path';
import { AppError } from '../core/errors.ts';
import { expandPath } from '../platform/env.ts';
import { readTextIfExists, statIfExists } from '../platform/files.ts';

const ENTRIES = ['index.ts', 'index.js', 'index.mjs'];

/** The last part of the path without ending, or the package name without scope: what `allow` and `deny` name. */
export function pluginId(path: string): string {
  return basename(path.replace(/(?<![\\/])[\\/]+$/, '')).replace(/\.[cm]?[jt]s$/, '').toLowerCase();
}

/** Rejects with `AppError('not_found')` that says what was looked for, `AppError('invalid')` for a path that is not absolute. */
export async function locatePlugin(path: string, { home, packagesFrom }: { home: string; packagesFrom: string | undefined }): Promise<string> {
  if (path.startsWith('.')) throw new AppError('invalid', `plugins.load.paths: "${path}" is relative. Write an absolute path, ~/…, or the name of an npm package.`);
  const isPath = isAbsolute(path) || path === '~' || path.startsWith('~/');
  return isPath ? locateFile(expandPath(path, home), path) : locatePackage(path, packagesFrom);
}

async function locateFile(target: string, written: string): Promise<string> {
  const found = await statIfExists(target);
  if (found?.kind === 'file') return target;
  if (!found) throw new AppError('not_found', `plugins.load.paths: there is nothing at "${written}".`);
  const main = await mainOf(target);
  const candidates = main ? [main, ...ENTRIES] : ENTRIES;
  for (const name of candidates) if ((await statIfExists(join(target, name)))?.kind === 'file') return join(target, name);
  throw new AppError('not_found', `plugins.load.paths: the folder "${written}" has none of ${candidates.join(', ')}.`);
}

/** `main` of its package.json, when there is one. */
async function mainOf(folder: string): Promise<string | undefined> {
  const text = await readTextIfExists(join(folder, 'package.json'));
  if (text === undefined) return undefined;
  try {
    const { main } = JSON.parse(text) as { main?: unknown };
    return typeof main === 'string' ? main : undefined;
  } catch (cause) {
    throw new AppError('invalid', `${join(folder, 'package.json')} is not JSON.`, { cause });
  }
}

function locatePackage(name: string, packagesFrom: string | undefined): string {
  const bases = [...(packagesFrom ? [join(packagesFrom, 'package.json')] : []), import.meta.filename];
  let cause: unknown;
  for (const base of bases) {
    try {
      return createRequire(base).resolve(name);
    } catch (error) {
      if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(String((error as { code?: unknown }).code))) throw error;
      cause = error;
    }
  }
  throw new AppError('not_found', `plugins.load.paths: the npm package "${name}" is not installed${packagesFrom ? ` in ${packagesFrom}` : ''}. Run "npm install ${name}" there, or write an absolute path.`, { cause });
}
