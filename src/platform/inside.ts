/** Resolves a path from an untrusted source to the real file it may name. This is the only place that does. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../core/errors.ts';
import { expandPath } from './env.ts';
import type { HeldPath } from './held-path.ts';
import { hasLinkAmong } from './hard-links.ts';
import { errnoOf, isMissing, storageError } from './storage-error.ts';

/** Where such a path may lead. All paths are absolute. */
export interface PathBounds {
  /** Where relative paths start. */
  readonly base: string;
  /** The folders a path must lie in. Absent: it may lie anywhere but in `denied`. */
  readonly roots?: readonly string[] | undefined;
  /** Folders it must lie in, too, real paths that are taken as they are: a link in the place of one leads out. */
  readonly realRoots?: readonly string[] | undefined;
  /** Files and folders nobody may name, nor the copies beside them (`<name>.bak`, `<name>-wal`). */
  readonly denied?: readonly string[] | undefined;
  /** What `~` stands for; absent: it is refused. */
  readonly home?: string | undefined;
  /** Another name of `base`, absolute: what a sandbox calls it. */
  readonly shownAs?: string | undefined;
  /** Files and folders that stay as they are, and why: a sentence without its beginning. For what is written. */
  readonly readOnly?:
    | {
        readonly paths: readonly string[];
        readonly why: string;
        /** What the refusal carries along. */
        readonly access?: unknown;
      }
    | undefined;
  /** What has one of these names, and all in it, stays as it is wherever it lies, and why. For what is written. */
  readonly kept?: { readonly names: readonly string[]; readonly why: string } | undefined;
  /** A folder nobody may name anything in, but for these folders of it, and why. */
  readonly closed?:
    | { readonly folder: string; readonly but: readonly string[]; readonly why: string; readonly access?: unknown }
    | undefined;
  /**
   * Folders others put files into: one with a second name (hard link) there is refused, for the other name may lie
   * anywhere.
   */
  readonly oneNameIn?: readonly string[] | undefined;
}

/**
 * The real path: every symbolic link followed, the part that does not exist yet appended. Use this value and no other:
 * it is the one
 * that was checked. Rejects with `AppError`: `denied` out of reach, `invalid` for what is no path.
 */
export async function resolvePath(path: string, bounds: PathBounds): Promise<string> {
  const { base, roots, home, shownAs } = bounds;
  if (!path.trim() || path.includes('\0')) throw new AppError('invalid', 'The path is empty or not a path.');
  const real = await withoutTelling(path, bounds, () =>
    realPathOf(resolve(base, unmasked(expanded(path, home), { roots, shownAs })), path),
  );
  await checkPath(real, path, bounds);
  return real;
}

/** Whether a real path is within reach. Rejects with `AppError('denied')`. `asWritten` is for the error. */
async function checkPath(
  real: string,
  asWritten: string,
  { roots, realRoots, denied = [], shownAs, readOnly, closed, kept }: PathBounds,
): Promise<void> {
  if (roots && !(await liesIn(real, roots)))
    throw closed && (await namesClosed(asWritten, real, closed.folder))
      ? refusal(asWritten, closed)
      : outside(asWritten, shownAs);
  if (realRoots && !realRoots.some((root) => contains(folded(root), folded(real)))) throw outside(asWritten, shownAs);
  if (isOfAProcess(real) || (await isDenied(real, denied))) throw belongsToUs(asWritten);
  if (closed && (await liesUnder(real, [closed.folder])) && !(await liesIn(real, closed.but)))
    throw refusal(asWritten, closed);
  if (
    kept &&
    folded(real)
      .split(sep)
      .some((part) => kept.names.includes(part))
  )
    throw refusal(asWritten, kept);
  if (readOnly && (await liesUnder(real, readOnly.paths))) throw refusal(asWritten, readOnly);
}

/**
 * Whether what was opened is within reach: by its own path, and by the other names it has. Rejects with
 * `AppError('denied')`. `judged`: as `resolvePath` answered it.
 */
export async function checkHeld(
  { path, stats }: Pick<HeldPath, 'path' | 'stats'>,
  { checked, asWritten }: { checked: string; asWritten: string },
  bounds: PathBounds,
): Promise<void> {
  if (path !== checked) await checkPath(path, asWritten, bounds);
  if (!stats.isFile() || stats.nlink === 1) return;
  if (await liesIn(path, bounds.oneNameIn ?? []))
    throw new AppError(
      'denied',
      `${asWritten} has ${stats.nlink} hard links, and the others can be anywhere. Only files ` +
        'with a single link can be opened; make a copy of it.',
    );
  if (bounds.denied && (await hasLinkAmong(stats, bounds.denied, isCopyOf))) throw belongsToUs(asWritten);
}

