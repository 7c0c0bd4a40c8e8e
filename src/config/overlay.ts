/** Settings laid over what the files say, in memory only; checked like the file itself. */
import { AppError } from '../core/errors.ts';
import type { Env } from '../platform/env.ts';
import { interpret, type Loaded, type SchemaSource } from './load.ts';
import { formatPath, isPlainObject, parsePath, type Path } from './paths.ts';

export type Overrides = Readonly<Record<string, unknown>>;

/**
 * With one setting changed; `undefined` takes it, and what is empty without it, away. Throws `AppError('invalid')` for
 * what is no path.
 */
export function withOverride(overrides: Overrides, path: string, value: unknown): Overrides {
  const keys = parsePath(path);
  if (
    keys.length === 0 ||
    keys.some((key) => ['__proto__', 'constructor', 'prototype', '$include'].includes(key) || /^\d+$/.test(key))
  ) {
    throw new AppError(
      'invalid',
      `"${formatPath(keys)}" cannot be overridden; name a setting by its dotted path, and a list as a whole.`,
    );
  }
  return (put(overrides, keys, value) ?? {}) as Overrides;
}

function put(at: unknown, [key, ...rest]: Path, value: unknown): unknown {
  const here = isPlainObject(at) ? at : {};
  const inner = rest.length === 0 ? value : put(here[key!], rest, value);
  const next = Object.fromEntries([
    ...Object.entries(here).filter(([name]) => name !== key),
    ...(inner === undefined ? [] : [[key!, inner] as const]),
  ]);
  return Object.keys(next).length === 0 ? undefined : next;
}

/** The files with the overrides over them. Throws `AppError('invalid')` that says what is wrong. */
export function overlaid<C>(
  loaded: Loaded<C>,
  overrides: Overrides,
  context: { readonly env: Env; readonly source: SchemaSource<C> },
): C {
  const { config, issues } = interpret(merged(loaded.migrated, overrides), context);
  if (config === undefined)
    throw new AppError(
      'invalid',
      `That is not valid: ${issues.map(({ path, problem }) => `${path} ${problem}`).join('; ')}.`,
    );
  return config;
}

function merged(base: unknown, over: unknown): unknown {
  if (!isPlainObject(base) || !isPlainObject(over)) return over === undefined ? base : over;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])];
  return Object.fromEntries(keys.map((key) => [key, merged(base[key], over[key])]));
}
