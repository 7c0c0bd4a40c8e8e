/** Settings that may come from the environment, under the names every release knows. Pure. */
import { present } from '../core/present.ts';
import { ownVariable, type Env } from '../platform/env.ts';
import { isPlainObject } from './paths.ts';
import type { Issue } from './store.ts';

/** Variable → leaf of `tools.exec`; each leaf takes what is outside its bounds to the nearest end. */
const EXEC_SETTINGS = [
  ['PI_BASH_YIELD_MS', 'backgroundMs'],
  ['PI_BASH_JOB_TTL_MS', 'cleanupMs'],
  ['PI_BASH_MAX_OUTPUT_CHARS', 'outputMaxChars'],
] as const;

/** Setting → end of the name of the variable of ours that wins over the file (`CLAWDBOT_…`). */
const OVER_THE_FILE: Readonly<Record<string, string>> = {
  'gateway.port': 'GATEWAY_PORT',
  'gateway.auth.token': 'GATEWAY_TOKEN',
  'gateway.auth.password': 'GATEWAY_PASSWORD',
  'gateway.remote.token': 'GATEWAY_TOKEN',
  'gateway.remote.password': 'GATEWAY_PASSWORD',
};

export interface FromEnv {
  readonly variable: string;
  /** Absent: the variable is not set. */
  readonly value?: string | number;
  readonly wins: boolean;
}

/** What the environment has to do with a setting; undefined: nothing. */
export function envSettingAt(path: string, env: Pick<Env, 'get'>): FromEnv | undefined {
  const suffix = Object.hasOwn(OVER_THE_FILE, path) ? OVER_THE_FILE[path] : undefined;
  if (suffix !== undefined) {
    const set = ownVariable(env, suffix);
    return present({
      variable: set?.name ?? `CLAWDBOT_${suffix}`,
      wins: true,
      value: set ? (suffix.endsWith('PORT') ? Number(set.value) : set.value) : undefined,
    });
  }
  const [variable] = EXEC_SETTINGS.find(([, leaf]) => path === `tools.exec.${leaf}`) ?? [];
  if (variable === undefined) return undefined;
  const given = Number(env.get(variable)?.trim() || Number.NaN);
  return present({ variable, wins: false, value: Number.isFinite(given) ? given : undefined });
}

/**
 * The value with what the environment adds, where the file says nothing; what is not a number is told and adds nothing.
 */
export function withEnvSettings(
  value: unknown,
  env: Pick<Env, 'get'>,
): { readonly value: unknown; readonly warnings: readonly Issue[] } {
  const set = EXEC_SETTINGS.flatMap(([name, leaf]) => {
    const text = env.get(name)?.trim();
    return text ? [{ name, leaf, given: Number(text) }] : [];
  });
  const warnings = set
    .filter(({ given }) => !Number.isFinite(given))
    .map(
      ({ name, leaf }): Issue => ({
        path: `tools.exec.${leaf}`,
        problem: `the environment variable ${name} is not a number and is not used`,
        fix: `Set ${name} to a number, or tools.exec.${leaf} in the file.`,
      }),
    );
  const added = Object.fromEntries(
    set.filter(({ given }) => Number.isFinite(given)).map(({ leaf, given }) => [leaf, given]),
  );
  if (Object.keys(added).length === 0) return { value, warnings };
  const root = value ?? {};
  const tools = section(root, 'tools');
  const exec = section(tools, 'exec');
  // What is not written as a section is refused with a word of its own.
  return exec
    ? { value: { ...(root as object), tools: { ...tools, exec: { ...added, ...exec } } }, warnings }
    : { value, warnings };
}

function section(parent: unknown, key: string): Record<string, unknown> | undefined {
  if (!isPlainObject(parent)) return undefined;
  const child = parent[key] ?? {};
  return isPlainObject(child) ? child : undefined;
}