/** A path written out, not through a link: whoever knows the folder learns why it is closed, and nothing else. */
const namesClosed = async (asWritten: string, real: string, folder: string): Promise<boolean> =>
  asWritten.startsWith(`${folder}${sep}`) && (await liesUnder(real, [folder]));
const refusal = (asWritten: string, { why, access }: { readonly why: string; readonly access?: unknown }): AppError =>
  new AppError('denied', `${asWritten} ${why}`, access === undefined ? {} : { details: { access } });
const outside = (asWritten: string, shownAs: string | undefined, cause?: unknown): AppError =>
  new AppError(
    'denied',
    `${asWritten} is outside the workspace${shownAs === undefined ? '' : ` (${shownAs})`}. Only files inside ` +
      'it can be used.',
    { cause },
  );
const belongsToUs = (asWritten: string): AppError =>
  new AppError('denied', `${asWritten} belongs to the gateway; tools cannot open it.`);

const TELLING = new Set(['EACCES', 'EPERM', 'ELOOP']);

/** The error is the same for every reason, because a link may be planted to find out what exists. */
async function withoutTelling(
  path: string,
  { roots, shownAs }: PathBounds,
  resolveReal: () => Promise<string>,
): Promise<string> {
  try {
    return await resolveReal();
  } catch (error) {
    if (roots && error instanceof AppError && (error.code === 'denied' || TELLING.has(errnoOf(error.cause) ?? '')))
      throw outside(path, shownAs, error);
    throw error;
  }
}

function expanded(path: string, home: string | undefined): string {
  if (!/^~([/\\]|$)/.test(path)) return path;
  if (home === undefined)
    throw new AppError(
      'invalid',
      `${path}: "~" is not expanded here. Write the path relative to the workspace, or absolute.`,
    );
  return expandPath(path, home);
}

/**
 * Dots are resolved before the beginning is compared: `/workspace/../etc` is not in the workspace. What names a root by
 * its real name keeps it.
 */
function unmasked(path: string, { roots = [], shownAs }: Pick<PathBounds, 'roots' | 'shownAs'>): string {
  if (shownAs === undefined || !isAbsolute(path)) return path;
  const plain = resolve(path);
  return contains(shownAs, plain) && !roots.some((root) => contains(root, plain)) ? relative(shownAs, plain) : path;
}

async function liesIn(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) if (contains(await realPathOf(resolve(root), root), real)) return true;
  return false;
}

function contains(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath === '' || (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  );
}

/** By the names some file systems take for the same one. */
export async function liesUnder(real: string, places: readonly string[]): Promise<boolean> {
  const found = await Promise.all(places.map((path) => realPathOf(resolve(path), path)));
  return found.some((place) => contains(folded(place), folded(real)));
}

async function isDenied(real: string, denied: readonly string[]): Promise<boolean> {
  const name = folded(real);
  const places = await Promise.all(denied.map((path) => realPathOf(resolve(path), path)));
  return places.some((place) => contains(folded(place), name) || isCopyOf(folded(place), name));
}

/** What is kept beside a file is as secret as the file: earlier versions, journals, what was set aside as damaged. */
export const isCopyOf = (file: string, path: string): boolean =>
  path.startsWith(file) && /^[.-]/.test(path.slice(file.length));

/**
 * Names that some file systems take for the same one are the same here: capitals, accents, dots and spaces at the end,
 * Windows' streams.
 */
const folded = (path: string): string =>
  path
    .normalize('NFKC')
    .toLowerCase()
    .split(sep)
    .map((part, index) => (index === 0 ? part : part.replace(/:[\s\S]*$/, '').replace(/(?<![. ])[. ]+$/, '')))
    .join(sep);

/** `/proc/<pid>/environ` shows the keys of the gateway and of whatever started it. */
const isOfAProcess = (real: string): boolean => /^\/proc\/\d+(\/|$)/.test(real);

/** A link that leads nowhere is refused: what it names would come into being at a place nobody checked. */
async function realPathOf(absolute: string, asWritten: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw storageError('resolve', asWritten, error);
  }
  const there = await whatIs(absolute, asWritten);
  if (there === 'link') throw new AppError('denied', `${asWritten} goes through a broken symbolic link.`);
  if (there === 'file') return realPathOf(absolute, asWritten); // it came into being between the two looks
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(parent, asWritten), basename(absolute));
}

async function whatIs(path: string, asWritten: string): Promise<'nothing' | 'link' | 'file'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'file';
  } catch (error) {
    if (isMissing(error)) return 'nothing';
    throw storageError('resolve', asWritten, error);
  }
}
