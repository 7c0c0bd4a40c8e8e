/** Settings that may come from the environment, under the names every release knows; they count where the file says nothing. Pure. */
import type { Env } from '../platform/env.ts';
import { isPlainObject } from './paths.ts';
import type { Issue } from './store.ts';

/** Variable → leaf of `tools.exec`; each leaf takes what is outside its bounds to the nearest end. */
const EXEC_SETTINGS = [
  ['PI_BASH_YIELD_MS', 'backgroundMs'],
  ['PI_BASH_JOB_TTL_MS', 'cleanupMs'],
  ['PI_BASH_MAX_OUTPUT_CHARS', 'outputMaxChars'],
] as const;

/** The value with what the environment adds; what is not a number is told and adds nothing. */
export function withEnvSettings(value: unknown, env: Pick<Env, 'get'>): { readonly value: unknown; readonly warnings: readonly Issue[] } {
  const set = EXEC_SETTINGS.flatMap(([name, leaf]) => {
    const text = env.get(name)?.trim();
    return text ? [{ name, leaf, given: Number(text) }] : [];
  });
  const warnings = set.filter(({ given }) => !Number.isFinite(given)).map(({ name, leaf }): Issue =>
    ({ path: `tools.exec.${leaf}`, problem: `the environment variable ${name} is not a number and is not used`, fix: `Set ${name} to a number, or tools.exec.${leaf} in the file.` }));
  const added = Object.fromEntries(set.filter(({ given }) => Number.isFinite(given)).map(({ leaf, given }) => [leaf, given]));
  if (Object.keys(added).length === 0) return { value, warnings };
  const root = value ?? {};
  const tools = section(root, 'tools');
  const exec = section(tools, 'exec');
  // What is not written as a section is refused with a word of its own.
  return exec ? { value: { ...(root as object), tools: { ...tools, exec: { ...added, ...exec } } }, warnings } : { value, warnings };
}

function section(parent: unknown, key: string): Record<string, unknown> | undefined {
  if (!isPlainObject(parent)) return undefined;
  const child = parent[key] ?? {};
  return isPlainObject(child) ? child : undefined;
}
