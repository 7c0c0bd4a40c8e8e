/** The environment variables set by the configuration's `env` section. */
import { isPlainObject } from './paths.ts';

/**
 * Also of a section that was not validated yet; `vars` wins over the inline spelling. Add them to an `Env` with
 * `withVars`.
 */
export function configVars(section: unknown): Readonly<Record<string, string>> {
  if (!isPlainObject(section)) return {};
  const { vars, shellEnv: _, ...inline } = section;
  return { ...texts(inline), ...texts(vars) };
}

function texts(value: unknown): Record<string, string> {
  if (!isPlainObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
