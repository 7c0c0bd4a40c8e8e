/**
 * Finds what changed in a configuration with hidden secrets, so that only that is saved and secrets stay unchanged.
 * Pure.
 */
import JSON5 from 'json5';

/** The placeholder of a hidden secret or comment, which the gateway refuses to write. */
const HIDDEN = /__[A-Z]+_REDACTED__/;

export const hidesSomething = (text: string): boolean => HIDDEN.test(text);

/**
 * A merge patch (RFC 7396: null removes) that turns `shown` into `edited`; undefined if no value differs. Throws
 * `SyntaxError` for text that is not JSON5.
 */
export function changesBetween(shown: string, edited: string): object | undefined {
  const before = JSON5.parse<unknown>(shown.trim() || '{}');
  const after = JSON5.parse<unknown>(edited.trim() || '{}');
  if (!isObject(before) || !isObject(after)) throw new SyntaxError('the configuration must be an object: { … }');
  return patchOf(before, after);
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function patchOf(before: Fields, after: Fields): Fields | undefined {
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): [string, unknown][] => {
    const change = Object.hasOwn(after, key) ? valuePatch(before[key], after[key]) : null;
    return change === undefined ? [] : [[key, change]];
  });
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

function valuePatch(before: unknown, after: unknown): unknown {
  if (isObject(before) && isObject(after)) return patchOf(before, after);
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
}
