/** Which requested variables can be set inside a sandbox. Pure. */

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The shell that sets them refuses to. */
const READ_ONLY = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']);

/** Everything else is dropped with a warning. */
export function usableEnv(env: Readonly<Record<string, string>>): {
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
} {
  const usable = (name: string, value: string): boolean =>
    NAME.test(name) && !READ_ONLY.has(name) && !value.includes('\0');
  const entries = Object.entries(env);
  const leftOut = entries.filter(([name, value]) => !usable(name, value));
  return {
    env: Object.fromEntries(entries.filter(([name, value]) => usable(name, value))),
    warnings: leftOut.map(
      ([name]) => `Warning: the variable ${JSON.stringify(name)} cannot be set in the sandbox and was left out.`,
    ),
  };
}
