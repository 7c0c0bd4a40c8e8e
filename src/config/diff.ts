/** Lists the settings that differ between two loaded configurations. */
import { isDeepStrictEqual } from 'node:util';
import { formatPath, isPlainObject, type Path } from './paths.ts';

/**
 * Dotted paths whose value differs, in file order; an array counts as one value, and the stamp under `meta` as none.
 */
export function changedPaths(previous: unknown, next: unknown): readonly string[] {
  return differences(previous, next, [])
    .filter((path) => path[0] !== 'meta')
    .map(formatPath);
}

function differences(before: unknown, after: unknown, path: Path): Path[] {
  if (!isPlainObject(before) || !isPlainObject(after)) return isDeepStrictEqual(before, after) ? [] : [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differences(before[key], after[key], [...path, key]));
}
