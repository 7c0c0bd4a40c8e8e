/** Finds the file to import for an entry of `plugins.load.paths`, and the folder that must contain it. */
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { AppError } from '../core/errors.ts';
import { expandPath } from '../platform/env.ts';
import { readTextIfExists, statIfExists } from '../platform/files.ts';

const ENTRIES = ['index.ts', 'index.js', 'index.mjs'];
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
/** Characters of a package.json; those of real packages have a few thousand. */
const MAX_MANIFEST = 1024 * 1024;

/** `folder`: absent for a single file. */
export interface Located {
  readonly file: string;
  readonly folder?: string;
}

/**
 * Rejects with `AppError('not_found')` that says what was looked for, `AppError('invalid')` for what is neither a path
 * nor a package.
 */
export async function locatePlugin(
  path: string,
  { home, packagesFrom }: { home: string; packagesFrom: string | undefined },
): Promise<Located> {
  if (path.startsWith('.'))
    throw new AppError(
      'invalid',
      `plugins.load.paths: "${path}" is relative. Write an absolute path, ~/…, or the name of an npm package.`,
    );
  const isPath = isAbsolute(path) || path === '~' || path.startsWith('~/');
  return isPath ? locateFile(expandPath(path, home), path) : locatePackage(path, packagesFrom);
}

async function locateFile(target: string, written: string): Promise<Located> {
  const found = await statIfExists(target);
  if (found?.kind === 'file') return { file: target };
  if (!found) throw new AppError('not_found', `plugins.load.paths: "${written}" does not exist.`);
  if (found.kind !== 'directory')
    throw new AppError('invalid', `plugins.load.paths: "${written}" is neither a file nor a folder.`);
  const main = await mainOf(target);
  const candidates = main ? [main, ...ENTRIES] : ENTRIES;
  for (const name of candidates)
    if ((await statIfExists(join(target, name)))?.kind === 'file') return { file: join(target, name), folder: target };
  throw new AppError('not_found', `plugins.load.paths: the folder "${written}" has none of ${candidates.join(', ')}.`);
}

/** `main` of its package.json, when there is one. */
async function mainOf(folder: string): Promise<string | undefined> {
  const path = join(folder, 'package.json');
  if (((await statIfExists(path))?.size ?? 0) > MAX_MANIFEST)
    throw new AppError('invalid', `${path} is too large (limit: ${MAX_MANIFEST} bytes).`);
  const text = await readTextIfExists(path);
  if (text === undefined) return undefined;
  try {
    const manifest = JSON.parse(text) as { main?: unknown } | null;
    return typeof manifest?.main === 'string' ? manifest.main : undefined;
  } catch (cause) {
    throw new AppError('invalid', `${path} is not JSON.`, { cause });
  }
}

/** In that one folder, and not in those above it, where Node would look too. */
async function locatePackage(name: string, packagesFrom: string | undefined): Promise<Located> {
  if (!PACKAGE.test(name))
    throw new AppError(
      'invalid',
      `plugins.load.paths: "${name}" is not the name of an npm package. Use an absolute path, ~/…, or a package name.`,
    );
  const folder = packagesFrom === undefined ? undefined : join(packagesFrom, 'node_modules', name);
  if (folder === undefined || (await statIfExists(folder))?.kind !== 'directory')
    throw notInstalled(name, packagesFrom);
  await mainOf(folder);
  try {
    return { file: createRequire(join(packagesFrom!, 'package.json')).resolve(name), folder };
  } catch (cause) {
    if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(String((cause as { code?: unknown }).code)))
      throw cause;
    throw notInstalled(name, packagesFrom, cause);
  }
}

const notInstalled = (name: string, packagesFrom: string | undefined, cause?: unknown): AppError =>
  new AppError(
    'not_found',
    `plugins.load.paths: the npm package "${name}" is not ` +
      `installed${packagesFrom ? ` in ${packagesFrom}` : ''}. Run "npm install ${name}" there, or write an ` +
      'absolute path.',
    { cause },
  );
