/** Settings that can be set by environment variables. Pure. */
import { present } from '../core/present.ts';
import { ownVariable, type Env } from '../platform/env.ts';
import { isPlainObject } from './paths.ts';
import type { JoinedRules } from './setting-rules.ts';
import type { Issue } from './store.ts';

type Variables = Pick<JoinedRules, 'environment'>;

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
export function envSettingAt(path: string, env: Pick<Env, 'get'>, { environment }: Variables): FromEnv | undefined {
  const suffix = Object.hasOwn(OVER_THE_FILE, path) ? OVER_THE_FILE[path] : undefined;
  if (suffix !== undefined) {
    const set = ownVariable(env, suffix);
    return present({
      variable: set?.name ?? `CLAWDBOT_${suffix}`,
      wins: true,
      value: set ? (suffix.endsWith('PORT') ? Number(set.value) : set.value) : undefined,
    });
  }
  const [variable] = environment.find(([, setting]) => path === setting) ?? [];
  if (variable === undefined) return undefined;
  const value = Number(env.get(variable)?.trim() || Number.NaN);
  return present({ variable, wins: false, value: Number.isFinite(value) ? value : undefined });
}

/**
 * The value with what the environment adds, where the file says nothing; what is not a number is told and adds nothing.
 */
export function withEnvSettings(
  value: unknown,
  env: Pick<Env, 'get'>,
  { environment }: Variables,
): { readonly value: unknown; readonly warnings: readonly Issue[] } {
  const set = environment.flatMap(([name, path]) => {
    const text = env.get(name)?.trim();
    return text ? [{ name, path, value: Number(text) }] : [];
  });
  const warnings = set
    .filter(({ value }) => !Number.isFinite(value))
    .map(
      ({ name, path }): Issue => ({
        path,
        problem: `the environment variable ${name} is not a number and is not used`,
        fix: `Set ${name} to a number, or ${path} in the file.`,
      }),
    );
  const numbers = set.filter(({ value }) => Number.isFinite(value));
  return {
    value: numbers.reduce((whole, { path, value: number }) => withAbsent(whole, path.split('.'), number), value),
    warnings,
  };
}

/** Adds a setting where nothing is; what is not written as a section is refused with a word of its own. */
function withAbsent(value: unknown, [key, ...rest]: readonly string[], input: number): unknown {
  const section = value ?? {};
  if (key === undefined) return value ?? input;
  if (!isPlainObject(section)) return value;
  if (rest.length === 0 && Object.hasOwn(section, key)) return section;
  return { ...section, [key]: withAbsent(section[key], rest, input) };
}
